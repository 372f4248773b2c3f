/** Builds the gallery of the components and serves it with the app's policy, for tests in a browser. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build, type Rolldown } from 'vite';

const GALLERY = join(import.meta.dirname, '../../src/gallery');

/** As strict as the app's. `gallery` is the policy of trusted types of the page with the sample message. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types gallery";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export interface GalleryServer {
  /** The address of a page, for example `?page=frame&theme=dark`. */
  url(query: string): string;
  stop(): Promise<void>;
}

/** Starts a server on a free port. The build stays in memory and takes about two seconds. */
export async function startGallery(): Promise<GalleryServer> {
  const result = await build({
    configFile: join(GALLERY, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false, reportCompressedSize: false },
  });
  const { output } = result as Rolldown.RolldownOutput;
  const files = new Map(output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    const path = pathname === '/' ? '/index.html' : pathname;
    const file = files.get(path);
    if (file === undefined) {
      // Browsers ask for an icon. It is no error that there is none.
      response.writeHead(204).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': TYPES[extname(path)] ?? '', 'content-security-policy': POLICY })
      .end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (query) => `http://127.0.0.1:${port}/${query}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
