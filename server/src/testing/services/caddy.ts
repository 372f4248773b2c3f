/** Caddy with the configuration of `deploy/caddy/`, without TLS. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../server/until.ts';
import type { ProxyOptions, RunningProxy } from './nginx.ts';
import { accepts, freePort } from './ports.ts';

const program = process.env.HEDDLE_TEST_CADDY || 'caddy';

export const noCaddy = !hasCaddy() && 'caddy is not installed';

function hasCaddy(): boolean {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const example = join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'caddy', 'Caddyfile');

/** Where the proxy runs. */
interface Host {
  readonly address: string;
  readonly port: number;
  /** Runs the program of its arguments there. */
  readonly command: readonly string[];
}

export interface CaddyOptions extends ProxyOptions {
  /** Default: this one, with a free port. */
  readonly host?: Host;
}

/** @param upstreams like `127.0.0.1:9991`, separated by spaces */
export async function startCaddy(
  upstreams: string,
  { byHost = false, host }: CaddyOptions = {},
): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-caddy-'));
  const { address, port, command } = host ?? { address: '127.0.0.1', port: await freePort(), command: [] };
  const file = join(directory, 'Caddyfile');
  // Without its own administration port, which could be in use.
  await writeFile(file, `{\n\tadmin off\n}\n${await readFile(example, 'utf8')}`);
  const { PATH = '' } = process.env;
  const [first = '', ...rest] = [...command, program, 'run', '--config', file, '--adapter', 'caddyfile'];
  const child = spawn(first, rest, {
    env: {
      ...{ PATH, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory },
      ...{ HEDDLE_NAME: `http://:${port}`, HEDDLE_UPSTREAMS: upstreams },
      ...(byHost && { HEDDLE_LB_POLICY: 'header Host' }),
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  await until(() => child.exitCode !== null || accepts(port, address), 'Caddy to accept connections');
  if (child.exitCode !== null) throw new Error('caddy did not start');
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
