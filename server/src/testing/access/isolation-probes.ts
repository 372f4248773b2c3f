import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { IsolationProbes } from '../../extension/isolation-probes.ts';

const source = join(import.meta.dirname, '..', '..');

/** The exports of each feature's `isolation-probes.ts`, by the path of its folder, such as `features/drafts`. */
export async function probesByFolder(): Promise<ReadonlyMap<string, IsolationProbes>> {
  const paths = await Array.fromAsync(glob('{domain/{*,*/*},features/*}/isolation-probes.ts', { cwd: source }));
  const loaded = paths.toSorted().map(async (path) => {
    const { isolationProbes }: { isolationProbes?: IsolationProbes } = await import(
      pathToFileURL(join(source, path)).href
    );
    if (isolationProbes === undefined) throw new Error(`${path} does not export isolationProbes`);
    return [dirname(path), isolationProbes] as const;
  });
  return new Map(await Promise.all(loaded));
}
