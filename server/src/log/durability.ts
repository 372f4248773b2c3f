import type pg from 'pg';
import { DatabaseUnavailableError } from '../db/failures.ts';
import { BoundedPool } from '../db/pool.ts';

const COMMIT = "SELECT pg_logical_emit_message(true, 'heddle', '')";

/**
 * Commits an empty record if a synchronous standby must confirm it. Without one, it writes nothing: on a full disk, each
 * write would bring the end of PostgreSQL nearer.
 */
export const COMMIT_TO_STANDBY = `
  SELECT CASE WHEN current_setting('synchronous_standby_names') <> '' AND current_setting('transaction_read_only') = 'off'
              THEN pg_logical_emit_message(true, 'heddle', '') END`;

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
  return sharing(
    async (connection: number) => {
      await commit(pool, COMMIT);
      if (connection > 0 && connections !== connection) throw new Error('Connection terminated before the flush');
    },
    () => connections,
  );
}

/**
 * Returns a function that resolves if a synchronous standby confirms a commit now, or if none has to. A former primary
 * that was cut off and came back responds with old data, and no standby confirms its commits. Calls that arrive
 * meanwhile share the next commit.
 */
export function createStandbyProof(pool: pg.Pool): () => Promise<void> {
  return sharing(
    () => commit(pool, COMMIT_TO_STANDBY),
    () => undefined,
  );
}

async function commit(pool: pg.Pool, statement: string): Promise<void> {
  // It would wait for a standby, and a read-only transaction does not refuse it.
  if (pool instanceof BoundedPool && pool.refusesChanges)
    throw new DatabaseUnavailableError('the database confirms no commits');
  await pool.query(statement);
}

/** @param atCall taken when the first of the calls that share a run arrives */
function sharing<Value>(run: (value: Value) => Promise<void>, atCall: () => Value): () => Promise<void> {
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  return () => {
    const value = atCall();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = run(value);
        return running;
      });
    return next;
  };
}
