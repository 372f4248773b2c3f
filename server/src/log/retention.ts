import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** For how long events are kept. */
export interface Retention {
  /** So many seconds each, whoever reads it. */
  readonly leastSeconds: number;
  /** So many seconds for a queue that has not fetched it... */
  readonly mostSeconds: number;
  /** ...and while no more events than these have come since. A queue that is further behind ends. */
  readonly mostEvents: number;
}

/** Events that one statement drops: some hundred milliseconds of work, of which the log is held for the last few. */
const BATCH = 20_000;

/**
 * Drops the events that are not kept any longer, of all organizations, and ends the queues that would have asked for one of them. Answers how
 * many events were dropped. Index: events' primary key, from where the last ones were dropped; `queues` is small beside it.
 */
export async function trimLogs(db: Db, retention: Retention): Promise<number> {
  const { rows } = await sql<LogToTrim>`
    SELECT organization_id AS "organizationId", head,
           least((SELECT min(acknowledged_id) FROM queues WHERE queues.organization_id = logs.organization_id),
                 (SELECT read_through FROM outgoing_cursors
                   WHERE outgoing_cursors.organization_id = logs.organization_id)) AS acknowledged
      FROM logs
     WHERE head > trimmed_through`.execute(db);
  let dropped = 0;
  for (const log of rows) {
    for (let batch = BATCH; batch === BATCH; dropped += batch) batch = await trimOne(db, log, retention);
    await endLostQueues(db, log.organizationId);
  }
  return dropped;
}

interface LogToTrim {
  readonly organizationId: number;
  readonly head: number;
  /** What all queues have, and the services of outgoing webhooks were told of; null where there are none of either. */
  readonly acknowledged: number | null;
}

/** One statement, and so one commit: whoever reads the log never finds events gone that it does not say are gone. */
async function trimOne(
  db: Db,
  { organizationId, head, acknowledged }: LogToTrim,
  retention: Retention,
): Promise<number> {
  const wantedAfter = Math.max(acknowledged ?? head, head - retention.mostEvents);
  const { rows } = await sql<{ dropped: number }>`
    WITH oldest AS (
      SELECT id, created_at FROM events
       WHERE organization_id = ${organizationId}
         AND id > (SELECT trimmed_through FROM logs WHERE organization_id = ${organizationId})
       ORDER BY id LIMIT ${BATCH}
    ), unwanted AS (
      -- A transaction that began early may have committed late: up to the first event that stays, so that no hole comes to be.
      SELECT coalesce(min(id) FILTER (WHERE created_at >= now() - make_interval(secs => ${retention.leastSeconds})
                                         OR (id > ${wantedAfter}
                                             AND created_at >= now() - make_interval(secs => ${retention.mostSeconds}))) - 1,
                      max(id)) AS through
        FROM oldest
    ), dropped AS (
      -- By one walk along the index, between two values: joined with the oldest, it would be as slow as a guess of how many they are is wrong.
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

/** Whoever serves them learns of it at the next flush (queue-store.ts). */
async function endLostQueues(db: Db, organizationId: number): Promise<void> {
  await sql`
    DELETE FROM queues
     WHERE organization_id = ${organizationId}
       AND acknowledged_id < (SELECT trimmed_through FROM logs WHERE organization_id = ${organizationId})`.execute(db);
}
