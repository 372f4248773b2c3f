import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';

/**
 * A log's epoch is another one after its ids have gone back, which happens when a backup is restored: the same ids then name other
 * events. A queue belongs to the epoch in which it was registered, and to no other.
 */
export async function readEpoch(db: Db, organizationId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('logs')
    .select('epoch')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.epoch;
}

/** Begins another epoch, unless someone else has done so since `known`. */
export async function beginEpoch(db: Db, organizationId: number, known: string): Promise<void> {
  await sql`
    UPDATE logs SET epoch = gen_random_uuid()
     WHERE organization_id = ${organizationId} AND epoch = ${known}`.execute(db);
}

/** Begins another epoch of every log. */
export async function beginAllEpochs(db: Db): Promise<void> {
  await sql`UPDATE logs SET epoch = gen_random_uuid()`.execute(db);
}

const FACT = 'database_identity';

/**
 * Begins another epoch where the database is not the one that the server last served: a dump loaded into a new cluster, a cluster brought
 * back to a point in time, a standby that took over, or a data directory that was copied back. To be called before anybody is served.
 * @param dataDirectory of the embedded cluster; null for a database of the operator's
 */
export async function confirmIdentity(db: Db, clusterDirectory: string | null, log: Logger): Promise<void> {
  const identity = [await databaseIdentity(db), await directoryIdentity(clusterDirectory)].join(' ');
  const known = await db.selectFrom('server_facts').select('value').where('key', '=', FACT).executeTakeFirst();
  if (known?.value === identity) return;
  // One process does it, where several start at once on the restored database.
  const { rows } = await sql<{ value: string }>`
    WITH noted AS (
      INSERT INTO server_facts (key, value) VALUES (${FACT}, ${identity})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE server_facts.value <> excluded.value
      RETURNING value
    ), begun AS (
      UPDATE logs SET epoch = gen_random_uuid() WHERE ${known !== undefined} AND EXISTS (SELECT FROM noted)
    )
    SELECT value FROM noted`.execute(db);
  if (known !== undefined && rows.length > 0) {
    log.warn('the database is another than before, or a copy of it; clients begin anew');
  }
}

/** The cluster, its timeline and the database in it; as much of that as the role may know. */
async function databaseIdentity(db: Db): Promise<string> {
  const cluster = await sql<{ identity: string }>`
    SELECT system_identifier || '/' || (SELECT timeline_id FROM pg_control_checkpoint()) AS identity
      FROM pg_control_system()`
    .execute(db)
    .then(({ rows }) => rows[0]?.identity ?? '')
    .catch(() => '');
  const { rows } = await sql<{ oid: string }>`
    SELECT oid::text FROM pg_database WHERE datname = current_database()`.execute(db);
  return `${cluster}/${rows[0]?.oid ?? ''}`;
}

/** A copied file is another file: when its place on the disk was given out. */
async function directoryIdentity(clusterDirectory: string | null): Promise<string> {
  if (clusterDirectory === null) return '';
  const { ino, birthtimeMs } = await stat(join(clusterDirectory, 'PG_VERSION'));
  return `${ino}/${birthtimeMs}`;
}
