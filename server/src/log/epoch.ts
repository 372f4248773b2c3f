import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import { erasedEvent } from './erase.ts';
import type { LoggedEvent } from './event.ts';
import { readEvents } from './read.ts';

/**
 * The epoch of a log changes when ids have gone back, for example after a restored backup: the same ids then name other
 * events. A queue belongs to the epoch in which it was registered. The server rejects it in any other epoch.
 *
 * How a process knows that ids have gone back:
 *
 * - Another database, or a copy of it: `confirmIdentity` at the start begins new epochs for all logs.
 * - The log ends before what this process has read: it begins a new epoch (`Organizations`).
 * - PostgreSQL begins a new timeline when a standby is promoted and when a backup is restored to a point in time. The
 *   standby may have lacked commits, and other commits may have taken their ids since. The row of each log names the
 *   timeline on which its epoch is confirmed. A process that has the organization in memory compares the events that it
 *   knows with the table (`hasKept`). If they are the same, it confirms the new timeline, and the epoch stays. Otherwise it
 *   begins a new epoch.
 * - A process that loads an organization on a timeline that nobody has confirmed cannot know what clients have seen. So it
 *   begins a new epoch. All queues of such an organization are idle, unless all processes that served them have ended.
 */
export interface LogIdentity {
  readonly epoch: string;
  /** The timeline on which the epoch is confirmed; null if the server could not read it then. */
  readonly confirmedOn: string | null;
  /** The timeline of the database; null if it is a standby, or if the role may not read it. */
  readonly timeline: string | null;
}

export async function readIdentity(db: Db, organizationId: number): Promise<LogIdentity | undefined> {
  const { rows } = await sql<LogIdentity>`
    SELECT epoch, timeline AS "confirmedOn", heddle_timeline() AS timeline
      FROM logs WHERE organization_id = ${organizationId}`.execute(db);
  return rows[0];
}

/** The timeline of the database; null if it is a standby, or if the role may not read it. */
export async function readTimeline(db: Db): Promise<string | null> {
  const { rows } = await sql<{ timeline: string | null }>`SELECT heddle_timeline() AS timeline`.execute(db);
  return rows[0]?.timeline ?? null;
}

/** Starts a new epoch, unless another process has already replaced the epoch `known`. */
export async function beginEpoch(db: Db, organizationId: number, known: string): Promise<void> {
  await sql`
    UPDATE logs SET epoch = gen_random_uuid(), timeline = heddle_timeline()
     WHERE organization_id = ${organizationId} AND epoch = ${known}`.execute(db);
}

/** Starts a new epoch for every log. */
export async function beginAllEpochs(db: Db): Promise<void> {
  await sql`UPDATE logs SET epoch = gen_random_uuid(), timeline = heddle_timeline()`.execute(db);
}

/** Notes that the log has lost no event on the way to this timeline. Does nothing if the epoch is another one. */
export async function confirmTimeline(
  db: Db,
  organizationId: number,
  { epoch, timeline }: { readonly epoch: string; readonly timeline: string },
): Promise<void> {
  await sql`
    UPDATE logs SET timeline = ${timeline}
     WHERE organization_id = ${organizationId} AND epoch = ${epoch} AND timeline IS DISTINCT FROM ${timeline}
       AND heddle_timeline() = ${timeline}`.execute(db);
}

/**
 * Whether the log still has these events under their ids. Retention deletes events only when all processes have known
 * them for long. Deletions of messages redact events.
 * @param known consecutive events, oldest first
 */
export async function hasKept(db: Db, organizationId: number, known: readonly LoggedEvent[]): Promise<boolean> {
  const missing = new Map(known.map((event) => [event.id, event]));
  for (let start = 0; start < known.length; start += EVENTS_PER_COMPARISON) {
    const page = known.slice(start, start + EVENTS_PER_COMPARISON);
    for (const found of await readEvents(db, organizationId, (page[0]?.id ?? 1) - 1, page.length)) {
      const event = missing.get(found.id);
      if (event !== undefined && !isSame(event, found)) return false;
      missing.delete(found.id);
    }
  }
  if (missing.size === 0) return true;
  // Read afterwards: retention may run meanwhile.
  const row = await db
    .selectFrom('logs')
    .select('trimmed_through')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row !== undefined && Math.max(...missing.keys()) <= row.trimmed_through;
}

const EVENTS_PER_COMPARISON = 500;

function isSame(known: LoggedEvent, found: LoggedEvent): boolean {
  if (found.type !== known.type || found.messageId !== known.messageId) return false;
  if (JSON.stringify(found.deltas) !== JSON.stringify(known.deltas)) return false;
  if (found.audience.to === 'nobody') return true;
  const contentOf = ({ audience, body }: LoggedEvent) => JSON.stringify([audience, body]);
  // Another process may have deleted the message.
  const possible = known.messageId === undefined ? [known] : [known, erasedEvent(known, new Set([known.messageId]))];
  return possible.some((event) => contentOf(event) === contentOf(found));
}

const IDENTITY_KEY = 'cluster_identity';

/**
 * Starts a new epoch for every log if this is not the database that the server last served. Examples: a dump in a new
 * cluster, a copied data directory. Call this before the server accepts requests.
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
      UPDATE logs SET epoch = CASE WHEN ${known !== undefined} THEN gen_random_uuid() ELSE epoch END,
                      timeline = heddle_timeline()
       WHERE EXISTS (SELECT FROM noted)
    )
    SELECT value FROM noted`.execute(db);
  if (known !== undefined && rows.length > 0) {
    log.warn('this is a different database than before, or a copy of it; clients must register again');
  }
}

/** The identity of the cluster and the database. Parts that the role cannot read stay empty. */
async function databaseIdentity(db: Db): Promise<string> {
  const cluster = await sql<{ identity: string }>`
    SELECT system_identifier::text AS identity FROM pg_control_system()`
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
