/**
 * Puts a backup into an empty database and a data directory without a secret. The database is filled in one transaction, after everything
 * else: a restore that was killed leaves an empty database, and can begin again.
 */
import { createReadStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { appliedMigrations, knowsMigration, migrate } from '@heddle/server/db/migrate.ts';
import { openPool } from '@heddle/server/db/pool.ts';
import { MIGRATION_TIMEOUTS } from '@heddle/server/db/timeouts.ts';
import { storeSecret } from '@heddle/server/secret.ts';
import type { Storage } from '@heddle/server/storage/storage.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams'; // wire name: the package is called so
import type { Logger } from 'pino';
import { checksumOf, verify } from './checked-file.ts';
import {
  type BackedUpFile,
  BackupError,
  BackupPlaces,
  filesOf,
  MAX_CONCURRENT_COPIES,
  type Manifest,
  readManifest,
  type TableBackup,
} from './manifest.ts';
import { copyTarget, digestOf, openBackupConnection, readTables } from './tables.ts';

export interface RestoreTarget {
  readonly connection: ConnectionSettings;
  readonly storage: Storage;
  readonly dataDirectory: string;
  readonly log: Logger;
}

/** @throws BackupError, SecretError; then the database is as empty as before */
export async function restoreBackup(target: RestoreTarget, directory: string): Promise<Manifest> {
  const { connection, storage, dataDirectory, log } = target;
  const places = new BackupPlaces(directory);
  const manifest = await readManifest(places);
  if (!knowsMigration(manifest.migration)) {
    throw new BackupError(
      `This backup needs Heddle ${manifest.heddle} or newer, but this is Heddle ${HEDDLE_VERSION}.`,
    );
  }
  await verifyBackup(places, manifest);
  await mkdir(dataDirectory, { recursive: true });
  await storeSecret(dataDirectory, await readFile(places.secret, 'utf8'));
  await prepareDatabase(connection, log, manifest.migration);
  await restoreFiles(storage, places);
  await fillDatabase(connection, places, manifest);
  return manifest;
}

/** Before anything is changed. */
async function verifyBackup(places: BackupPlaces, { tables, secret, fileList }: Manifest): Promise<void> {
  await verify(places.secret, secret);
  for (const table of tables) await verify(places.table(table.name), table);
  await verify(places.fileList, fileList);
  for await (const { key, size, sha256 } of filesOf(places)) {
    if (sha256 !== null) await verify(places.file(key), { bytes: size, sha256 });
  }
}

/** Brings an empty database to the version of the backup. */
async function prepareDatabase(connection: ConnectionSettings, log: Logger, migration: string): Promise<void> {
  const { db, close } = openPool(connection, log, { size: 1, timeouts: MIGRATION_TIMEOUTS, name: 'heddle migration' });
  try {
    const { rows: others } = await sql`
      SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'heddle%'`.execute(db);
    if (others.length > 0) throw new BackupError('A server is running on this database. Stop it first.');
    const applied = await appliedMigrations(db);
    if (applied.some((name) => name > migration)) throw notEmpty();
    const { rows: tables } = await sql`
      SELECT FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace
      LIMIT 1`.execute(db);
    if (applied.length === 0 && tables.length > 0) throw notEmpty();
    await migrate(db, log, migration);
  } finally {
    await close();
  }
}

function notEmpty(): BackupError {
  return new BackupError('The database is not empty. Restore a backup into an empty database.');
}

async function restoreFiles(storage: Storage, places: BackupPlaces): Promise<void> {
  const restored = Readable.from(filesOf(places)).map((file: BackedUpFile) => restoreFile(storage, places, file), {
    concurrency: MAX_CONCURRENT_COPIES,
  });
  for await (const _ of restored);
}

async function restoreFile(storage: Storage, places: BackupPlaces, { key, size, sha256 }: BackedUpFile): Promise<void> {
  if (sha256 === null) return;
  await storage.put(key, createReadStream(places.file(key))).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    // Keys are random: only an earlier attempt can have left it, perhaps half of it.
    await storage.remove(key);
    await storage.put(key, createReadStream(places.file(key)));
  });
  const content = size === 0 ? Readable.from([]) : await storage.get(key, { start: 0, end: size - 1 });
  const found = await checksumOf(content);
  if (found.sha256 !== sha256) throw new BackupError(`The storage returns the file ${key} with other content.`);
}

/** A row says which process runs where. Those of the backup ran before it. */
const ABOUT_PROCESSES = new Set(['server_processes']);
/** What servers write about themselves. A start that was refused can leave it in an empty database. */
const ABOUT_SERVERS = new Set(['server_facts', ...ABOUT_PROCESSES]);

async function fillDatabase(connection: ConnectionSettings, places: BackupPlaces, manifest: Manifest): Promise<void> {
  const client = await openBackupConnection(connection);
  try {
    await client.query('BEGIN');
    const shapes = await readTables(client);
    await client.query(`LOCK TABLE ${shapes.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
    for (const { name } of shapes) {
      if (!ABOUT_SERVERS.has(name) && (await hasRows(client, name))) throw notEmpty();
    }
    const forget = async (names: ReadonlySet<string>): Promise<void> => {
      for (const { name } of shapes)
        if (names.has(name)) await client.query(`DELETE FROM ${pg.escapeIdentifier(name)}`);
    };
    await forget(ABOUT_SERVERS);
    const restoreChecks = await suspendChecks(client, shapes);
    for (const table of manifest.tables) await fillTable(client, places, table);
    await restoreChecks();
    for (const [name, last] of Object.entries(manifest.sequences)) {
      await client.query('SELECT setval($1::regclass, $2)', [pg.escapeIdentifier(name), last]);
    }
    await beginNewEpochs(client);
    await forget(ABOUT_PROCESSES);
    await client.query('COMMIT');
    await client.query(`ANALYZE ${shapes.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function hasRows(client: pg.Client, table: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(table)} LIMIT 1`);
  return rowCount !== 0;
}

async function fillTable(client: pg.Client, places: BackupPlaces, table: TableBackup): Promise<void> {
  const target = client.query(copyFrom(`COPY ${copyTarget(table)} FROM STDIN (FORMAT binary)`));
  await pipeline(createReadStream(places.table(table.name)), target);
  const { rows, digest } = await digestOf(client, table);
  if (rows === table.rows && digest === table.digest) return;
  throw new BackupError(
    `The table ${table.name} has ${rows} rows after the restore, which differ from the ${table.rows} rows of the backup.`,
  );
}

/**
 * Takes foreign keys away and switches triggers off while rows come in the order of the tables' names. What this returns brings them back:
 * PostgreSQL then checks each foreign key against all rows.
 */
async function suspendChecks(
  client: pg.Client,
  shapes: readonly { readonly name: string }[],
): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT relname AS table, conname AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`);
  const tables = shapes.map(({ name }) => pg.escapeIdentifier(name));
  for (const { table, name } of keys) {
    await client.query(`ALTER TABLE ${pg.escapeIdentifier(table)} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  }
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return async () => {
    for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of keys) {
      const [on, constraint] = [pg.escapeIdentifier(table), pg.escapeIdentifier(name)];
      await client.query(`ALTER TABLE ${on} ADD CONSTRAINT ${constraint} ${definition}`);
    }
  };
}

/**
 * The ids of the log go back to those of the backup, so every queue belongs to another epoch. The store may be a new one. Uploads that were unfinished are not in the
 * backup: their programs begin again.
 */
async function beginNewEpochs(client: pg.Client): Promise<void> {
  await client.query(`
    UPDATE logs SET epoch = gen_random_uuid();
    DELETE FROM server_facts WHERE key IN ('cluster_identity', 'database_identity', 'store_marker');
    DELETE FROM resumable_uploads`);
}
