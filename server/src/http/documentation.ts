/** The interface's documentation: the OpenAPI document for programs, and a page that shows it to people. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { Endpoint } from '@heddle/api/contract.ts';
import { openApiDocument } from '@heddle/api/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { apiPrefix } from './paths.ts';

/** Where the page is. */
const documentationPath = '/api/docs/';

/** The files of swagger-ui that the page loads; its package has many more. */
const assets = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']);

const page = `<!doctype html>
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

/** Everything is ours; swagger-ui draws its icons from data. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface DocumentationOptions {
  readonly endpoints: readonly Endpoint[];
  /** Where clients reach the server. */
  readonly url: string | undefined;
  readonly version: string;
}

/** Serves `GET /api/v1/openapi.json` and the page at `/api/docs/`. */
export async function serveDocumentation(app: FastifyInstance, options: DocumentationOptions): Promise<void> {
  let document: string | undefined;
  // The address that the server prints is the first that people open.
  app.get('/', (_, reply) => reply.redirect(documentationPath));

  app.get(`${apiPrefix}/openapi.json`, (_, reply) => {
    const { endpoints, url, version } = options;
    document ??= JSON.stringify(openApiDocument(endpoints, { version, ...(url === undefined ? {} : { url }) }));
    return reply.header('content-type', 'application/json').send(document);
  });

  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) => {
      reply.header('content-security-policy', contentSecurityPolicy);
      reply.header('cache-control', 'no-cache');
    });
    scope.get(documentationPath.slice(0, -1), (_, reply) => reply.redirect(documentationPath));
    scope.get(documentationPath, (_, reply) => reply.header('content-type', 'text/html; charset=utf-8').send(page));
    scope.get(`${documentationPath}start.js`, (_, reply) =>
      reply.header('content-type', 'text/javascript; charset=utf-8').send(start),
    );
    await scope.register(fastifyStatic, {
      root: dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
      prefix: `${documentationPath}assets/`,
      decorateReply: false,
      index: false,
      cacheControl: false,
      allowedPath: (path) => assets.has(path),
    });
  });
}
