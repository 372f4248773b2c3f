import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openWatch, type Watch } from './client.ts';
import { type Connection, type LockRecord, readLockRecord } from './lock.ts';

/** The name of the connection that every attached command keeps open, by which its host knows that it is in use. */
export const attachedName = 'heddle-attached';

/** A command that uses a cluster which another process runs. */
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
   * Attaches to the cluster of a lock's holder; null when the holder is on its way out.
   *
   * A host first says that it is stopping and then looks for attached commands; a command first attaches and then looks
   * whether the host is stopping. Whichever comes second sees the other, so no cluster is stopped under a command's feet.
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

  /** Detaches. The cluster goes on. */
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

  /** It is the host's to bring PostgreSQL back; we ask until it has. */
  async #recover(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await delay(100, undefined, { signal: this.#stopped.signal });
        const watch = await openWatch(this.connection, attachedName);
        if (this.#stopped.signal.aborted) return await watch.close();
        this.#log.warn('the database is available again');
        this.#follow(watch);
        return;
      } catch {
        // The host's log says what keeps it.
      }
    }
  }
}

/** How many commands are attached to a cluster, asked through a connection to it. */
export async function countAttached(watch: Watch): Promise<number> {
  const { rows } = await watch.client.query<{ attached: number }>(
    'SELECT count(*)::int AS attached FROM pg_stat_activity WHERE application_name = $1',
    [attachedName],
  );
  return rows[0]?.attached ?? 0;
}
