/** Builds the service worker of the app: one script, which contains the list of the files of its build. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** Scripts, styles, and the font of most texts. */
const NEEDED = /\.(?:js|css)$|^inter-latin-wght-normal-.*\.woff2$|\.svg$/;

/** Whether the worker loads a file when it is installed. A browser loads the other files when it needs them, and the worker keeps them then. */
export function isNeeded(file: string): boolean {
  return NEEDED.test(file);
}

/**
 * @param name of the build
 * @param files names of all files of the build
 * @returns undefined if the sources have no worker
 */
export async function builtWorker(root: string, name: string, files: readonly string[]): Promise<string | undefined> {
  const entry = join(root, 'web', 'worker', 'worker.ts');
  if (!existsSync(entry)) return undefined;
  const needed = files.filter(isNeeded).sort();
  const others = files.filter((file) => !isNeeded(file)).sort();
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: { BUILD_OF_WORKER: JSON.stringify({ name, needed, others }) },
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: 'worker.js' } },
    },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('the worker has no output');
  return output.output[0].code;
}
