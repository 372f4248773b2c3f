/**
 * Builds the web app into a directory: `build-web.ts ROOT DIRECTORY`. Call `ensureWebBuild` (`web-build/ensure.ts`), which starts this only if
 * sources have changed. It writes each file of the app without a coding and compressed, the page, a list of all files, and the service worker.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { WebBuildFile, WebBuildRecord } from '@heddle/server/features/web-app/build-record.ts';
import { build, type Rolldown } from 'vite';
import { isRunning } from './web-build/ensure.ts';
import { iconsOf, screenshotsOf } from './web-build/icons.ts';
import { builtWorker } from './web-build/worker.ts';

/** Smaller files are not worth a coding. */
const MIN_COMPRESSED_BYTES = 512;

/** Old builds stay for tabs that were opened before an upgrade and load a part of the app later. */
const MAX_KEPT_BUILDS = 4;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  woff: 'font/woff',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  wasm: 'application/wasm',
};
const COMPRESSIBLE = new Set(['js', 'css', 'json', 'svg', 'wasm']);

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

async function main(root: string, directory: string): Promise<void> {
  const builds = dirname(directory);
  const temporary = join(builds, `.building-${basename(directory)}-${process.pid}`);
  await mkdir(join(temporary, 'files'), { recursive: true });
  try {
    const output = await bundled(root);
    const files = await Promise.all(
      output.filter(({ fileName }) => fileName !== 'index.html').map((file) => writeWith(temporary, file)),
    );
    const page = output.find(({ fileName }) => fileName === 'index.html');
    if (page === undefined) throw new Error('the build has no index.html');
    const record: WebBuildRecord = {
      files: Object.fromEntries(files),
      icons: iconsOf(output),
      screenshots: screenshotsOf(output),
    };
    await writeFile(join(temporary, 'index.html'), contentOf(page));
    await writeFile(join(temporary, 'build.json'), JSON.stringify(record, null, 1));
    const worker = await builtWorker(root, basename(directory), Object.keys(record.files));
    if (worker !== undefined) await writeFile(join(temporary, 'worker.js'), worker);
    // Another process may have finished the same build first. Its files are the same.
    if (!existsSync(directory)) renameSync(temporary, directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  removeOldBuilds(builds, basename(directory));
}

type BuiltFile = Rolldown.OutputAsset | Rolldown.OutputChunk;

async function bundled(root: string): Promise<readonly BuiltFile[]> {
  const configFile = join(root, 'web', 'vite.config.ts');
  const built = await build({ configFile, logLevel: 'warn', build: { write: false } });
  const [output, ...others] = [built].flat();
  if (output === undefined || !('output' in output) || others.length > 0) throw new Error('the build has no output');
  return output.output;
}

function contentOf(file: BuiltFile): Buffer {
  return Buffer.from(file.type === 'chunk' ? file.code : file.source);
}

/** Writes the file and its compressed forms. Returns its entry in the list. */
async function writeWith(directory: string, file: BuiltFile): Promise<readonly [string, WebBuildFile]> {
  const { fileName } = file;
  const ending = fileName.split('.').at(-1) ?? '';
  const type = TYPES[ending];
  if (type === undefined || fileName.includes('/')) throw new Error(`${fileName}: the server cannot serve this file`);
  const content = contentOf(file);
  const path = join(directory, 'files', fileName);
  await writeFile(path, content);
  if (!COMPRESSIBLE.has(ending) || content.length < MIN_COMPRESSED_BYTES) {
    return [fileName, { type, size: content.length }];
  }
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_QUALITY } = zlib.constants;
  const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([brotli(content, { params }), gzip(content, { level: 9 })]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  return [fileName, { type, size: content.length, br: br.length, gzip: gz.length }];
}

/** Removes what killed builds left, and all but the newest builds. */
function removeOldBuilds(builds: string, newest: string): void {
  const entries = readdirSync(builds);
  const killed = entries.filter((entry) => {
    const [, pid] = /^\.(?:building-[\da-f]+|current)-(\d+)$/.exec(entry) ?? [];
    return pid !== undefined && !isRunning(Number(pid));
  });
  const old = entries
    .filter((entry) => /^[\da-f]{20}$/.test(entry) && entry !== newest)
    .map((entry) => ({ entry, builtAt: statSync(join(builds, entry)).mtimeMs }))
    .sort((a, b) => b.builtAt - a.builtAt)
    .slice(MAX_KEPT_BUILDS - 1);
  for (const entry of [...killed, ...old.map((one) => one.entry)]) {
    rmSync(join(builds, entry), { recursive: true, force: true });
  }
}

const [root, directory] = process.argv.slice(2);
if (root === undefined || directory === undefined) throw new Error('usage: build-web.ts ROOT DIRECTORY');
await main(root, directory).catch((error: unknown) => {
  // The bundler's message shows the place in the source. Its stack would hide that.
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
