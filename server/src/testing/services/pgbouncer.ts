/** Debian's PgBouncer in front of a PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../server/until.ts';
import { accepts, freePort } from './ports.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
export const noPgBouncer = !existsSync(PROGRAM) && 'pgbouncer is not installed';

export interface PgBouncer {
  /** The URL of the database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/**
 * @param databaseUrl a database at a TCP port
 * @param settings like `pool_mode`
 */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  // Not in TMPDIR, which others may not be able to enter.
  const directory = await mkdtemp('/tmp/heddle-pgbouncer-');
  await chmod(directory, 0o755);
  const file = join(directory, 'pgbouncer.ini');
  const listenPort = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  await writeFile(
    file,
    `[databases]\n* = host=${hostname} port=${port} user=${username}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  const child = spawn(PROGRAM, [file], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  const ended = once(child, 'close');
  await until(() => child.exitCode !== null || accepts(listenPort), 'PgBouncer to accept connections');
  if (child.exitCode !== null) throw new Error('pgbouncer did not start');
  return {
    url: `postgresql://${username}@127.0.0.1:${listenPort}${pathname}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
