import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyPart } from './directory/part.ts';
import type { Feature, FoundFeature } from './extension/feature.ts';

/** Every feature of the domain and above it, in the order of their folders. A new folder needs no entry in any list. */
export const features: readonly FoundFeature[] = await findFeatures();

/** The parts of all features in the directory. */
export const directoryParts: readonly AnyPart[] = features.flatMap((feature) => feature.directory ?? []);

async function findFeatures(): Promise<readonly FoundFeature[]> {
  const paths = await Array.fromAsync(glob('{domain,features}/*/index.{ts,js}', { cwd: import.meta.dirname }));
  return Promise.all(paths.toSorted().map(loadFeature));
}

async function loadFeature(path: string): Promise<FoundFeature> {
  const exported: object = await import(pathToFileURL(join(import.meta.dirname, path)).href);
  const [feature, ...others]: readonly Feature[] = Object.values(exported);
  if (feature === undefined || others.length > 0) throw new Error(`${path} must export one feature`);
  return { ...feature, folder: dirname(path) };
}
