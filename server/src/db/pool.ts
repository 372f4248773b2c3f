import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectionSeconds } from '../measures.ts';
import { type TimeSpent, timeOfRequest } from '../time-spent.ts';
import { backendOf, noteBackend } from './backend.ts';
import { breakOff } from './break-off.ts';
import { DURABLE_COMMITS } from './commit-outage.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { DatabaseClient } from './database-client.ts';
import {
  backgroundLevel,
  DatabaseUnavailableError,
  isUnavailable,
  refusesWrites,
  UnknownOutcomeError,
} from './failures.ts';
import type { HealthCheck } from './health-check.ts';
import type { Database, Db } from './schema.ts';
import {
  CLIENT_CHECK_INTERVAL_MS,
  CONNECTION_REFUSAL_BACKOFF_MS,
  CONNECTION_WAIT_TIMEOUT_MS,
  HEALTH_CHECK_TIMEOUT_MS,
  KEEP_ALIVE_DELAY_MS,
  MAX_WAITING_CONNECTION_REQUESTS,
  REQUEST_TIMEOUTS,
  RESPONSE_GRACE_MS,
  SNAPSHOT_TIMEOUTS,
  type Timeouts,
  UNACKNOWLEDGED_TIMEOUT_MS,
} from './timeouts.ts';

/** One pool with two interfaces: Kysely for most statements, and `pg` for hot prepared ones. */
export interface DatabasePool {
  readonly db: Db;
  readonly pool: BoundedPool;
  readonly settings: ConnectionSettings;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** The maximum number of connections. */
  readonly size?: number;
  readonly timeouts?: Timeouts;
  /**
   * The health check that destroys connections when the database does not respond. Without it, each statement waits for
   * its own timeout.
   */
  readonly healthCheck?: HealthCheck;
  readonly name?: string;
  /** Whether idle connections stay open without limit. */
  readonly keepsConnections?: boolean;
  /** The number of connections that stay open once opened. */
  readonly keepsAtLeast?: number;
}

const INT8_TYPE_ID = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    // Our bigint columns hold ids and counts, far below 2^53.
    if (oid === INT8_TYPE_ID) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Opens the pool. Connections open on first use. If an idle connection breaks, the pool drops it and the process
 * continues.
 */
export function openPool(settings: ConnectionSettings, log: Logger, options: PoolOptions = {}): DatabasePool {
  const {
    size = 12,
    timeouts = REQUEST_TIMEOUTS,
    healthCheck,
    name = 'heddle',
    keepsConnections = false,
    keepsAtLeast = 0,
  } = options;
  const pool = new BoundedPool(
    {
      ...settings,
      max: size,
      min: keepsAtLeast,
      types,
      application_name: name,
      pipeline: true,
      connectionTimeoutMillis: CONNECTION_WAIT_TIMEOUT_MS,
      query_timeout: Math.max(timeouts.statement, SNAPSHOT_TIMEOUTS.statement) + RESPONSE_GRACE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      ...(keepsConnections && { idleTimeoutMillis: 0 }),
      onConnect: (client) => prepare(client, timeouts),
    },
    healthCheck,
  );
  surviveBrokenConnections(pool, log);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const leave = healthCheck?.watch(pool);
  return {
    db,
    pool,
    settings,
    async close() {
      // A database that does not respond does not close connections either.
      const giveUp = setTimeout(
        () => pool.destroyConnections(new DatabaseUnavailableError('the pool is closed')),
        HEALTH_CHECK_TIMEOUT_MS,
      );
      await db.destroy();
      // Kysely ends the pool only if it has used it.
      if (!pool.ending) await pool.end();
      clearTimeout(giveUp);
      leave?.();
    },
  };
}

/**
 * Sets the timeouts and other settings on the connection itself, where they override the database, the role and the
 * operator's URL.
 * - Commits are durable, in the way that the operator chose (`DURABLE_COMMITS`).
 * - JIT compilation is off. A search with many terms would take seconds to compile, and no statement runs long enough
 *   to benefit.
 *
 * Learns the id of the backend, also behind a pooler.
 */
async function prepare(client: pg.ClientBase, { statement, lock, pause }: Timeouts): Promise<void> {
  const { rows } = await client.query<{ backend: number }>(`
    SELECT pg_backend_pid() AS backend,
           set_config('statement_timeout', '${statement}', false),
           set_config('lock_timeout', '${lock}', false),
           set_config('idle_in_transaction_session_timeout', '${pause}', false),
           set_config('tcp_user_timeout', '${UNACKNOWLEDGED_TIMEOUT_MS}', false),
           set_config('jit', 'off', false),
           ${DURABLE_COMMITS}`);
  const [row] = rows;
  if (row !== undefined) noteBackend(client, row.backend);
  // Not supported on every system. Without it, a statement for a lost client runs until its timeout.
  await client.query(`SET client_connection_check_interval = ${CLIENT_CHECK_INTERVAL_MS}`).catch(() => undefined);
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool with a bounded queue. It rejects all waiting requests at once when the database does not respond. */
export class BoundedPool extends pg.Pool {
  readonly #healthCheck: HealthCheck | undefined;
  readonly #clients = new Set<pg.Client>();
  readonly #inLine = new Set<(error: Error) => void>();
  readonly #size: number;
  readonly #name: string;
  /** The requests that have a connection now. */
  readonly #lent = new Map<pg.PoolClient, { readonly time: TimeSpent; readonly at: number }>();
  /** Since when each connection is in use, on the clock of `performance.now`. */
  readonly #busySince = new Map<pg.PoolClient, number>();
  #refusesChanges = false;
  #smaller: NodeJS.Timeout | undefined;
  #answered = 0;

  constructor(config: pg.PoolConfig & { readonly max: number }, healthCheck: HealthCheck | undefined) {
    const clients = new Set<pg.Client>();
    // The pool reports only open connections, but connections that are still opening must be destroyed too.
    class ListedClient extends DatabaseClient {
      constructor(settings: pg.ClientConfig = {}) {
        super(settings);
        clients.add(this);
        this.connection.on('errorMessage', (error: pg.DatabaseError) => healthCheck?.received(error));
        this.once('end', () => clients.delete(this));
      }
    }
    super({ ...config, Client: ListedClient });
    this.#clients = clients;
    this.#size = config.max;
    this.#name = config.application_name ?? 'heddle';
    this.#healthCheck = healthCheck;
    this.on('acquire', (client) => this.#busySince.set(client, performance.now()));
    this.on('remove', (client) => this.#busySince.delete(client));
    this.on('release', (error, client) => {
      this.#busySince.delete(client);
      const lent = this.#lent.get(client);
      if (lent !== undefined) {
        this.#lent.delete(client);
        lent.time.add('database', performance.now() - lent.at);
      }
      if (!error) this.#answered += 1;
      else if (isUnavailable(error)) healthCheck?.doubt();
    });
    this.on('error', () => healthCheck?.doubt());
  }

  /** The number of finished requests. While it grows, the database responds. */
  get answered(): number {
    return this.#answered;
  }

  get isBusy(): boolean {
    return this.#inLine.size > 0 || this.totalCount > this.idleCount;
  }

  /**
   * Replaces the connections of an idle pool by new ones. A connection keeps the plans of its statements, and what it knows of their tables.
   * So it has 18 MB after the statements of all requests, and 2 MB when it is new. The old ones stay if PostgreSQL accepts no new ones.
   */
  async renew(): Promise<void> {
    if (this.isBusy || this.ending || this.options.max < this.#size || this.#refusal() !== undefined) return;
    const { min = 0 } = this.options;
    const taken = await Promise.all(Array.from({ length: this.idleCount }, () => this.#take()));
    const old = taken.filter((client) => client !== undefined);
    // They make room for the new ones.
    for (const client of old.splice(min)) client.release(true);
    // No idle one is left, so these open.
    const fresh = await Promise.all(Array.from({ length: min }, () => this.#take()));
    const isRenewed = fresh.every((client) => client !== undefined);
    for (const client of old) client.release(isRenewed);
    for (const client of fresh) client?.release();
  }

  /** An idle connection, or a new one. Undefined if PostgreSQL refuses it. It does not wait for others. */
  #take(): Promise<pg.PoolClient | undefined> {
    return new Promise((resolve) => {
      try {
        super.connect((_error, client) => resolve(client));
      } catch {
        // A file of the settings cannot be read now, for example a certificate.
        resolve(undefined);
      }
    });
  }

  /** Destroys all connections and rejects all requests that wait for one. */
  destroyConnections(error: Error): void {
    for (const report of [...this.#inLine]) report(error);
    // A statement that was sent may be executed all the same.
    const broken = new UnknownOutcomeError(error.message, { cause: error });
    for (const client of [...this.#clients]) breakOff(client, broken);
  }

  backendsBusyFor(milliseconds: number): readonly number[] {
    const before = performance.now() - milliseconds;
    return [...this.#busySince].filter(([, since]) => since < before).map(([client]) => backendOf(client));
  }

  breakOffBackends(backends: readonly number[], error: Error): void {
    for (const client of [...this.#clients]) if (backends.includes(backendOf(client))) breakOff(client, error);
  }

  /** Whether its connections refuse changes now, because no standby confirms them. */
  get refusesChanges(): boolean {
    return this.#refusesChanges;
  }

  refuseChanges(isRefusing: boolean): void {
    this.#refusesChanges = isRefusing;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.#enter((error, client) => (client === undefined ? reject(error) : resolve(client)));
      });
    }
    this.#enter(callback);
    return undefined;
  }

  #enter(connected: Connected): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      process.nextTick(connected, refusal, undefined, () => undefined);
      return;
    }
    let isOver = false;
    const time = timeOfRequest();
    const askedAt = performance.now();
    const report = (error: Error) => {
      isOver = true;
      this.#inLine.delete(report);
      connected(error, undefined, () => undefined);
    };
    this.#inLine.add(report);
    const ask = (): void =>
      super.connect((error, client, done) => {
        if (isOver) return done();
        if (error instanceof pg.DatabaseError && refusesWrites(error.code) && this.#makeDo()) return ask();
        this.#inLine.delete(report);
        if (error !== undefined && error !== null) this.#healthCheck?.doubt();
        if (client instanceof DatabaseClient) client.refuseChanges(this.#refusesChanges);
        const now = performance.now();
        connectionSeconds.observe({ pool: this.#name }, (now - askedAt) / 1000);
        if (time !== undefined && client !== undefined) {
          time.add('connection', now - askedAt);
          this.#lent.set(client, { time, at: now });
        }
        connected(error, client, done);
      });
    ask();
  }

  /**
   * Handles a refused connection: PostgreSQL has too many, or its disk is full, so that it cannot write the cache of
   * its catalogs. The pool opens no more for a while, and the request waits for an open connection. Returns false if
   * none is open.
   */
  #makeDo(): boolean {
    if (this.totalCount === 0) return false;
    this.options.max = this.totalCount;
    clearTimeout(this.#smaller);
    this.#smaller = setTimeout(() => {
      this.options.max = this.#size;
    }, CONNECTION_REFUSAL_BACKOFF_MS);
    this.#smaller.unref();
    return true;
  }

  #refusal(): Error | undefined {
    if (this.#healthCheck?.isOut) return new DatabaseUnavailableError('the database does not respond');
    if (this.#inLine.size >= MAX_WAITING_CONNECTION_REQUESTS)
      return new DatabaseUnavailableError('too many requests wait for the database');
    return undefined;
  }
}

/**
 * Keeps broken connections from ending the process. Without a listener, an `error` event ends it. The pool itself
 * listens only on idle connections, and only for the first error. A connection may also break between two statements of
 * a transaction, or a second time. The next statement reports it to the caller.
 */
function surviveBrokenConnections(pool: pg.Pool, log: Logger): void {
  pool.on('error', (error) => {
    // The health check logs one line for all connections.
    if (error instanceof DatabaseUnavailableError) return;
    // During shutdown, the database may stop before the connections are closed.
    if (pool.ending) return;
    log[backgroundLevel(error)]({ err: error }, 'an idle database connection broke');
  });
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')),
  );
}
