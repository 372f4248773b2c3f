/**
 * Makes a backup while the server runs. The order of these steps makes it consistent.
 *
 * 1. It acquires a lock, so that the server removes no files (`storage/leftovers.ts`).
 * 2. It copies all tables from one snapshot, with the list of the files that they name.
 * 3. It copies those files. A file never changes, and none of them is removed before the lock is released.
 *
 * It is written to `DIR.partial` and renamed when all of it was read back.
 */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { checkFingerprint } from '@heddle/server/secret.ts';
import { KEEP_FILES } from '@heddle/server/storage/leftovers.ts';
import { isMissing, type Storage } from '@heddle/server/storage/storage.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { syncDirectory, verify, writeChecked } from './checked-file.ts';
import {
  type BackedUpFile,
  BackupError,
  BackupPlaces,
  type CheckedFile,
  filesOf,
  MAX_CONCURRENT_COPIES,
  type Manifest,
  newManifest,
  type TableBackup,
} from './manifest.ts';
import { copyTarget, digestOf, openBackupConnection, readSequences, readTables, type TableShape } from './tables.ts';

export interface BackupSource {
  readonly connection: ConnectionSettings;
  readonly storage: Storage;
  readonly dataDirectory: string;
}

/**
 * @param directory must not exist; its parent must
 * @throws BackupError, SecretError
 */
export async function writeBackup(source: BackupSource, directory: string): Promise<Manifest> {
  if (await exists(directory))
    throw new BackupError(`${directory} already exists. Choose a directory that does not exist.`);
  const places = new BackupPlaces(`${directory}.partial`);
  await begin(places, directory);
  try {
    const manifest = await fill(source, places);
    await writeChecked(places.manifest, [Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)]);
    await syncDirectory(places.root);
    await rename(places.root, directory);
    await syncDirectory(dirname(directory));
    return manifest;
  } catch (error) {
    await rm(places.root, { recursive: true, force: true });
    throw error;
  }
}

async function begin(places: BackupPlaces, directory: string): Promise<void> {
  try {
    await mkdir(places.root, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') {
      throw new BackupError(
        `${places.root} already exists. Another backup is running, or was interrupted. If none is running, remove that directory.`,
      );
    }
    if (code === 'ENOENT')
      throw new BackupError(`The directory ${dirname(directory)} does not exist. Create it first.`);
    throw error;
  }
  await mkdir(places.database, { mode: 0o700 });
}

async function fill({ connection, storage, dataDirectory }: BackupSource, places: BackupPlaces): Promise<Manifest> {
  const client = await openBackupConnection(connection);
  try {
    await client.query(`SELECT pg_advisory_lock_shared(${KEEP_FILES})`);
    const database = await copyDatabase(client, places, dataDirectory);
    const files = await copyFiles(storage, places);
    // Had the connection broken meanwhile, so would have the lock.
    await client.query('SELECT 1');
    await rm(listOfKeys(places));
    await readBack(places, database.tables, files.fileList);
    return newManifest({ ...database, ...files, createdAt: new Date().toISOString() });
  } finally {
    await client.end().catch(() => undefined);
  }
}

type DatabasePart = Pick<Manifest, 'heddle' | 'migration' | 'tables' | 'sequences' | 'secret'>;

/** All tables in one snapshot. Sequences know no snapshot: they are read last, and are never behind the tables. */
async function copyDatabase(client: pg.Client, places: BackupPlaces, dataDirectory: string): Promise<DatabasePart> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const shapes = await readTables(client);
  if (!shapes.some(({ name }) => name === 'server_facts')) {
    throw new BackupError('The database is empty, so there is nothing to back up.');
  }
  const facts = await readFacts(client);
  const secret = await copySecret(places, dataDirectory, facts.fingerprint);
  const tables: TableBackup[] = [];
  for (const shape of shapes) {
    const content = client.query(copyTo(`COPY ${copyTarget(shape)} TO STDOUT (FORMAT binary)`));
    const written = await writeChecked(places.table(shape.name), content);
    tables.push({ ...shape, ...(await digestOf(client, shape)), ...written });
  }
  await writeChecked(listOfKeys(places), client.query(copyTo(listAllKeys(shapes))));
  const sequences = await readSequences(client);
  await client.query('COMMIT');
  return { heddle: facts.version ?? HEDDLE_VERSION, migration: facts.migration, tables, sequences, secret };
}

async function readFacts(client: pg.Client) {
  const { rows } = await client.query<{ migration: string; version: string | null; fingerprint: string | null }>(`
    SELECT (SELECT max(name) FROM kysely_migration) AS migration,
           (SELECT value FROM server_facts WHERE key = 'heddle_version') AS version,
           (SELECT value FROM server_facts WHERE key = 'secret_fingerprint') AS fingerprint`);
  const [facts] = rows;
  if (facts === undefined) throw new Error('no answer');
  return facts;
}

async function copySecret(places: BackupPlaces, dataDirectory: string, known: string | null): Promise<CheckedFile> {
  const path = join(dataDirectory, 'secret');
  const secret = await readFile(path).catch((error: unknown) => {
    throw new BackupError(`Cannot read the server's secret ${path}. A backup is useless without it.`, {
      cause: error,
    });
  });
  checkFingerprint(Buffer.from(secret.toString().trim(), 'hex'), known);
  return writeChecked(places.secret, [secret]);
}

/** What the database names: the files of all tables with these columns, and the smaller pictures that were drawn of uploaded ones. */
function listAllKeys(shapes: readonly TableShape[]): string {
  const tables = shapes.filter(({ columns }) => columns.includes('storage_key') && columns.includes('size'));
  const named = tables.map(
    ({ name }) => `SELECT storage_key, size FROM ${name} WHERE storage_key IS NOT NULL AND size IS NOT NULL`,
  );
  return `
    COPY (${named.join(' UNION ')}
           UNION
          SELECT thumbnail->>'key', (thumbnail->>'size')::bigint
            FROM attachments, jsonb_array_elements(nullif(picture->'thumbnails', 'null')) AS thumbnail) TO STDOUT`;
}

function listOfKeys(places: BackupPlaces): string {
  return join(places.root, 'keys');
}

type FilesPart = Pick<Manifest, 'files' | 'fileBytes' | 'missingFiles' | 'fileList'>;

async function copyFiles(storage: Storage, places: BackupPlaces): Promise<FilesPart> {
  const count = { files: 0, fileBytes: 0, missingFiles: 0 };
  const made = new Set<string>();
  const copy = async (line: string): Promise<Buffer> => {
    const [key = '', size = ''] = line.split('\t');
    const directory = places.fileDirectory(key);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    made.add(directory);
    const file: BackedUpFile = await copyFile(storage, places, key, Number(size));
    if (file.sha256 === null) count.missingFiles += 1;
    else {
      count.files += 1;
      count.fileBytes += file.size;
    }
    return Buffer.from(`${JSON.stringify(file)}\n`);
  };
  const lines = Readable.from(createInterface({ input: createReadStream(listOfKeys(places)) }));
  const fileList = await writeChecked(places.fileList, lines.map(copy, { concurrency: MAX_CONCURRENT_COPIES }));
  for (const directory of [...made, ...(made.size > 0 ? [join(places.root, 'files')] : []), places.database]) {
    await syncDirectory(directory);
  }
  return { ...count, fileList };
}

/** A file that the storage has lost is noted as missing: it must not keep the operator from a backup of the others. */
async function copyFile(storage: Storage, places: BackupPlaces, key: string, size: number): Promise<BackedUpFile> {
  try {
    const content = size === 0 ? Readable.from([]) : await storage.get(key, { start: 0, end: size - 1 });
    const { bytes, sha256 } = await writeChecked(places.file(key), content);
    if (bytes !== size) throw new BackupError(`The uploaded file ${key} has ${bytes} bytes instead of ${size}.`);
    return { key, size, sha256 };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { key, size, sha256: null };
  }
}

/** Reads everything that was written. */
async function readBack(places: BackupPlaces, tables: readonly TableBackup[], fileList: CheckedFile): Promise<void> {
  for (const table of tables) await verify(places.table(table.name), table);
  await verify(places.fileList, fileList);
  for await (const { key, size, sha256 } of filesOf(places)) {
    if (sha256 !== null) await verify(places.file(key), { bytes: size, sha256 });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
