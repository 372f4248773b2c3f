import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { openWatch, type Watch } from './client.ts';
import { reasonOf } from './errors.ts';
import type { Connection } from './lock.ts';
import type { Logger } from './logger.ts';
import type { Place } from './place.ts';
import { rotateLog } from './postgres-log.ts';
import { clearRemains, endOrphans, Postmaster, type StopMode } from './postmaster.ts';

/** After a run of this duration, a failure is a new one, and the first restart follows immediately. */
const HEALTHY_MS = 2_000;
const MAX_BACKOFF_MS = 15_000;
const LOG_ROTATION_MS = 3_600_000;

export interface Cluster {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly connection: Connection;
}

/**
 * Keeps one cluster running: starts PostgreSQL, detects failures, and restarts it. The log reports the begin, the reason and the end of
 * an outage.
 *
 * Two events detect a failure without polling: the end of the child process, and the end of a connection that is kept for this. A killed
 * backend ends only the connection: PostgreSQL then drops all sessions and recovers by itself. If the postmaster ends, it is restarted,
 * with growing pauses.
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

  /** Whether the database is unavailable now. */
  get isOut(): boolean {
    return this.#isOut;
  }

  get watch(): Watch | null {
    return this.#watch;
  }

  /** The first start. If it throws, nothing runs. */
  async start(): Promise<void> {
    try {
      await this.#launch();
      await ensureDatabase(this.#cluster.connection);
      this.#follow(await this.#connect());
      this.#rotation = setInterval(() => this.#rotateLog(), LOG_ROTATION_MS).unref();
    } catch (error) {
      await this.#postmaster?.stop('immediate', 5_000);
      throw error;
    }
  }

  /** Stops PostgreSQL, cleanly if that takes at most `milliseconds`. */
  async stop(mode: StopMode, milliseconds: number): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#rotation);
    await this.#recovery;
    await this.#watch?.close();
    await this.#postmaster?.stop(mode, milliseconds);
    // After a kill, backends may still run. The next holder of the lock must not meet processes that write.
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
    return openWatch(this.#cluster.connection, 'heddle-supervisor', this.#stopped.signal);
  }

  /** Watches a connection, which may already have ended. */
  #follow(watch: Watch): void {
    this.#watch = watch;
    this.#upSince = performance.now();
    void watch.ended.then((reason) => this.#lost(watch, reason));
  }

  /** `source` has ended. Ignores sources that are replaced already. */
  #lost(source: Postmaster | Watch, reason: string): void {
    if (this.#stopped.signal.aborted || this.#isOut || this.#watch === null) return;
    if (source !== this.#postmaster && source !== this.#watch) return;
    this.#isOut = true;
    this.#log.error({ reason, postgres: this.#postmaster?.complaints() }, 'the database is unavailable');
    if (performance.now() - this.#upSince > HEALTHY_MS) this.#failures = 0;
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

  /** Starts PostgreSQL if it has ended. Otherwise it recovers by itself. */
  async #revive(): Promise<Watch> {
    if (this.#postmaster?.isRunning !== true) {
      this.#failures += 1;
      await this.#launch();
    }
    return await this.#connect();
  }

  /**
   * A running postmaster accepts connections as soon as it has recovered. The pauses grow, because each refusal is a line in its log. A
   * postmaster that has ended is restarted immediately the first time.
   */
  async #pause(attempts: number): Promise<void> {
    const patience = Math.min(50 * 1.3 ** attempts, 1_000);
    const backoff = this.#failures === 0 ? 0 : Math.min(125 * 2 ** this.#failures, MAX_BACKOFF_MS);
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

/** Creates the database if it is missing, also after an interrupted first start. */
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
