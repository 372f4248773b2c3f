/** The next release: a copy of this server and its commands, with one migration more. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..', '..');

export const NEXT_VERSION = '9.9.9';
export const NEXT_MIGRATION = '9999-next-release';

/** Copies the server and its commands to a directory, as the next version with the migration. Returns the program. */
export async function nextRelease(directory: string, migration: string): Promise<string> {
  const copied = ['operator', 'server'];
  for (const workspace of copied) {
    await cp(join(root, workspace, 'src'), join(directory, workspace, 'src'), { recursive: true });
    await cp(join(root, workspace, 'package.json'), join(directory, workspace, 'package.json'));
    // npm puts packages of which there are two versions into the workspace.
    const modules = join(workspace, 'node_modules');
    if (existsSync(join(root, modules))) await symlink(join(root, modules), join(directory, modules));
  }
  // The copies import each other by the names of their packages.
  const modules = join(directory, 'node_modules');
  await mkdir(join(modules, '@heddle'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@heddle') await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of ['api', 'embedded-postgres', ...copied]) {
    await symlink(join(copied.includes(name) ? directory : root, name), join(modules, '@heddle', name));
  }
  const source = join(directory, 'server', 'src');
  await writeFile(join(source, 'db', 'migrations', `${NEXT_MIGRATION}.ts`), migration);
  const version = join(source, 'version.ts');
  const text = await readFile(version, 'utf8');
  await writeFile(version, text.replace(/HEDDLE_VERSION = '[^']+'/, `HEDDLE_VERSION = '${NEXT_VERSION}'`));
  return join(directory, 'operator', 'src', 'main.ts');
}
