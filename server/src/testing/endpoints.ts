import { readdir } from 'node:fs/promises';
import type { Endpoint } from '@heddle/api/contract.ts';

/** Every endpoint of the contract, file by file. */
export async function allEndpoints(): Promise<readonly Endpoint[]> {
  const directory = new URL('endpoints/', import.meta.resolve('@heddle/api/contract.ts'));
  const files = (await readdir(directory)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules: object[] = await Promise.all(files.sort().map((file) => import(new URL(file, directory).href)));
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'path' in value;
}

/** The path with its parameters filled in from the fields, and the fields that are left. */
export function fillPath(endpoint: Endpoint, fields: Readonly<Record<string, unknown>>) {
  const rest: Record<string, unknown> = { ...fields };
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encode(String(value));
  });
  return { path, rest };
}

/** Halves of surrogate pairs, which are no text, as the bytes that some programs make of them. */
function encode(text: string): string {
  return Array.from(text, (character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join(
    '',
  );
}
