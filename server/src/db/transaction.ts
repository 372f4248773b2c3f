import {
  CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely';
import pg from 'pg';
import { isAfterFailure, isUnavailable, LostBeforeCommitError } from './failures.ts';
import { parameterOf } from './parameters.ts';
import { nameOf } from './prepared.ts';
import type { Database, DbTransaction } from './schema.ts';
import { READING, SNAPSHOT, type Waits } from './waits.ts';

/** One transaction under way, on a connection of its own. */
export interface OpenTransaction {
  readonly db: DbTransaction;
  /** The same connection, for prepared statements. */
  readonly client: pg.PoolClient;
}

/** How a transaction ends: with a last statement that travels together with the commit, or with nothing but the commit. */
export interface Ending<Result> {
  readonly statement?: pg.QueryConfig;
  /** Called while the database is busy with that: what this process can do in the meantime. If it throws, so does the transaction, committed. */
  readonly meanwhile?: () => void;
  /** Called after the commit with the rows of the last statement. */
  readonly result: (rows: readonly unknown[]) => Result;
}

/**
 * Runs `act` in a transaction and commits. The last statement and the commit are sent in one go: what the statement locks is held for
 * as long as the database needs, and not until a busy event loop has read an answer. If it fails, the commit rolls back.
 * What `act` throws rolls everything back.
 * @param waits where it may wait for longer or shorter than its connection, in milliseconds
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  act: (transaction: OpenTransaction) => Promise<Ending<Result>>,
  waits: Partial<Waits> = {},
): Promise<Result> {
  return transact(pool, `BEGIN${settingsFor(waits)}`, act);
}

/**
 * Reads from one snapshot of the database, which is that of the first statement, and may end with a statement that writes. Statements
 * that are begun together are sent together.
 */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  read: (snapshot: DbTransaction) => Promise<Ending<Result>>,
): Promise<Result> {
  return transact(pool, `BEGIN ISOLATION LEVEL REPEATABLE READ${settingsFor(SNAPSHOT)}`, ({ db }) => read(db));
}

/** The same for what writes nothing: nobody waits for its end. */
export async function readSnapshot<Result>(
  pool: pg.Pool,
  read: (snapshot: DbTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const begun = client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${settingsFor(READING)}`);
    begun.catch(() => undefined);
    return await read(kyselyOn(client, begun));
  } finally {
    client.query('COMMIT').catch(() => undefined);
    client.release();
  }
}

/** Reads by one statement, which is its own snapshot. A connection whose statement took too long is as good as before. */
export async function readAlone<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<readonly Row[]> {
  const client = await pool.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    client.release();
  }
}

/** What a statement that writes has answered. */
export interface Written<Row> {
  /** There before they are durable. */
  readonly rows: readonly Row[];
  /** Until then nobody may be told. */
  readonly committed: Promise<void>;
}

/**
 * Executes one statement in a transaction of its own, all in one exchange. Its rows are answered while the disk is still waited for: what
 * they are asked for can be made in the meantime.
 */
export async function write<Row extends object>(pool: pg.Pool, statement: CompiledQuery<Row>): Promise<Written<Row>> {
  const client = await pool.connect();
  const { sql: text, parameters } = statement;
  const begun = client.query('BEGIN');
  const written = client.query<Row>({ name: nameOf(statement), text, values: [...parameters] });
  const ended = client.query('COMMIT');
  const committed = Promise.allSettled([begun, written, ended]).then((results) => {
    client.release();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  // Who asks late is still told.
  committed.catch(() => undefined);
  try {
    return { rows: (await written).rows, committed };
  } catch (error) {
    await Promise.allSettled([committed]);
    throw error;
  }
}

/** Lets the rest of a transaction wait for longer, or shorter, than its connection. */
export async function allow(transaction: DbTransaction, waits: Partial<Waits>): Promise<void> {
  const settings = namedSettings(waits).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await transaction.executeQuery(CompiledQuery.raw(`SELECT ${settings.join(', ')}`));
}

function settingsFor(waits: Partial<Waits>): string {
  return namedSettings(waits)
    .map(([name, value]) => `; SET LOCAL ${name} = ${value}`)
    .join('');
}

function namedSettings({ statement, lock, pause }: Partial<Waits>): readonly (readonly [string, number])[] {
  const settings = [
    ['statement_timeout', statement],
    ['lock_timeout', lock],
    ['idle_in_transaction_session_timeout', pause],
  ] as const;
  return settings.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** @param begin is sent together with the first statement of `act` */
async function transact<Result>(
  pool: pg.Pool,
  begin: string,
  act: (transaction: OpenTransaction) => Promise<Ending<Result>>,
): Promise<Result> {
  const client = await pool.connect();
  let unusable = false;
  try {
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const ending = await act({ db: kyselyOn(client, begun), client }).catch(async (error: unknown) => {
      await client.query('ROLLBACK').catch(() => {
        unusable = true;
      });
      throw lostBeforeCommit(error);
    });
    await begun;
    const [last, commit, meanwhile] = await Promise.allSettled([
      ending.statement === undefined ? undefined : client.query(ending.statement),
      client.query('COMMIT'),
      ending.meanwhile === undefined ? undefined : afterSending(ending.meanwhile),
    ]);
    if (last.status === 'rejected') throw wasBeforeCommit(last.reason) ? lostBeforeCommit(last.reason) : last.reason;
    if (commit.status === 'rejected') throw isUnsent(commit.reason) ? lostBeforeCommit(commit.reason) : commit.reason;
    if (commit.value.command === 'ROLLBACK') throw new Error('a failed statement had ended the transaction');
    if (meanwhile.status === 'rejected') throw meanwhile.reason;
    return ending.result(last.value?.rows ?? []);
  } finally {
    client.release(unusable);
  }
}

/** Connections send what was written in a turn of the loop at its end (`db/pool.ts`). */
async function afterSending(act: () => void): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve));
  act();
}

/**
 * Whether the last statement failed, and so the commit was not carried out: PostgreSQL itself says that the session ended with it, or it could
 * not be sent. Any other broken connection says nothing.
 */
function wasBeforeCommit(error: unknown): boolean {
  return error instanceof pg.DatabaseError || isUnsent(error);
}

/** What `pg` says of a connection whose end it has seen: it sends nothing there. */
const NOT_QUERYABLE = /is not queryable$/;

/** The last statement and the commit are one piece of bytes, with the commit at its end: a piece that was not sent whole commits nothing. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('syscall' in error && error.syscall === 'write') || NOT_QUERYABLE.test(error.message);
}

/**
 * PostgreSQL ends a transaction whose process pauses, or stands still with the log in its hands. How the process hears of that, by
 * PostgreSQL's word or by a connection that is gone, depends on where it was; that nothing was committed is certain.
 */
function lostBeforeCommit(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !ENDS_SESSION.test(error.code ?? '')) return error;
  return isUnavailable(error) ? new LostBeforeCommitError('the transaction was ended', { cause: error }) : error;
}

/** SQLSTATEs after which there is no session: ended for a pause, or by an administrator, a crash or a stop. */
const ENDS_SESSION = /^(08|25P0[34]|57P)/;

const dialect = new PostgresDialect({
  pool: async () => {
    throw new Error('a transaction has its connection already');
  },
});
const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const driver = new DummyDriver();

/** Kysely over one connection in a transaction; statements that are begun together are sent together. */
function kyselyOn(client: pg.PoolClient, begun: Promise<unknown>): DbTransaction {
  const connection = new ClientConnection(client, begun);
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Transaction<Database>({ config: { dialect }, driver, executor, dialect });
}

class ClientConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #begun: Promise<unknown>;
  /** Why the transaction failed. */
  #failure: unknown;

  constructor(client: pg.PoolClient, begun: Promise<unknown>) {
    this.#client = client;
    this.#begun = begun;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const name = nameOf(query);
    const config = { ...(name !== undefined && { name }), text: query.sql, values: query.parameters.map(parameterOf) };
    const [result] = await Promise.all([this.#client.query(config), this.#begun]).catch((error: unknown) => {
      throw this.#reason(error);
    });
    return {
      rows: result.rows,
      ...(result.command !== 'SELECT' && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    };
  }

  /** Of statements that were sent together, those after one that failed say only that one has; whoever hears them first must know why. */
  #reason(error: unknown): unknown {
    if (this.#failure !== undefined && isAfterFailure(error)) return this.#failure;
    this.#failure ??= error;
    return error;
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('no statement of a change reads more rows than memory holds');
  }
}
