import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';

/**
 * The epoch of a log changes when ids have gone back, which happens when a backup is restored: the same ids then name
 * other events. A queue belongs to the epoch in which it was registered. The server rejects it in any other epoch.
 */
export async function readEpoch(db: Db, organizationId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('logs')
    .select('epoch')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.epoch;
}

/** Starts a new epoch, unless another process has already replaced the epoch `known`. */
export async function beginEpoch(db: Db, organizationId: number, known: string): Promise<void> {
  await sql`
    UPDATE logs SET epoch = gen_random_uuid()
     WHERE organization_id = ${organizationId} AND epoch = ${known}`.execute(db);
}

/** Starts a new epoch for every log. */
export async function beginAllEpochs(db: Db): Promise<void> {
  await sql`UPDATE logs SET epoch = gen_random_uuid()`.execute(db);
}

const IDENTITY_KEY = 'database_identity';

/**
 * Starts a new epoch for every log if this is not the database that the server last served. Examples: a dump in a new
 * cluster, a cluster restored to a point in time, a promoted standby, a copied data directory. Call this before the
 * server accepts requests.
 * @param clusterDirectory of the embedded cluster; null for the operator's own database
 */
export async function confirmIdentity(db: Db, clusterDirectory: string | null, log: Logger): Promise<void> {
  const identity = [await databaseIdentity(db), await directoryIdentity(clusterDirectory)].join(' ');
  const known = await db.selectFrom('server_facts').select('value').where('key', '=', IDENTITY_KEY).executeTakeFirst();
  if (known?.value === identity) return;
  // Several processes may start on the restored database at once. This one statement lets only one of them start new
  // epochs.
  const { rows } = await sql<{ value: string }>`
    WITH noted AS (
      INSERT INTO server_facts (key, value) VALUES (${IDENTITY_KEY}, ${identity})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE server_facts.value <> excluded.value
      RETURNING value
    ), begun AS (
      UPDATE logs SET epoch = gen_random_uuid() WHERE ${known !== undefined} AND EXISTS (SELECT FROM noted)
    )
    SELECT value FROM noted`.execute(db);
  if (known !== undefined && rows.length > 0) {
    log.warn('this is a different database than before, or a copy of it; clients must register again');
  }
}

/** The identity of the cluster, its timeline and the database. Parts that the role cannot read stay empty. */
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

/** The inode and creation time of a file. A copy of the directory has different ones. */
async function directoryIdentity(clusterDirectory: string | null): Promise<string> {
  if (clusterDirectory === null) return '';
  const { ino, birthtimeMs } = await stat(join(clusterDirectory, 'PG_VERSION'));
  return `${ino}/${birthtimeMs}`;
}
