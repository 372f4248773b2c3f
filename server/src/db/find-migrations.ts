import { glob } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Migration } from 'kysely/migration';

/** Below `server/src/`: the migrations of the database as a whole, and those of a feature beside its code. */
const FOLDERS = ['db/migrations', '{domain/{*,*/*},features/*}/migrations'];

/** `0076-log-cursors.ts`: the number gives the order. In the npm package the files are JavaScript. */
const FILE_NAME = /^(?<number>\d{4})-(?<words>[a-z0-9]+(-[a-z0-9]+)*)\.[jt]s$/;

/**
 * Finds all migrations by their folders and returns them in one sequence, sorted by name. All folders share the
 * numbers. So if two branches use the same number, the merge fails its tests before any database has run either
 * migration.
 * @param source `server/src/`
 * @throws Error if a file has a bad name, if two files share a number or name, or if a file lacks `up`
 */
export async function findMigrations(source = new URL('../', import.meta.url)): Promise<Record<string, Migration>> {
  const patterns = FOLDERS.map((folder) => `${folder}/*.{ts,js}`);
  const paths = await Array.fromAsync(glob(patterns, { cwd: fileURLToPath(source), exclude: ['**/*.test.ts'] }));
  paths.sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  refuseBadNames(paths);
  const found = await Promise.all(
    paths.map(async (path): Promise<[string, Migration]> => {
      const module: Partial<Migration> = await import(new URL(path, source).href);
      if (typeof module.up !== 'function') throw new Error(`The migration ${path} does not export a function \`up\``);
      return [basename(path, extname(path)), { up: module.up }];
    }),
  );
  return Object.fromEntries(found);
}

function refuseBadNames(paths: readonly string[]): void {
  const taken = new Map<string, string>();
  for (const path of paths) {
    const { number, words } = FILE_NAME.exec(basename(path))?.groups ?? {};
    if (number === undefined || words === undefined) {
      throw new Error(`The migration ${path} must have a name like 0076-log-cursors.ts`);
    }
    for (const [what, value] of Object.entries({ number, name: words })) {
      const other = taken.get(`${what} ${value}`);
      if (other !== undefined) throw new Error(`The migrations ${other} and ${path} have the same ${what}, ${value}`);
      taken.set(`${what} ${value}`, path);
    }
  }
}
