/** The published form of `@heddle/client`: JavaScript with declarations, and its own package.json. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const client = join(root, 'client');

/**
 * Writes the package to a directory, which it replaces. The workspace itself has no build: it exports its sources.
 *
 * @throws Error if the sources do not compile
 */
export async function buildClient(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const args = ['--project', join(client, 'tsconfig.build.json'), '--outDir', directory];
  const child = spawn(tsc, args, { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the client does not compile');
  const { name, version, description, license, type } = JSON.parse(
    await readFile(join(client, 'package.json'), 'utf8'),
  );
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
  };
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(join(client, 'README.md'), join(directory, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(directory, 'LICENSE'));
}
