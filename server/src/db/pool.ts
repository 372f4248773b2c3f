import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { breakOff } from './break-off.ts';
import { DatabaseUnavailableError, isUnavailable } from './failures.ts';
import type { Pulse } from './pulse.ts';
import type { Database, Db } from './schema.ts';
import {
  CLIENT_CHECK,
  CONNECTION,
  KEEP_ALIVE,
  MOST_IN_LINE,
  PULSE,
  REQUESTS,
  SNAPSHOT,
  UNANSWERED,
  UNREAD,
  type Waits,
} from './waits.ts';

/** What `pg` needs to find the database: a connection string, or the embedded cluster's socket. */
export type ConnectionSettings = Pick<
  pg.PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

/** One pool, two views of it: Kysely for most statements, `pg` itself for the hot prepared ones. */
export interface DatabasePool {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly settings: ConnectionSettings;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** How many connections at most. */
  readonly size?: number;
  readonly waits?: Waits;
  /** Tells those that wait when the database does not answer at all; nobody does without. */
  readonly pulse?: Pulse;
  readonly name?: string;
  /** Whether connections stay open however long nobody needs them. */
  readonly keepsConnections?: boolean;
}

const INT8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    // Every bigint of ours counts events, messages or recipients: far below 2^53.
    if (oid === INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Opens the pool. Connections are made on first use; an idle connection that breaks is dropped, not fatal. */
export function openPool(settings: ConnectionSettings, log: Logger, options: PoolOptions = {}): DatabasePool {
  const { size = 12, waits = REQUESTS, pulse, name = 'heddle', keepsConnections = false } = options;
  const pool = new BoundedPool(
    {
      ...settings,
      max: size,
      types,
      application_name: name,
      pipeline: true,
      stream: () => new GatheringSocket(), // wire name: `pg` calls its connection so
      connectionTimeoutMillis: CONNECTION,
      query_timeout: Math.max(waits.statement, SNAPSHOT.statement) + UNANSWERED,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      ...(keepsConnections && { idleTimeoutMillis: 0 }),
      onConnect: (client) => prepare(client, waits),
    },
    pulse,
  );
  surviveBrokenConnections(pool, log);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const leave = pulse?.watch(pool);
  return {
    db,
    pool,
    settings,
    async close() {
      // A database that does not answer does not say goodbye either.
      const giveUp = setTimeout(() => pool.cutOff(new DatabaseUnavailableError('the pool is closed')), PULSE);
      await db.destroy();
      // Kysely ends only what it has used itself.
      if (!pool.ending) await pool.end();
      clearTimeout(giveUp);
      leave?.();
    },
  };
}

/**
 * Said on the connection itself, where no setting of the database, of the role or in the operator's URL voids it. Of `synchronous_commit`
 * only `off` breaks what we promise; the others say where a commit must have arrived, and are the operator's to choose. Compiling a
 * statement takes PostgreSQL seconds where a narrow has many terms; none of ours runs for so long that it would pay.
 */
async function prepare(client: pg.ClientBase, { statement, lock, pause }: Waits): Promise<void> {
  await client.query(`
    SELECT set_config('statement_timeout', '${statement}', false),
           set_config('lock_timeout', '${lock}', false),
           set_config('idle_in_transaction_session_timeout', '${pause}', false),
           set_config('tcp_user_timeout', '${UNREAD}', false),
           set_config('jit', 'off', false),
           set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                                              WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`);
  // Not every system can tell; then a statement runs to its own bound for a client that is gone.
  await client.query(`SET client_connection_check_interval = ${CLIENT_CHECK}`).catch(() => undefined);
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose line is bounded, and whose users are told at once when the database does not answer. */
export class BoundedPool extends pg.Pool {
  readonly #pulse: Pulse | undefined;
  readonly #clients = new Set<pg.Client>();
  readonly #inLine = new Set<(error: Error) => void>();
  #answered = 0;

  constructor(config: pg.PoolConfig, pulse: Pulse | undefined) {
    const clients = new Set<pg.Client>();
    // The pool tells of connections only once they stand; those that are being made must be cut off too.
    class ListedClient extends pg.Client {
      constructor(settings?: string | pg.ClientConfig) {
        super(settings);
        clients.add(this);
        this.once('end', () => clients.delete(this));
      }
    }
    super({ ...config, Client: ListedClient });
    this.#clients = clients;
    this.#pulse = pulse;
    this.on('release', (error) => {
      if (!error) this.#answered += 1;
      else if (isUnavailable(error)) pulse?.doubt();
    });
    this.on('error', () => pulse?.doubt());
  }

  /** Counts what came to its end: while it grows, the database serves. */
  get answered(): number {
    return this.#answered;
  }

  get isBusy(): boolean {
    return this.#inLine.size > 0 || this.totalCount > this.idleCount;
  }

  /** Ends all connections and tells everybody who waits for one. */
  cutOff(error: Error): void {
    for (const tell of [...this.#inLine]) tell(error);
    for (const client of [...this.#clients]) breakOff(client, error);
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
    const tell = (error: Error) => {
      isOver = true;
      this.#inLine.delete(tell);
      connected(error, undefined, () => undefined);
    };
    this.#inLine.add(tell);
    super.connect((error, client, done) => {
      if (isOver) return done();
      this.#inLine.delete(tell);
      if (error !== undefined && error !== null) this.#pulse?.doubt();
      connected(error, client, done);
    });
  }

  #refusal(): Error | undefined {
    if (this.#pulse?.isOut) return new DatabaseUnavailableError('the database does not answer');
    if (this.#inLine.size >= MOST_IN_LINE) return new DatabaseUnavailableError('too many wait for the database');
    return undefined;
  }
}

/**
 * A connection that breaks never ends the process. The pool itself listens only to idle connections, and hears of a broken one once;
 * one that breaks between two statements of a transaction, or breaks again as it is written to, would be an error that nobody
 * caught. Whoever uses it learns of it from the statement that fails.
 */
function surviveBrokenConnections(pool: pg.Pool, log: Logger): void {
  pool.on('error', (error) => {
    // That the database does not answer is told once, for all connections.
    if (error instanceof DatabaseUnavailableError) return;
    // Those that are being closed may meet a database that stops.
    if (pool.ending) return;
    log.warn({ err: error }, 'an idle database connection broke');
  });
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')),
  );
}

/** Sends what is written in one turn of the loop in one go: statements that are begun together cost one system call, not one each. */
class GatheringSocket extends Socket {
  #isGathering = false;

  override connect(...options: unknown[]): this {
    super.connect(...(options as Parameters<Socket['connect']>));
    // Node gives a socket that connects the plain `write`, whatever its class has.
    this.write = (...data: unknown[]) => this.#gather(...data);
    return this;
  }

  #gather(...data: unknown[]): boolean {
    if (!this.#isGathering) {
      this.#isGathering = true;
      super.cork();
      process.nextTick(() => {
        this.#isGathering = false;
        super.uncork();
      });
    }
    return super.write(...(data as Parameters<Socket['write']>));
  }

  /** `pg` corks each statement by itself, and Node sends at the first `uncork` of several. */
  override cork(): void {}
  override uncork(): void {}
}
