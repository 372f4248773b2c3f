import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { breakOff } from './break-off.ts';
import { CommitOutage, type CommittingPool } from './commit-outage.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { DatabaseClient } from './database-client.ts';
import { DatabaseUnavailableError } from './failures.ts';
import { HEALTH_CHECK_INTERVAL_MS, HEALTH_CHECK_TIMEOUT_MS } from './timeouts.ts';
import { WriteOutage } from './write-outage.ts';

/** A pool of connections under the health check. */
export interface Watched extends CommittingPool {
  /** The number of finished requests. */
  readonly answered: number;
  /** Whether any request waits for a response or for a connection. */
  readonly isBusy: boolean;
  destroyConnections(error: Error): void;
}

export interface HealthCheckOptions {
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  /** Whether the supervisor of the embedded database already logs when PostgreSQL has ended, and its guard when the disk is full. */
  readonly endIsReported: boolean;
}

/** The result of the health query. */
type Answer = { readonly is: 'there' } | { readonly is: 'silent' | 'gone'; readonly reason: string };

/**
 * The health check of the database. Statement timeouts limit how long a working database may take. When the database
 * has stopped or is unreachable, each request would wait for its full timeout. So if requests wait and none has
 * finished for a while, the check runs `SELECT 1` on its own connection. If that fails, it destroys all connections,
 * and new requests are refused at once until the database responds again. While requests finish, it sends nothing.
 */
export class HealthCheck {
  readonly #options: HealthCheckOptions;
  readonly #writes: WriteOutage;
  readonly #watched = new Set<Watched>();
  readonly #commits: CommitOutage;
  readonly #timer: NodeJS.Timeout;
  readonly #closed = new AbortController();
  #client: pg.Client | undefined;
  #answered = 0;
  #asking: Promise<void> | undefined;
  #isOut = false;

  constructor(options: HealthCheckOptions) {
    this.#options = options;
    this.#writes = new WriteOutage(options.settings, options.log, options.endIsReported);
    this.#commits = new CommitOutage(options.settings, options.log, this.#watched);
    this.#timer = setInterval(() => this.#look(), HEALTH_CHECK_INTERVAL_MS).unref();
  }

  /** Whether the database is not responding now. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /** Whether the database confirms no commits now. It may serve reads. */
  get confirmsNoCommits(): boolean {
    return this.#commits.isOut;
  }

  /** Adds a pool to the check. Returns a function that removes it. */
  watch(watched: Watched): () => void {
    this.#watched.add(watched);
    if (this.#commits.isOut) watched.refuseChanges(true);
    return () => this.#watched.delete(watched);
  }

  /** Checks at once, because a connection broke or could not be opened. */
  doubt(): void {
    if (this.#closed.signal.aborted) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
  }

  /** Receives every error response of PostgreSQL. */
  received(error: pg.DatabaseError): void {
    // The refusals are our own.
    if (!this.#commits.explainsRefusals) this.#writes.received(error);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed.abort();
    this.#drop();
    await Promise.all([this.#asking, this.#writes.close(), this.#commits.close()]);
  }

  #look(): void {
    this.#options.settings.primary?.lookForNewer();
    const answered = [...this.#watched].reduce((sum, pool) => sum + pool.answered, 0);
    const isStill = answered === this.#answered && [...this.#watched].some((pool) => pool.isBusy);
    this.#answered = answered;
    if (isStill) this.doubt();
    if (!this.#isOut) this.#commits.look();
  }

  async #ask(): Promise<void> {
    const answer = await this.#question();
    if (answer.is === 'there' || this.#closed.signal.aborted) return;
    const { log, endIsReported } = this.#options;
    const isReported = answer.is === 'gone' && endIsReported;
    const begun = performance.now();
    this.#isOut = true;
    if (!isReported) log.error({ reason: answer.reason }, 'the database is unavailable');
    const error = new DatabaseUnavailableError(`the database is unavailable: ${answer.reason}`);
    for (const pool of this.#watched) pool.destroyConnections(error);
    if (!(await this.#returns())) return;
    this.#isOut = false;
    if (!isReported) log.warn({ seconds: (performance.now() - begun) / 1_000 }, 'the database is available again');
  }

  /** Resolves to true when the database responds, or to false when the check is closed. */
  async #returns(): Promise<boolean> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await delay(HEALTH_CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted && (await this.#question()).is === 'there') return true;
    }
    return false;
  }

  /**
   * Waits in small steps. If the event loop is blocked, by work or because the process is paused, only one step passes.
   * The next step then reads the response that has arrived meanwhile.
   */
  async #question(): Promise<Answer> {
    let answer: Answer | undefined;
    const asked = this.#put().then(
      () => {
        answer = { is: 'there' };
      },
      (error: unknown) => {
        answer = { is: 'gone', reason: error instanceof Error ? error.message : String(error) };
      },
    );
    for (let waited = 0; waited < HEALTH_CHECK_TIMEOUT_MS && answer === undefined; waited += HEALTH_CHECK_INTERVAL_MS)
      await atMost(HEALTH_CHECK_INTERVAL_MS, asked);
    if (answer?.is !== 'there') this.#drop();
    return answer ?? { is: 'silent', reason: `no response for ${HEALTH_CHECK_TIMEOUT_MS} ms` };
  }

  /**
   * Sends the health query. A database that refuses it because it starts or stops (57P03) is unavailable. A database
   * without a free connection is available.
   */
  async #put(): Promise<void> {
    const kept = this.#client;
    // A broken connection says nothing about the database. Try a new one.
    if (kept !== undefined) {
      if (await answers(kept)) return;
      // Another host may be the primary by now.
      this.#options.settings.primary?.forget();
    }
    this.#drop();
    try {
      const fresh = await this.#connect();
      await fresh.query('SELECT 1');
    } catch (error) {
      if (!isCrowded(error)) throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new DatabaseClient({ ...this.#options.settings, application_name: 'heddle healthCheck' });
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    this.#client = client;
    await client.connect();
    return client;
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) breakOff(client);
  }
}

async function atMost(milliseconds: number, asked: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([asked, delay(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}

async function answers(client: pg.Client): Promise<boolean> {
  try {
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** Whether PostgreSQL lacks resources such as connections (SQLSTATE class 53). */
function isCrowded(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('53') === true;
}
