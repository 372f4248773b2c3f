/** Requests that wait for a lock in the database. A test holds the lock, and so knows how far a request has come. */
import pg from 'pg';
import { until } from './until.ts';

/**
 * It does not read pg_stat_activity, because within a transaction that view has no connections that were opened after
 * its first use.
 */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
     UNION
    SELECT behind.pid FROM pg_locks behind JOIN waiting ON waiting.pid = ANY (pg_blocking_pids(behind.pid))
     WHERE NOT behind.granted
  )
  SELECT pid FROM waiting`;

/** Resolves when this many connections wait for a lock of this one, directly or behind each other. */
export async function isWaitedFor(holder: pg.Client, by = 1): Promise<void> {
  await until(async () => ((await holder.query(WAITING)).rowCount ?? 0) >= by);
}

export interface Holding {
  /** Makes a change, and commits it when the request that starts meanwhile waits for it or has its response. */
  during<Result>(change: (holder: pg.Client) => Promise<unknown>, request: () => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

/** Another connection to the database, which changes rows while requests use them. */
export async function holding(databaseUrl: string): Promise<Holding> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  return {
    async during(change, request) {
      await holder.query('BEGIN');
      await change(holder);
      const asked = request();
      await Promise.race([isWaitedFor(holder), asked]);
      await holder.query('COMMIT');
      return asked;
    },
    end: () => holder.end(),
  };
}
