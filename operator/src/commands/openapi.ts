import { SERVER_VERSION } from '@heddle/server/version.ts';
import { defineCommand } from './command.ts';

export const openApiCommand = defineCommand({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the API',
  details: 'The same as GET /api/v1/openapi.json, without a server or a database.',
  options: {},
  async run(_values, { config }) {
    const { allEndpoints } = await import('@heddle/api/all-endpoints.ts');
    const { openApiDocument } = await import('@heddle/api/openapi.ts');
    const { url } = config;
    const document = openApiDocument(await allEndpoints(), { version: SERVER_VERSION, ...(url !== null && { url }) });
    return { text: JSON.stringify(document, undefined, 2), json: document };
  },
});
