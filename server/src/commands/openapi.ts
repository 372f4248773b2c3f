import { readdir } from 'node:fs/promises';
import type { Endpoint } from '@heddle/api/contract.ts';
import { openApiDocument } from '@heddle/api/openapi.ts';
import { SERVER_VERSION } from '../version.ts';
import { defineCommand } from './command.ts';

export const openApiCommand = defineCommand({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the API',
  details: 'The same as GET /api/v1/openapi.json, without a server or a database.',
  options: {},
  async run(_values, { config }) {
    const { url } = config;
    const document = openApiDocument(await endpoints(), { version: SERVER_VERSION, ...(url !== null && { url }) });
    return { text: JSON.stringify(document, undefined, 2), json: document };
  },
});

/** Every endpoint that the contract defines, file by file. */
async function endpoints(): Promise<readonly Endpoint[]> {
  const directory = new URL('endpoints/', import.meta.resolve('@heddle/api/contract.ts'));
  const files = (await readdir(directory)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules: object[] = await Promise.all(files.sort().map((file) => import(new URL(file, directory).href)));
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'path' in value;
}
