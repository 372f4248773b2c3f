import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openWatch, type Watch } from './client.ts';
import { type Connection, type LockRecord, readLockRecord } from './lock.ts';
import type { Logger } from './logger.ts';

/** The application name of the connection that every attached command keeps open. The host counts these connections. */
const attachedName = 'heddle-attached';

/** A command that uses the cluster of another process. */
export class Attachment {
  readonly connection: Connection;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #watch: Watch;
  #recovery: Promise<void> = Promise.resolve();

  private constructor(connection: Connection, watch: Watch, log: Logger) {
    this.connection = connection;
    this.#log = log;
    this.#watch = watch;
    this.#follow(watch);
  }

  /**
   * Attaches to the cluster of the lock's holder. Returns null if the holder is stopping.
   *
   * A host first publishes that it stops, and then counts attached commands. A command first attaches, and then reads the state of
   * the host. So at least one of the two sees the other.
   */
  static async open(dataDirectory: string, holder: LockRecord, log: Logger): Promise<Attachment | null> {
    if (holder.connection === null) return null;
    const watch = await openWatch(holder.connection, attachedName);
    const now = readLockRecord(dataDirectory);
    if (now?.state === 'ready' && now.pid === holder.pid && now.started === holder.started) {
      return new Attachment(holder.connection, watch, log);
    }
    await watch.close();
    return null;
  }

  /** Detaches. The cluster continues. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#recovery;
    await this.#watch.close();
  }

  #follow(watch: Watch): void {
    this.#watch = watch;
    void watch.ended.then((reason) => {
      if (this.#stopped.signal.aborted) return;
      this.#log.warn({ reason }, 'the database is unavailable');
      this.#recovery = this.#recover();
    });
  }

  /** The host restarts PostgreSQL. This only connects again. */
  async #recover(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await delay(100, undefined, { signal: this.#stopped.signal });
        const watch = await openWatch(this.connection, attachedName, this.#stopped.signal);
        if (this.#stopped.signal.aborted) return await watch.close();
        this.#log.warn({}, 'the database is available again');
        this.#follow(watch);
        return;
      } catch {
        // The log of the host has the reason.
      }
    }
  }
}

/** A command that stops must not wait for a frozen PostgreSQL. */
const COUNT_TIMEOUT_MS = 5_000;

/** The number of commands that are attached to a cluster. */
export async function countAttached(watch: Watch): Promise<number> {
  // The types of `pg` lack the timeout of one query.
  const query: pg.QueryConfig & { readonly query_timeout: number } = {
    text: 'SELECT count(*)::int AS attached FROM pg_stat_activity WHERE application_name = $1',
    values: [attachedName],
    query_timeout: COUNT_TIMEOUT_MS,
  };
  const { rows } = await watch.client.query<{ attached: number }>(query);
  return rows[0]?.attached ?? 0;
}
