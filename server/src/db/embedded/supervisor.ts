import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Binaries } from './binaries.ts';
import { openWatch, type Watch } from './client.ts';
import { reasonOf } from './errors.ts';
import type { Connection } from './lock.ts';
import type { Place } from './place.ts';
import { rotateLog } from './postgres-log.ts';
import { clearRemains, endOrphans, Postmaster, type StopMode } from './postmaster.ts';

/** A run that lasted this long was healthy: what ends it is a new failure, after which the first start is tried at once. */
const healthyMilliseconds = 2_000;
const longestBackoffMilliseconds = 15_000;
const logRotationMilliseconds = 3_600_000;

export interface Cluster {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly connection: Connection;
}

/**
 * Keeps one cluster running: starts PostgreSQL, notices when it dies or resets itself, starts it again. The log tells the operator when
 * an outage begins, why, and when it ends.
 *
 * It is noticed by two things that happen at once and need no polling: the end of the child process, and the end of a
 * connection that is kept for this. A killed backend ends only the latter: PostgreSQL itself then drops all sessions and
 * recovers. A dead postmaster, or one that gave up its own recovery (a full disk), is started again, with growing pauses.
 */
export class Supervisor {
  readonly #cluster: Cluster;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #postmaster: Postmaster | null = null;
  #watch: Watch | null = null;
  #isOut = false;
  #recovery: Promise<void> = Promise.resolve();
  #rotation: NodeJS.Timeout | undefined;
  #failures = 0;
  #upSince = 0;

  constructor(cluster: Cluster, log: Logger) {
    this.#cluster = cluster;
    this.#log = log;
  }

  /** Whether there is no database at the moment. */
  get isOut(): boolean {
    return this.#isOut;
  }

  get watch(): Watch | null {
    return this.#watch;
  }

  get pid(): number | undefined {
    return this.#postmaster?.pid;
  }

  /** The first start. A failure is thrown, and nothing is left running. */
  async start(): Promise<void> {
    try {
      await this.#launch();
      await ensureDatabase(this.#cluster.connection);
      this.#follow(await this.#connect());
      this.#rotation = setInterval(() => this.#rotateLog(), logRotationMilliseconds).unref();
    } catch (error) {
      await this.#postmaster?.stop('immediate', 5_000);
      throw error;
    }
  }

  /** Ends PostgreSQL: cleanly if it can within `milliseconds`, at any rate. That is no outage. */
  async stop(mode: StopMode, milliseconds: number): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#rotation);
    await this.#recovery;
    await this.#watch?.close();
    await this.#postmaster?.stop(mode, milliseconds);
    // Of one that was killed: the lock is released after this, and whoever takes it must find nothing that writes.
    await endOrphans(this.#cluster.place, this.#log);
  }

  async #launch(): Promise<void> {
    await clearRemains(this.#cluster.place, this.#log);
    const postmaster = new Postmaster(this.#cluster.place, this.#cluster.binaries, this.#cluster.settings);
    this.#postmaster = postmaster;
    void postmaster.exited.then((end) => this.#lost(postmaster, `PostgreSQL ${end}`));
    await postmaster.ready(this.#log, this.#stopped.signal);
  }

  #connect(): Promise<Watch> {
    return openWatch(this.#cluster.connection, 'heddle-supervisor');
  }

  /** Begins to watch a connection. Its end may lie behind us already: a promise tells that too. */
  #follow(watch: Watch): void {
    this.#watch = watch;
    this.#upSince = performance.now();
    void watch.ended.then((reason) => this.#lost(watch, reason));
  }

  /** `source` is what ended; the end of a predecessor that was replaced already is no news. */
  #lost(source: Postmaster | Watch, reason: string): void {
    if (this.#stopped.signal.aborted || this.#isOut || this.#watch === null) return;
    if (source !== this.#postmaster && source !== this.#watch) return;
    this.#isOut = true;
    this.#log.error({ reason, postgres: this.#postmaster?.complaints() }, 'the database is unavailable');
    if (performance.now() - this.#upSince > healthyMilliseconds) this.#failures = 0;
    this.#recovery = this.#recover();
  }

  async #recover(): Promise<void> {
    const begun = performance.now();
    let reason = '';
    for (let attempts = 0; !this.#stopped.signal.aborted; attempts += 1) {
      try {
        await this.#pause(attempts);
        const watch = await this.#revive();
        if (this.#stopped.signal.aborted) return await watch.close();
        this.#isOut = false;
        this.#log.warn({ seconds: (performance.now() - begun) / 1_000 }, 'the database is available again');
        this.#follow(watch);
        return;
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        if (reasonOf(error) === reason) continue;
        reason = reasonOf(error);
        this.#log.warn({ reason }, 'the database is still unavailable');
      }
    }
  }

  /** Starts PostgreSQL if it is gone; if it is there, it is recovering, or has already. */
  async #revive(): Promise<Watch> {
    if (this.#postmaster?.isRunning !== true) {
      this.#failures += 1;
      await this.#launch();
    }
    return await this.#connect();
  }

  /**
   * A postmaster that lives answers as soon as it has recovered: it is asked often, though ever less so, since each refusal
   * is a line in its log. A dead one is started at once the first time.
   */
  async #pause(attempts: number): Promise<void> {
    const patience = Math.min(50 * 1.3 ** attempts, 1_000);
    const backoff = this.#failures === 0 ? 0 : Math.min(125 * 2 ** this.#failures, longestBackoffMilliseconds);
    await delay(this.#postmaster?.isRunning ? patience : backoff, undefined, { signal: this.#stopped.signal });
  }

  #rotateLog(): void {
    try {
      rotateLog(this.#cluster.place);
    } catch (error) {
      this.#log.warn({ reason: reasonOf(error) }, 'cannot rotate PostgreSQL’s log');
    }
  }
}

/** Creates the database on a new cluster, or where a first start was cut short just before. */
async function ensureDatabase(connection: Connection): Promise<void> {
  const setup = await openWatch(connection, 'heddle-setup');
  try {
    const name = connection.database;
    const { rowCount } = await setup.client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await setup.client.query(`CREATE DATABASE ${setup.client.escapeIdentifier(name)}`);
  } finally {
    await setup.close();
  }
}
