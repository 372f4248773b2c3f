/** Who waits for a lock in the database: a test holds one, and knows by that how far somebody has come. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';

/** Resolves when somebody waits for what this connection has locked. */
export async function isWaitedFor(holder: pg.Client): Promise<void> {
  // Not of pg_stat_activity: in a transaction that stays as it was when first looked at, without whoever has connected since.
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  while ((await holder.query(waiting)).rowCount === 0) await nextTurn();
}
