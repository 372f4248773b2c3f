/** Debian's nginx with the configuration of `deploy/nginx/`, without TLS. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../server/until.ts';
import { accepts, freePort } from './ports.ts';

export const NGINX = '/usr/sbin/nginx';
export const noNginx = !existsSync(NGINX) && 'nginx is not installed';

const example = join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'nginx', 'heddle.conf');

/** A running proxy. */
export interface RunningProxy {
  readonly port: number;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** All requests of an organization go to one process. */
  readonly byHost?: boolean;
}

/** @param upstreams like `127.0.0.1:9991`, separated by spaces */
export async function startNginx(upstreams: string, { byHost = false }: ProxyOptions = {}): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-nginx-'));
  const port = await freePort();
  const text = await readFile(example, 'utf8');
  const site = text
    .replace(/^ *server 127\.0\.0\.1:9991(.*;)$/m, (_, parameters: string) =>
      upstreams
        .split(' ')
        .map((upstream) => `server ${upstream}${parameters}`)
        .join('\n'),
    )
    .replace('#hash $host', byHost ? 'hash $$host' : '#hash $$host')
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replaceAll(/^ *ssl_certificate.*\n/gm, '')
    .replace(/listen 443 ssl http2;/, `listen ${port} default_server;`)
    .replace(/listen 80;/, `listen ${await freePort()};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const own = paths.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    join(directory, 'nginx.conf'),
    `${user} pid ${directory}/pid; error_log stderr crit; events {} http { access_log off; ${own} ${site} }`,
  );
  const args = ['-p', directory, '-c', join(directory, 'nginx.conf'), '-g', 'daemon off;'];
  const child = spawn(NGINX, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  await until(() => child.exitCode !== null || accepts(port), 'nginx to accept connections');
  if (child.exitCode !== null) throw new Error('nginx did not start');
  return { port, stop: () => stop(child, ended, directory) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>, directory: string): Promise<void> {
  child.kill('SIGTERM');
  await ended;
  await rm(directory, { recursive: true, force: true });
}
