/**
 * `npm run dev`: the server and the web app with hot reload, at one address.
 *
 * The browser talks to Vite's development server. It serves the sources of the app under `/static/app/`, and passes all other requests on to
 * the server on an internal port. The server restarts when one of its files changes. It writes the page from the development server's
 * `index.html`, so sessions, spectators and organizations work as in production.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfig } from '@heddle/server/config.ts';
import type { WebBuildRecord } from '@heddle/server/features/web-app/build-record.ts';
import { createLogger, createServer, type Logger, type ProxyOptions, type ViteDevServer } from 'vite';
import { SOURCE_ICONS } from './web-build/icons.ts';

const root = join(import.meta.dirname, '..');
const web = join(root, 'web');

/** Everything but the sources of the app belongs to the server (`FILES_PATH` of `web/vite.config.ts`). */
const OF_SERVER = '^/(?!static/app/)';

async function main(): Promise<void> {
  const { config } = readConfig(process.env);
  const internalPort = await freePort();
  const vite = await createServer({
    configFile: join(web, 'vite.config.ts'),
    clearScreen: false,
    customLogger: quietLogger(),
    server: {
      host: config.host,
      port: config.port,
      strictPort: true,
      cors: false,
      allowedHosts: config.url === null ? [] : [`.${new URL(config.url).hostname}`],
      proxy: { [OF_SERVER]: proxyTo(internalPort) },
    },
  });
  await vite.listen();
  // Vite would end this process before the server has stopped.
  process.removeAllListeners('SIGTERM');
  const address = vite.httpServer?.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const url = config.url ?? `http://localhost:${port}`;

  const build = await mkdtemp(join(tmpdir(), 'heddle-dev-'));
  await writeBuild(vite, build);
  vite.watcher.on('change', (path) => {
    if (path === join(web, 'index.html')) void writeBuild(vite, build);
  });

  const server = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', join(root, 'operator', 'src', 'main.ts'), 'serve', ...process.argv.slice(2)],
    {
      env: {
        ...process.env,
        HEDDLE_HOST: '127.0.0.1',
        HEDDLE_PORT: String(internalPort),
        HEDDLE_URL: url,
        // The server sees only the development server.
        HEDDLE_TRUST_PROXY: process.env.HEDDLE_TRUST_PROXY || '127.0.0.1',
        HEDDLE_WEB_DIR: build,
        // Node.js watches the files of one process.
        HEDDLE_WORKERS: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  tell(server, url);
  const exited = once(server, 'exit');
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isStopping = true;
      server.kill('SIGTERM');
    });
  }
  const [code] = await exited;
  rmSync(build, { recursive: true, force: true });
  // Browsers keep their connections to the development server, so this does not wait for them.
  process.exit(isStopping ? 0 : (code ?? 1));
}

/** While the server restarts, each request of an open tab would print an error. */
function quietLogger(): Logger {
  const logger = createLogger('warn');
  const { error } = logger;
  logger.error = (message, options) => {
    if (!message.includes('http proxy error')) error(message, options);
  };
  return logger;
}

function proxyTo(port: number): ProxyOptions {
  return {
    target: `http://127.0.0.1:${port}`,
    // The server finds the organization by the host that the browser addressed.
    changeOrigin: false,
    xfwd: true,
    configure(proxy) {
      // Hot reload needs inline scripts, styles and a web socket.
      proxy.on('proxyRes', (response) => {
        delete response.headers['content-security-policy'];
      });
      proxy.on('error', (_error, request, response) => {
        if (!('writeHead' in response) || response.headersSent) return;
        const isPage = request.headers.accept?.includes('text/html') ?? false;
        const type = isPage ? 'text/html; charset=utf-8' : 'application/json';
        response.writeHead(503, { 'content-type': type, 'retry-after': '1' });
        response.end(isPage ? RESTARTING_PAGE : RESTARTING);
      });
    },
  };
}

const RESTARTING = JSON.stringify({ result: 'error', msg: 'The server restarts', code: 'SERVICE_UNAVAILABLE' });
/** It loads itself again. A refresh by a header would do nothing for an address with a fragment. */
const RESTARTING_PAGE = `<!doctype html><html lang="en"><title>Restarting</title><p>The server restarts…</p>
<script>setTimeout(() => location.reload(), 500)</script></html>`;

/** Writes what the server needs of a build: the page, and a list without files, because the development server has them. */
async function writeBuild(vite: ViteDevServer, directory: string): Promise<void> {
  const html = await vite.transformIndexHtml('/index.html', await readFile(join(web, 'index.html'), 'utf8'));
  const record: WebBuildRecord = { files: {}, icons: SOURCE_ICONS };
  await writeFile(join(directory, 'build.json'), JSON.stringify(record));
  await writeFile(join(directory, 'index.html'), html);
}

/** Prints the output of the server, with the address for browsers instead of the internal one. */
function tell(server: ChildProcess, url: string): void {
  if (server.stdout === null) return;
  createInterface(server.stdout).on('line', (line) => {
    const isAddress = line.startsWith('Heddle is listening on ');
    process.stdout.write(isAddress ? `Heddle is listening on ${url}, with hot reload\n` : `${line}\n`);
  });
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createTcpServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

await main();
