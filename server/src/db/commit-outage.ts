import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { breakOff } from './break-off.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { DatabaseClient } from './database-client.ts';
import { UnknownOutcomeError } from './failures.ts';
import { BACKGROUND_TIMEOUT_MS, COMMIT_DOUBT_MS, COMMIT_TIMEOUT_MS, KEEP_ALIVE_DELAY_MS } from './timeouts.ts';

/** A pool whose commits may wait for a standby. */
export interface CommittingPool {
  /** The backends of the connections that have been in use for longer than this. */
  backendsBusyFor(milliseconds: number): readonly number[];
  /** Destroys the connections of these backends. */
  breakOffBackends(backends: readonly number[], error: Error): void;
  /** From now on, connections refuse changes, or accept them again. */
  refuseChanges(isRefusing: boolean): void;
}

/** The pause before another attempt to commit, if the connection breaks. */
const RETRY_MS = 500;

/** After the end of an outage, transactions that began in it are still refused. */
const LATE_REFUSAL_MS = 2_000;

/** The value for our connections: of the values of `synchronous_commit`, only `off` breaks durability. The others are the operator's choice. */
export const DURABLE_COMMITS = `set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                                              WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;

/**
 * Commits that wait for a synchronous standby which does not respond. PostgreSQL lets them wait for ever: no timeout counts during a
 * commit. It still serves reads, so the health query succeeds.
 *
 * After `COMMIT_TIMEOUT_MS`, the waiting requests get an error that their outcome is unknown. PostgreSQL keeps their sessions and locks
 * until a standby confirms, so further changes would take all connections. So the pools refuse changes, and one commit waits for the end.
 * A waiting commit is never canceled: readers would see a change that the standby does not have.
 *
 * If the URL names several hosts, the standby may be silent because it was promoted. The waiting commit ends when the search for the primary
 * finds that (`PrimarySearch.lookForNewer`), and the next one goes there.
 */
export class CommitOutage {
  readonly #settings: ConnectionSettings;
  readonly #log: Logger;
  readonly #pools: ReadonlySet<CommittingPool>;
  readonly #closed = new AbortController();
  #client: pg.Client | undefined;
  #looking: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;
  #isOut = false;
  /** The commits that waited when this looked last, by connection and transaction. */
  #waited: ReadonlySet<string> = new Set();
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: ConnectionSettings, log: Logger, pools: ReadonlySet<CommittingPool>) {
    this.#settings = settings;
    this.#log = log;
    this.#pools = pools;
  }

  /** Whether no standby confirms commits now. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /** Whether a refused change may be one that this refuses. */
  get explainsRefusals(): boolean {
    return this.#isOut || performance.now() - this.#endedAt < LATE_REFUSAL_MS;
  }

  /** Looks for commits that wait too long. Call it often: it asks the database only if a connection is in use for long. */
  look(): void {
    if (this.#closed.signal.aborted || this.#looking !== undefined) return;
    const busy = [...this.#pools].flatMap((pool) => pool.backendsBusyFor(COMMIT_DOUBT_MS));
    if (busy.length === 0) {
      this.#waited = new Set();
      this.#drop();
      return;
    }
    this.#looking = this.#look(busy)
      // A database that does not respond is a matter of the health check.
      .catch(() => this.#drop())
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#drop();
    await Promise.all([this.#looking, this.#waiting]);
    // A look may have connected meanwhile.
    this.#drop();
  }

  /**
   * PostgreSQL does not say when a commit began. If a statement is a transaction of its own, `state_change` is the time when the statement began. So a
   * commit counts only when it is seen waiting for the second time.
   */
  async #look(busy: readonly number[]): Promise<void> {
    this.#client ??= await connect(this.#settings, 'heddle commit check', BACKGROUND_TIMEOUT_MS);
    const { rows: found } = await this.#client.query<{ pid: number; commit: string; standbys: string }>(
      `SELECT pid, concat(pid, ' ', backend_xid) AS commit, current_setting('synchronous_standby_names') AS standbys
         FROM pg_stat_activity
        WHERE pid = ANY ($1::int[]) AND wait_event = 'SyncRep'
          AND clock_timestamp() - state_change > make_interval(secs => $2)`,
      [busy, COMMIT_TIMEOUT_MS / 1_000],
    );
    const rows = found.filter(({ commit }) => this.#waited.has(commit));
    this.#waited = new Set(found.map(({ commit }) => commit));
    const [first] = rows;
    if (first === undefined || this.#closed.signal.aborted) return;
    this.#begin(first.standbys);
    const error = new UnknownOutcomeError('no synchronous standby confirms the commit');
    const waiting = rows.map(({ pid }) => pid);
    for (const pool of this.#pools) pool.breakOffBackends(waiting, error);
  }

  #begin(standbys: string): void {
    if (this.#isOut) return;
    this.#isOut = true;
    this.#log.error(
      { reason: 'no synchronous standby confirms commits', synchronous_standby_names: standbys },
      'the database accepts no changes',
    );
    for (const pool of this.#pools) pool.refuseChanges(true);
    this.#settings.primary?.lookForNewerNow();
    this.#waiting = this.#untilItCommits();
  }

  async #untilItCommits(): Promise<void> {
    const { signal } = this.#closed;
    const begun = performance.now();
    while (!(await this.#commit())) {
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#isOut = false;
    this.#endedAt = performance.now();
    for (const pool of this.#pools) pool.refuseChanges(false);
    this.#log.warn({ seconds: (performance.now() - begun) / 1_000 }, 'the database accepts changes again');
  }

  /** Waits for one commit, however long it takes. */
  async #commit(): Promise<boolean> {
    let client: pg.Client | undefined;
    const giveUp = (): void => {
      if (client !== undefined) breakOff(client);
    };
    this.#closed.signal.addEventListener('abort', giveUp);
    try {
      client = await connect(this.#settings, 'heddle commit check');
      await client.query(`SELECT ${DURABLE_COMMITS}`);
      await client.query("SELECT pg_logical_emit_message(true, 'heddle', '')");
      await client.end();
      return true;
    } catch {
      giveUp();
      return false;
    } finally {
      this.#closed.signal.removeEventListener('abort', giveUp);
    }
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) breakOff(client);
  }
}

async function connect(settings: ConnectionSettings, name: string, queryTimeout?: number): Promise<pg.Client> {
  const client = new DatabaseClient({
    ...settings,
    application_name: name,
    connectionTimeoutMillis: BACKGROUND_TIMEOUT_MS,
    ...(queryTimeout !== undefined && { query_timeout: queryTimeout }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
