/** The tables as PostgreSQL's catalog describes them: a backup needs no list of its own, and fits every version of the schema. */

import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { DatabaseClient } from '@heddle/server/db/database-client.ts';
import { BACKGROUND_TIMEOUT_MS, BACKUP_TIMEOUTS } from '@heddle/server/db/timeouts.ts';
import pg from 'pg';
import type { TableBackup } from './manifest.ts';

/** Kysely writes these itself when a database is migrated. */
const OF_MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

const APPLICATION = 'heddle backup';

export type TableShape = Pick<TableBackup, 'name' | 'columns'>;

/** A connection whose settings decide how values look as text: a digest is the same wherever it is made. */
export async function openBackupConnection(settings: ConnectionSettings, name = APPLICATION): Promise<pg.Client> {
  const client = new DatabaseClient({
    ...settings,
    application_name: name,
    connectionTimeoutMillis: BACKGROUND_TIMEOUT_MS,
  });
  // A broken connection makes the next statement fail.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`
    SET statement_timeout = ${BACKUP_TIMEOUTS.statement};
    SET lock_timeout = ${BACKUP_TIMEOUTS.lock};
    SET idle_in_transaction_session_timeout = ${BACKUP_TIMEOUTS.pause};
    SET client_encoding = 'UTF8';
    SET TimeZone = 'UTC';
    SET DateStyle = 'ISO';
    SET IntervalStyle = 'postgres';
    SET bytea_output = 'hex';
    SET extra_float_digits = 1;
    SET jit = off`);
  return client;
}

/** All tables of Heddle's, with the columns that are written: PostgreSQL computes the others. */
export async function readTables(client: pg.Client): Promise<readonly TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attgenerated = '' AND relname <> ALL ($1)
      GROUP BY relname ORDER BY relname`,
    [OF_MIGRATIONS],
  );
  return rows;
}

/** How many rows a table has, and a digest of them: the sum of a hash of each, so their order does not matter. */
export async function digestOf(
  client: pg.Client,
  { name, columns }: TableShape,
): Promise<Pick<TableBackup, 'rows' | 'digest'>> {
  const { rows } = await client.query<{ rows: string; digest: string }>(`
    SELECT count(*) AS rows,
           coalesce(sum(('x' || left(md5(ROW(${names(columns)})::text), 15))::bit(60)::bigint), 0)::text AS digest
      FROM ${client.escapeIdentifier(name)}`);
  return { rows: Number(rows[0]?.rows), digest: rows[0]?.digest ?? '' };
}

/** A table with its columns, as `COPY` takes it. */
export function copyTarget({ name, columns }: TableShape): string {
  return `${pg.escapeIdentifier(name)} (${names(columns)})`;
}

function names(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}

/** The last value of each sequence that has given one out. As text: a sequence may go beyond what JavaScript counts exactly. */
export async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last
       FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
