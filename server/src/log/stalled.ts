import type pg from 'pg';
import { CHANGE_PAUSE } from '../db/waits.ts';

/**
 * Those who have a log's row and wait for their own client, longer than a change may pause: `idle_in_transaction_session_timeout` ends only
 * those that wait for the next statement, and no setting of PostgreSQL's ends one whose client has stopped with half of a statement
 * sent, or with an answer unread.
 */
const END_STALLED = `
  SELECT pg_terminate_backend(pid) AS ended
    FROM pg_stat_activity
   WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
     AND wait_event_type = 'Client' AND xact_start IS NOT NULL
     AND state_change < clock_timestamp() - make_interval(secs => $1)
     AND pid IN (SELECT pid FROM pg_locks
                  WHERE relation = 'logs'::regclass AND granted AND mode IN ('RowShareLock', 'RowExclusiveLock'))`;

/** Ends the connections of changes that hold a log and stand still, of whichever process; tells how many there were. */
export async function endStalledHolders(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(END_STALLED, [CHANGE_PAUSE / 1_000]);
  return rowCount ?? 0;
}
