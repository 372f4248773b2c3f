/** A cluster of Debian's `nats-server`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { until } from '../server/until.ts';
import { accepts, freePort } from './ports.ts';

const PROGRAM = '/usr/sbin/nats-server';
export const noNats = !existsSync(PROGRAM) && 'nats-server is not installed';

export interface NatsCluster {
  /** The URL of all servers, for `HEDDLE_BUS`. */
  readonly url: string;
  /** Kills the server of this index. */
  kill(index: number): Promise<void>;
  /** Stops and continues the server of this index. */
  signal(index: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts all servers that do not run. */
  start(): Promise<void>;
  /** Kills all servers. */
  stop(): Promise<void>;
}

/** @param account like `user:password`, which clients must give, as a URL writes it */
export async function startNatsCluster(count: number, account = ''): Promise<NatsCluster> {
  const ports: { readonly client: number; readonly cluster: number }[] = [];
  for (let made = 0; made < count; made += 1) ports.push({ client: await freePort(), cluster: await freePort() });
  const running = new Map<number, ChildProcess>();
  const [user = '', password = ''] = account.split(':').map(decodeURIComponent);
  const routes = ports.map(({ cluster }) => `nats://127.0.0.1:${cluster}`).join(',');

  async function kill(index: number): Promise<void> {
    const child = running.get(index);
    if (child === undefined) return;
    running.delete(index);
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  async function start(): Promise<void> {
    for (const [index, { client, cluster }] of ports.entries()) {
      if (running.has(index)) continue;
      const options = ['-a', '127.0.0.1', '-p', String(client), '--cluster_name', 'heddle', '--routes', routes];
      const login = account === '' ? [] : ['--user', user, '--pass', password];
      const child = spawn(PROGRAM, [...options, '--cluster', `nats://127.0.0.1:${cluster}`, ...login], {
        stdio: 'ignore',
      });
      running.set(index, child);
      await until(() => child.exitCode !== null || accepts(client), 'nats-server to accept connections');
      if (child.exitCode !== null) throw new Error('nats-server did not start');
    }
  }

  await start();
  const at = account === '' ? '' : `${account}@`;
  return {
    url: `nats://${at}${ports.map(({ client }) => `127.0.0.1:${client}`).join(',')}`,
    kill,
    start,
    signal: (index, signal) => void running.get(index)?.kill(signal),
    async stop() {
      for (const index of [...running.keys()]) await kill(index);
    },
  };
}
