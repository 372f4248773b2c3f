import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';

const FOLDER = new URL('0001-initial/', import.meta.url);

/** Creates the first tables of 0.2.0; the other migrations follow. It runs the SQL files in the folder `0001-initial`, in the order of their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  for (const file of files) await sql.raw(await readFile(new URL(file, FOLDER), 'utf8')).execute(db);
}
