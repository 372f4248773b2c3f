/** Requests that wait for a lock in the database. A test holds the lock, and so knows how far a request has come. */
import pg from 'pg';
import { isBusy } from '../clients/busy.ts';
import { until } from '../server/until.ts';

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
  await until(async () => ((await holder.query(WAITING)).rowCount ?? 0) >= by, `${by} statements that wait for a lock`);
}

/** The same for these requests. Returns false if one of them is answered first: on a busy machine it may have given up. */
async function areWaiting(holder: pg.Client, requests: readonly Promise<unknown>[]): Promise<boolean> {
  let isAnswered = false;
  const note = () => {
    isAnswered = true;
  };
  for (const request of requests) request.then(note, note);
  await until(
    async () => isAnswered || ((await holder.query(WAITING)).rowCount ?? 0) >= requests.length,
    `${requests.length} requests that wait for a lock, or the answer of one`,
  );
  return !isAnswered;
}

export interface Holding {
  /** Makes a change, and commits it when the request that starts meanwhile waits for it or has its response. */
  during<Result>(change: (holder: pg.Client) => Promise<unknown>, request: () => Promise<Result>): Promise<Result>;
  /**
   * Holds the organization lock until the first request waits for it, and the second request behind the first.
   * Returns false if one of them gave up before that, as can happen on a busy machine. Then the test tries again.
   */
  behind(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<boolean>;
  /**
   * Holds what the change locks until all of these requests wait for it, directly or behind each other, and then undoes the change.
   * Returns false if one of them is answered before.
   */
  together(
    change: (holder: pg.Client) => Promise<unknown>,
    requests: readonly (() => Promise<unknown>)[],
  ): Promise<boolean>;
  end(): Promise<void>;
}

/** Another connection to the database, which changes rows while requests use them. */
export async function holding(databaseUrl: string): Promise<Holding> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  return {
    async during(change, request) {
      const { asked } = await until(async () => {
        await holder.query('BEGIN');
        await change(holder);
        const asked = request();
        const isWaiting = await areWaiting(holder, [asked]);
        // On a busy machine the request can give up before anybody sees it wait. Then neither it nor the change has happened.
        const isOver = isWaiting || !(await isBusy(asked));
        await holder.query(isOver ? 'COMMIT' : 'ROLLBACK');
        return isOver && { asked };
      }, 'a request that waits for the change or has its response');
      return asked;
    },
    async behind(first, second) {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM logs FOR NO KEY UPDATE');
      const requests = [first()];
      let isDone = await areWaiting(holder, requests);
      if (isDone) {
        requests.push(second());
        isDone = await areWaiting(holder, requests);
      }
      await holder.query('COMMIT');
      await (isDone ? Promise.all(requests) : Promise.allSettled(requests));
      return isDone;
    },
    async together(change, requests) {
      await holder.query('BEGIN');
      await change(holder);
      const asked = requests.map((request) => request());
      const areAllWaiting = await areWaiting(holder, asked);
      await holder.query('ROLLBACK');
      await Promise.allSettled(asked);
      return areAllWaiting;
    },
    end: () => holder.end(),
  };
}
