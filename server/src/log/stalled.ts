import type pg from 'pg';
import { TRANSACTION_PAUSE_TIMEOUT_MS } from '../db/timeouts.ts';

/**
 * Selects transactions that block others while they wait for their own client, for longer than a change may pause. They
 * hold a log's row.
 *
 * `idle_in_transaction_session_timeout` ends only transactions that wait for their next statement. No setting of
 * PostgreSQL ends one whose client has stopped in the middle of sending a statement, or has left a result unread.
 */
const TERMINATE_STALLED = `
  SELECT pg_terminate_backend(pid) AS ended
    FROM pg_stat_activity
   WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
     AND wait_event_type = 'Client' AND xact_start IS NOT NULL
     AND state_change < clock_timestamp() - make_interval(secs => $1)
     AND pid IN (SELECT pid FROM pg_locks
                  WHERE granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND relation = 'logs'::regclass AND mode IN ('RowShareLock', 'RowExclusiveLock'))`;

/** Destroys the connections of stalled transactions, of any process, that block other changes. Returns their number. */
export async function endStalledHolders(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(TERMINATE_STALLED, [TRANSACTION_PAUSE_TIMEOUT_MS / 1_000]);
  return rowCount ?? 0;
}
