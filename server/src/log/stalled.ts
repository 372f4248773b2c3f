import type pg from 'pg';
import { CHANGE_PAUSE } from '../db/waits.ts';

/**
 * Those who have a log's row, or have taken something for themselves before they take the log, and wait for their own client, longer than a
 * change may pause: `idle_in_transaction_session_timeout` ends only those that wait for the next statement, and no setting of PostgreSQL's
 * ends one whose client has stopped with half of a statement sent, or with an answer unread. What they have taken are advisory locks of
 * one key (`objsubid` 1) whose upper half is the organization; others of one key, as that of migrations, have bounds of their own.
 */
const END_STALLED = `
  SELECT pg_terminate_backend(pid) AS ended
    FROM pg_stat_activity
   WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
     AND wait_event_type = 'Client' AND xact_start IS NOT NULL
     AND state_change < clock_timestamp() - make_interval(secs => $1)
     AND pid IN (SELECT pid FROM pg_locks
                  WHERE granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND (relation = 'logs'::regclass AND mode IN ('RowShareLock', 'RowExclusiveLock')
                         OR locktype = 'advisory' AND objsubid = 1 AND mode = 'ExclusiveLock'
                            AND classid IN (SELECT organization_id::oid FROM logs)))`;

/** Ends the connections of changes that hold what others wait for and stand still, of whichever process; tells how many there were. */
export async function endStalledHolders(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(END_STALLED, [CHANGE_PAUSE / 1_000]);
  return rowCount ?? 0;
}
