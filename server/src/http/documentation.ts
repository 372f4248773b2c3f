/** The interface's documentation: the OpenAPI document for programs, and a page that shows it to people. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPrefix, type Endpoint } from '@heddle/api/contract.ts';
import { openApiDocument } from '@heddle/api/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { file, page, redirect } from './answers.ts';
import { fileInMemory, fileOnDisk } from './file-sources.ts';
import { sendFile } from './serve-file.ts';
import { sendPage, sendRedirect } from './serve-page.ts';

/** Where the page is. */
const documentationPath = '/api/docs/';

/** The files of swagger-ui that the page loads, by type; its package has many more. */
const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Heddle: the interface</title>
    <link rel="icon" href="assets/favicon-32x32.png">
    <link rel="stylesheet" href="assets/swagger-ui.css">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="assets/swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({ url: '../v1/openapi.json', dom_id: '#documentation', deepLinking: true, docExpansion: 'none' });
`;

/** They change with this server's version only, and are asked about each time. */
const cacheControl = 'no-cache';

export interface DocumentationOptions {
  readonly endpoints: readonly Endpoint[];
  /** Where clients reach the server. */
  readonly url: string | undefined;
  readonly version: string;
}

/** Serves `GET /api/v1/openapi.json` and the page at `/api/docs/`. */
export function serveDocumentation(app: FastifyInstance, options: DocumentationOptions): void {
  let document: string | undefined;
  const directory = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const startFile = fileInMemory(start, 'text/javascript; charset=utf-8');
  app.get(documentationPath.slice(0, -1), (_, reply) => sendRedirect(reply, redirect(documentationPath)));

  app.get(`${apiPrefix}/openapi.json`, (_, reply) => {
    const { endpoints, url, version } = options;
    document ??= JSON.stringify(openApiDocument(endpoints, { version, ...(url === undefined ? {} : { url }) }));
    return reply.header('content-type', 'application/json').send(document);
  });

  app.get(documentationPath, (_, reply) => sendPage(reply, page(html, { hasScripts: true, cacheControl })));
  const method = ['GET', 'HEAD'];
  const shown = { disposition: 'inline', cacheControl } as const;
  app.route({
    method,
    url: `${documentationPath}start.js`,
    handler: async (request, reply) => {
      await sendFile(request, reply, file(startFile, shown));
      return reply;
    },
  });
  for (const [name, contentType] of Object.entries(assets)) {
    app.route({
      method,
      url: `${documentationPath}assets/${name}`,
      handler: async (request, reply) => {
        await sendFile(request, reply, file(await fileOnDisk(join(directory, name), contentType), shown));
        return reply;
      },
    });
  }
}
