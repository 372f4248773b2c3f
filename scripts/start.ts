/**
 * `npm start`: builds the web app if its sources have changed, then runs the server in this process. Without the app the server starts too:
 * clients of the API do not need the app, and the page says what is missing.
 */
import { join } from 'node:path';
import { ensureWebBuild, WebBuildError, webBuildOf } from './web-build/ensure.ts';

/**
 * Runs the server. Progress and errors of the build go to standard error, because standard output belongs to the server.
 * @param root the root of the repository whose app is built
 * @param args options of `heddle serve`
 */
export async function start(root: string, args: readonly string[]): Promise<void> {
  // An operator who names a directory has built the app elsewhere.
  if (!process.env.HEDDLE_WEB_DIR) {
    await buildApp(root);
    process.env.HEDDLE_WEB_DIR = webBuildOf(root);
  }
  process.argv = [process.execPath, import.meta.filename, 'serve', ...args];
  await import('@heddle/operator/main.ts');
}

async function buildApp(root: string): Promise<void> {
  const ending = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    ending.abort();
    process.removeListener(signal, end);
    // The default action of the signal: there is no server to stop yet.
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  let begunAt: number | undefined;
  const onBegin = (): void => {
    begunAt = performance.now();
    process.stderr.write('Building the web app…\n');
  };
  try {
    await ensureWebBuild({ root, onBegin, signal: ending.signal });
    if (begunAt !== undefined) {
      const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
      process.stderr.write(`The web app is built (${seconds} s).\n`);
    }
  } catch (error) {
    if (ending.signal.aborted) return;
    const reason = error instanceof WebBuildError ? error.message : String(error);
    process.stderr.write(`${reason}\n\nThe web app could not be built. The server starts without it.\n`);
  } finally {
    for (const signal of signals) process.removeListener(signal, end);
  }
}

// Tests import this file.
if (process.argv[1] === import.meta.filename) await start(join(import.meta.dirname, '..'), process.argv.slice(2));
