import type pg from 'pg';
import { DatabaseUnavailableError } from '../db/failures.ts';
import { BoundedPool } from '../db/pool.ts';

/**
 * Returns a function that resolves when everything that anyone committed before the call is on the disk. It commits an
 * empty WAL record synchronously, which takes all earlier records with it. Calls that arrive during a flush share the
 * next one.
 *
 * It rejects if the pool's connection (the pool keeps exactly one) broke after the call, even if a new connection
 * answers. The database may have crashed and lost what it had not written.
 */
export function createFlush(pool: pg.Pool): () => Promise<void> {
  let connections = 0;
  pool.on('connect', () => {
    connections += 1;
  });
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  async function flush(connection: number): Promise<void> {
    // It would wait for a standby, and a read-only transaction does not refuse it.
    if (pool instanceof BoundedPool && pool.refusesChanges)
      throw new DatabaseUnavailableError('the database confirms no commits');
    await pool.query("SELECT pg_logical_emit_message(true, 'heddle', '')");
    if (connection > 0 && connections !== connection) throw new Error('Connection terminated before the flush');
  }

  return () => {
    const connection = connections;
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = flush(connection);
        return running;
      });
    return next;
  };
}
