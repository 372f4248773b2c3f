import { sql } from 'kysely';
import type { Logger } from 'pino';
import { NEWEST_EVENTS } from '../db/newest-events.ts';
import type { Db } from '../db/schema.ts';

/** How long the log keeps events. */
export interface Retention {
  /** Every event is kept for at least this many seconds. */
  readonly minSeconds: number;
  /** An event that some queue or consumer has not acknowledged is kept for at most this many seconds... */
  readonly maxSeconds: number;
  /** ...and only while at most this many events follow it. A queue that is further behind ends; a consumer misses events. */
  readonly maxEvents: number;
}

/**
 * How many events one statement deletes. It runs for a few hundred milliseconds and holds the organization lock only
 * for the last few.
 */
const EVENTS_PER_BATCH = 20_000;

/** The consumers of the log (consumer.ts) that this server runs. */
interface Consumers {
  readonly names: readonly string[];
  readonly log: Pick<Logger, 'error'>;
}

const NO_CONSUMERS: Consumers = { names: [], log: { error: () => undefined } };

/**
 * Deletes expired events of all organizations. Ends the queues that would have asked for one of them, and moves the
 * cursors of such consumers. Cursors of consumers that this server does not run keep no event. Returns the number of
 * deleted events. Index: primary key of `events`, starting after the last deleted event. The table `queues`
 * is small in comparison.
 */
export async function trimLogs(db: Db, retention: Retention, consumers = NO_CONSUMERS): Promise<number> {
  const { rows } = await sql<LogToTrim>`
    WITH RECURSIVE newest AS (${NEWEST_EVENTS})
    SELECT organization_id AS "organizationId", id AS head,
           least((SELECT min(acknowledged_id) FROM queues WHERE queues.organization_id = newest.organization_id),
                 (SELECT min(position) FROM log_cursors
                   WHERE log_cursors.organization_id = newest.organization_id
                     AND consumer = ANY (${consumers.names}::text[]))) AS acknowledged
      FROM newest`.execute(db);
  let dropped = 0;
  for (const log of rows) {
    const before = dropped;
    for (let batch = EVENTS_PER_BATCH; batch === EVENTS_PER_BATCH; dropped += batch)
      batch = await trimOne(db, log, retention);
    // If the process dies before this, readers notice by themselves that they missed events.
    if (dropped === before) continue;
    await endLostQueues(db, log.organizationId);
    await moveLostCursors(db, log.organizationId, consumers);
  }
  return dropped;
}

interface LogToTrim {
  readonly organizationId: number;
  readonly head: number;
  /**
   * The event up to which all queues and consumers have acknowledged. Null if there are neither.
   */
  readonly acknowledged: number | null;
}

/**
 * Deletes one batch, in one statement and so in one commit. A reader never misses deleted events without seeing it in
 * `trimmed_through`.
 */
async function trimOne(
  db: Db,
  { organizationId, head, acknowledged }: LogToTrim,
  retention: Retention,
): Promise<number> {
  const wantedAfter = Math.max(acknowledged ?? head, head - retention.maxEvents);
  const { rows } = await sql<{ dropped: number }>`
    WITH oldest AS (
      SELECT id, created_at FROM events
       WHERE organization_id = ${organizationId}
         AND id > (SELECT trimmed_through FROM logs WHERE organization_id = ${organizationId})
       ORDER BY id LIMIT ${EVENTS_PER_BATCH}
    ), unwanted AS (
      -- Ids follow the order of commits, but created_at is the time when a transaction began. So the deletion stops
      -- before the first event that must stay. Otherwise it could leave a gap.
      SELECT coalesce(min(id) FILTER (WHERE created_at >= now() - make_interval(secs => ${retention.minSeconds})
                                         OR (id > ${wantedAfter}
                                             AND created_at >= now() - make_interval(secs => ${retention.maxSeconds}))) - 1,
                      max(id)) AS through
        FROM oldest
    ), dropped AS (
      -- One index scan between two values. A join with oldest would depend on how well the planner estimates the
      -- number of rows.
      DELETE FROM events
       WHERE organization_id = ${organizationId}
         AND id > (SELECT trimmed_through FROM logs WHERE organization_id = ${organizationId})
         AND id <= (SELECT through FROM unwanted)
      RETURNING id
    )
    UPDATE logs SET trimmed_through = greatest(trimmed_through, done.last)
      FROM (SELECT max(id) AS last, count(*) AS number FROM dropped) AS done
     WHERE organization_id = ${organizationId} AND done.last IS NOT NULL
    RETURNING done.number AS dropped`.execute(db);
  return rows[0]?.dropped ?? 0;
}

/** A process that serves one of these queues notices at its next flush (queue-store.ts). */
async function endLostQueues(db: Db, organizationId: number): Promise<void> {
  await sql`
    DELETE FROM queues
     WHERE organization_id = ${organizationId}
       AND acknowledged_id < (SELECT trimmed_through FROM logs WHERE organization_id = ${organizationId})`.execute(db);
}

/** A consumer that was dead for too long continues behind the deleted events. */
async function moveLostCursors(db: Db, organizationId: number, { names, log }: Consumers): Promise<void> {
  const { rows } = await sql<{ consumer: string }>`
    UPDATE log_cursors SET position = logs.trimmed_through
      FROM logs
     WHERE logs.organization_id = ${organizationId} AND log_cursors.organization_id = logs.organization_id
       AND log_cursors.position < logs.trimmed_through
    RETURNING consumer`.execute(db);
  for (const { consumer } of rows.filter((row) => names.includes(row.consumer))) {
    log.error(
      { organization: organizationId, consumer },
      'a consumer of the log was dead for too long and missed events',
    );
  }
}
