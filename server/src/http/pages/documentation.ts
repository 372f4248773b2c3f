/** The documentation of the API: the OpenAPI document for programs, and a page that shows it to people. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPrefix, type Endpoint } from '@heddle/api/contract.ts';
import { openApiDocument } from '@heddle/api/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { page, redirect } from '../answers/answers.ts';
import { queryOf } from '../bodies/bodies.ts';
import { sendPage, sendRedirect } from './serve-page.ts';
import { StaticAsset } from './static-asset.ts';

/** The path of the page. */
const documentationPath = '/api/docs/';

const packageDirectory = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

/** The files of swagger-ui that the page loads, by type. The package contains many more. */
const packageFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** It runs before the browser shows anything, so the page does not flash white in dark mode. The class belongs to swagger-ui. */
const theme = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
`;

const start = `SwaggerUIBundle({ url: '../v1/openapi.json', dom_id: '#documentation', deepLinking: true, docExpansion: 'none' });
`;

/** The style that swagger-ui leaves to the page around it. */
const style = `html { color-scheme: light; background: #fff; }
html.dark-mode { color-scheme: dark; background: #1c2022; }
body { margin: 0; }
`;

/** An address that contains a version never changes its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers keep it and ask each time whether it has changed. */
const ASK = 'no-cache';

export interface DocumentationOptions {
  readonly endpoints: readonly Endpoint[];
  /** The address under which clients reach the server. */
  readonly url: string | undefined;
  readonly version: string;
}

/** Serves `GET /api/v1/openapi.json` and the page at `/api/docs/`. */
export function serveDocumentation(app: FastifyInstance, options: DocumentationOptions): void {
  app.get(documentationPath.slice(0, -1), (_, reply) => sendRedirect(reply, redirect(documentationPath)));

  const { endpoints, url, version } = options;
  const document = new StaticAsset('application/json', () =>
    Buffer.from(JSON.stringify(openApiDocument(endpoints, { version, ...(url === undefined ? {} : { url }) }))),
  );
  const method = ['GET', 'HEAD'];
  app.route({
    method,
    url: `${apiPrefix}/openapi.json`,
    handler: (request, reply) => document.send(request, reply, ASK),
  });

  const files = [...ownFiles(), ...filesOfPackage()];
  const html = htmlWith(Object.fromEntries(files.map((file) => [file.path, `${file.path}?v=${file.version}`])));
  app.get(documentationPath, (_, reply) => sendPage(reply, page(html, { hasScripts: true, cacheControl: ASK })));
  for (const { path, version: current, asset } of files) {
    app.route({
      method,
      url: documentationPath + path,
      handler: (request, reply) => {
        const isVersioned = queryOf(request.raw.url ?? '').v === current;
        return asset.send(request, reply, isVersioned ? IMMUTABLE : ASK);
      },
    });
  }
}

/** A file that the page loads. */
interface PageFile {
  readonly path: string;
  /** Changes with the content. */
  readonly version: string;
  readonly asset: StaticAsset;
}

function ownFiles(): PageFile[] {
  const own = { 'theme.js': theme, 'start.js': start, 'style.css': style };
  return Object.entries(own).map(([path, content]) => {
    const contentType = path.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
    const version = hash('sha256', content).slice(0, 12);
    return { path, version, asset: new StaticAsset(contentType, () => Buffer.from(content)) };
  });
}

function filesOfPackage(): PageFile[] {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  return Object.entries(packageFiles).map(([name, contentType]) => {
    const load = () => readFile(join(packageDirectory, name));
    return {
      path: `assets/${name}`,
      version,
      asset: new StaticAsset(contentType, load, !contentType.startsWith('image/')),
    };
  });
}

/** @param addresses the addresses of the page's files, by their paths */
function htmlWith(addresses: Readonly<Record<string, string>>): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Heddle: API documentation</title>
    <link rel="icon" href="${addresses['assets/favicon-32x32.png']}">
    <script src="${addresses['theme.js']}"></script>
    <link rel="stylesheet" href="${addresses['style.css']}">
    <link rel="stylesheet" href="${addresses['assets/swagger-ui.css']}">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="${addresses['assets/swagger-ui-bundle.js']}"></script>
    <script src="${addresses['start.js']}"></script>
  </body>
</html>
`;
}
