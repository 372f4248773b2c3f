import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Attempts } from '../extension/attempts.ts';

const source = join(import.meta.dirname, '..');

/** What each feature's `attempts.ts` exports, by the path of its folder, such as `features/drafts`. */
export async function attemptsByFolder(): Promise<ReadonlyMap<string, Attempts>> {
  const paths = await Array.fromAsync(glob('*/*/attempts.ts', { cwd: source }));
  const loaded = paths.toSorted().map(async (path) => {
    const { attempts }: { attempts?: Attempts } = await import(pathToFileURL(join(source, path)).href);
    if (attempts === undefined) throw new Error(`${path} does not export attempts`);
    return [dirname(path), attempts] as const;
  });
  return new Map(await Promise.all(loaded));
}
