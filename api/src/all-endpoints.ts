import { readdir } from 'node:fs/promises';
import type { Endpoint } from './contract.ts';
import { importAll } from './import-all.ts';

/** All endpoints of the contract, ordered by file. */
export async function allEndpoints(): Promise<readonly Endpoint[]> {
  const directory = new URL('endpoints/', import.meta.url);
  const files = (await readdir(directory)).filter((file) => /(?<!\.test)\.[jt]s$/.test(file));
  const modules = await importAll(files.sort().map((file) => new URL(file, directory).href));
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'path' in value;
}
