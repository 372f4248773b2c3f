/** Finds the integrations by their folders. A new folder needs no entry in any list. */
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resourceNotFound } from '@heddle/api/errors.ts';
import { importAll } from '@heddle/api/import-all.ts';
import type { Integration } from './integration.ts';

/** All integrations, in the order of their titles. */
export const INTEGRATIONS: readonly Integration[] = await findIntegrations();

const BY_NAME: ReadonlyMap<string, Integration> = byName(INTEGRATIONS);

export function integrationNamed(name: string): Integration | undefined {
  return BY_NAME.get(name);
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function neededIntegration(name: string): Integration {
  const integration = integrationNamed(name);
  if (integration === undefined) throw resourceNotFound(`No integration is called '${name}'`);
  return integration;
}

async function findIntegrations(): Promise<readonly Integration[]> {
  const paths = (await Array.fromAsync(glob('integrations/*/index.{ts,js}', { cwd: import.meta.dirname }))).toSorted();
  const urls = paths.map((path) => pathToFileURL(join(import.meta.dirname, path)).href);
  const found = (await importAll<Integration>(urls)).map((exported, index) => {
    const [integration, ...others] = Object.values(exported);
    if (integration === undefined || others.length > 0) throw new Error(`${paths[index]} must export one integration`);
    return integration;
  });
  return found.toSorted((one, other) => one.title.localeCompare(other.title, 'en'));
}

function byName(integrations: readonly Integration[]): ReadonlyMap<string, Integration> {
  const found = new Map<string, Integration>();
  for (const integration of integrations) {
    for (const name of [integration.name, ...(integration.otherNames ?? [])]) {
      if (found.has(name)) throw new Error(`two integrations are called ${name}`);
      found.set(name, integration);
    }
  }
  return found;
}
