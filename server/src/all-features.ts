import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importAll } from '@heddle/api/import-all.ts';
import type { AnyPart } from './directory/part.ts';
import type { Feature, FoundFeature } from './extension/feature.ts';

/** Every feature of the domain and above it, in the order of their folders. A new folder needs no entry in any list. */
export const features: readonly FoundFeature[] = await findFeatures();

/** The parts of all features in the directory. */
export const directoryParts: readonly AnyPart[] = features.flatMap((feature) => feature.directory ?? []);

async function findFeatures(): Promise<readonly FoundFeature[]> {
  const paths = await Array.fromAsync(glob('{domain/{*,*/*},features/*}/index.{ts,js}', { cwd: import.meta.dirname }));
  const sorted = paths.toSorted();
  const modules = await importAll<Feature>(sorted.map((path) => pathToFileURL(join(import.meta.dirname, path)).href));
  return modules.map((exported, index) => featureOf(sorted[index] ?? '', exported));
}

function featureOf(path: string, exported: Readonly<Record<string, Feature>>): FoundFeature {
  const [feature, ...others] = Object.values(exported);
  if (feature === undefined || others.length > 0) throw new Error(`${path} must export one feature`);
  return { ...feature, folder: dirname(path) };
}
