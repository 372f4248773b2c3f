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
import {
  DatabaseUnavailableError,
  isAfterFailure,
  isOutcomeUnknown,
  isUnavailable,
  isUnsent,
  LostBeforeCommitError,
  UnknownOutcomeError,
} from './failures.ts';
import { parameterOf } from './parameters.ts';
import { BoundedPool } from './pool.ts';
import { nameOf } from './prepared.ts';
import type { Database, DbTransaction } from './schema.ts';
import { READ_TIMEOUTS, SNAPSHOT_TIMEOUTS, type Timeouts } from './timeouts.ts';

/** An open transaction on its own connection. */
export interface OpenTransaction {
  readonly db: DbTransaction;
  /** The same connection, for prepared statements. */
  readonly client: pg.PoolClient;
}

/** How a transaction ends: with a last statement that is sent together with the commit, or with the commit alone. */
export interface Ending<Result> {
  readonly statement?: pg.QueryConfig;
  /**
   * Called while the database executes the last statement and the commit. If it throws, the caller gets that error, but
   * the transaction is committed.
   */
  readonly meanwhile?: () => void;
  /** Called after the commit with the rows of the last statement. */
  readonly result: (rows: readonly unknown[]) => Result;
}

/**
 * Runs `act` in a transaction and commits. The last statement and the commit are sent together. So the locks of the
 * last statement are not held until a busy event loop has read a response. If that statement fails, the commit rolls
 * back. If `act` throws, everything is rolled back.
 * @param waits timeouts that differ from those of the connection, in milliseconds
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  act: (transaction: OpenTransaction) => Promise<Ending<Result>>,
  timeouts: Partial<Timeouts> = {},
): Promise<Result> {
  return transact(pool, `BEGIN${settingsFor(timeouts)}`, act);
}

/**
 * Runs `act` in a transaction and commits. If PostgreSQL ends the transaction before the commit, for example because
 * this process paused, `act` runs again. So `act` must change nothing but the database.
 */
export async function inRepeatedTransaction<Result>(
  pool: pg.Pool,
  act: (db: DbTransaction) => Promise<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await inTransaction(pool, async ({ db }) => {
        const result = await act(db);
        return { result: () => result };
      });
    } catch (error) {
      if (!(error instanceof LostBeforeCommitError) || retries >= MAX_REPETITIONS) throw error;
    }
  }
}

/** A database that is down also ends transactions. Then no repetition helps. */
const MAX_REPETITIONS = 2;

/**
 * Reads from one snapshot, taken by the first statement, and may write a little. It may even if the disk is almost full
 * (`embedded-postgres/`), because clients cannot read without it. Statements that begin together are sent together.
 */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  read: (snapshot: DbTransaction) => Promise<Ending<Result>>,
): Promise<Result> {
  checkAcceptsChanges(pool);
  return transact(pool, `BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE${settingsFor(SNAPSHOT_TIMEOUTS)}`, ({ db }) =>
    read(db),
  );
}

function checkAcceptsChanges(pool: pg.Pool): void {
  if (pool instanceof BoundedPool && pool.refusesChanges)
    throw new DatabaseUnavailableError('the database confirms no commits');
}

/**
 * The same without writes. Does not wait for the end of the transaction.
 * @param checkMayGoOn called before each statement; if it throws, the statement is not sent
 */
export async function readSnapshot<Result>(
  pool: pg.Pool,
  read: (snapshot: DbTransaction) => Promise<Result>,
  timeouts: Partial<Timeouts> = READ_TIMEOUTS,
  checkMayGoOn?: () => void,
): Promise<Result> {
  const client = await pool.connect();
  try {
    sendTogether(client);
    const begun = client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${settingsFor(timeouts)}`);
    begun.catch(() => undefined);
    return await read(kyselyOn(client, begun, checkMayGoOn));
  } finally {
    client.query('COMMIT').catch(() => undefined);
    client.release();
  }
}

/** Runs one statement, which is its own snapshot. A statement timeout does not cost the connection. */
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

/**
 * Runs one statement that may write, in a transaction of its own. PostgreSQL sends its first row before it commits, so `meanwhile` works on it
 * while the disk writes. No statements begin and end the transaction. It has the timeouts of the connection.
 * @param meanwhile gets undefined if there is no row. If it throws, the statement may have been committed.
 * @returns after the commit, the result of `meanwhile`
 */
export async function inOneStatement<Row extends pg.QueryResultRow, Result>(
  pool: pg.Pool,
  statement: CompiledQuery<Row>,
  meanwhile: (row: Row | undefined) => Promise<Result>,
): Promise<Result> {
  checkAcceptsChanges(pool);
  const client = await pool.connect();
  const { promise: row, resolve: received } = Promise.withResolvers<Row | undefined>();
  const committed = new Promise<void>((resolve, reject) => {
    const query = new EarlyRows<Row>(configOf(statement), (error) => (error ? reject(error) : resolve()));
    query.once('row', received);
    client.query(query);
  }).finally(() => {
    received(undefined);
    // `meanwhile` may need a connection, too.
    client.release();
  });
  const [commit, result] = await Promise.allSettled([committed, row.then(meanwhile)]);
  if (commit.status === 'rejected') throw lostInCommit(commit.reason);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** A statement whose rows PostgreSQL sends at once. Otherwise it keeps a few rows until the commit has reached the disk. */
class EarlyRows<Row extends pg.QueryResultRow> extends pg.Query<Row> {
  /** The simple protocol, which `pg` uses for a statement without values, has no such request. */
  readonly queryMode = 'extended';
  override submit = (connection: pg.Connection): unknown => {
    const sync = (): void => {
      connection.flush();
      connection.sync();
    };
    return pg.Query.prototype.submit.call(this, Object.create(connection, { sync: { value: sync } }));
  };
}

/** Changes the timeouts of the connection for the rest of the transaction. */
export async function allow(transaction: DbTransaction, timeouts: Partial<Timeouts>): Promise<void> {
  const settings = namedSettings(timeouts).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await transaction.executeQuery(CompiledQuery.raw(`SELECT ${settings.join(', ')}`));
}

function settingsFor(timeouts: Partial<Timeouts>): string {
  return namedSettings(timeouts)
    .map(([name, value]) => `; SET LOCAL ${name} = ${value}`)
    .join('');
}

function namedSettings({ statement, lock, pause }: Partial<Timeouts>): readonly (readonly [string, number])[] {
  const settings = [
    ['statement_timeout', statement],
    ['lock_timeout', lock],
    ['idle_in_transaction_session_timeout', pause],
  ] as const;
  return settings.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** @param begin sent together with the first statement of `act` */
async function transact<Result>(
  pool: pg.Pool,
  begin: string,
  act: (transaction: OpenTransaction) => Promise<Ending<Result>>,
): Promise<Result> {
  const client = await pool.connect();
  let unusable = false;
  try {
    sendTogether(client);
    const begun = client.query(begin).catch(refusalOfStandby);
    begun.catch(() => undefined);
    const ending = await act({ db: kyselyOn(client, begun), client }).catch(async (error: unknown) => {
      await client.query('ROLLBACK').catch(() => {
        unusable = true;
      });
      throw lostBeforeCommit(error);
    });
    await begun;
    if (ending.statement !== undefined) sendTogether(client);
    const [last, commit, meanwhile] = await Promise.allSettled([
      ending.statement === undefined ? undefined : client.query(ending.statement),
      client.query('COMMIT'),
      ending.meanwhile === undefined ? undefined : afterSending(ending.meanwhile),
    ]);
    if (last.status === 'rejected')
      throw wasBeforeCommit(last.reason) ? lostBeforeCommit(last.reason) : lostInCommit(last.reason);
    if (commit.status === 'rejected')
      throw isUnsent(commit.reason) ? lostBeforeCommit(commit.reason) : lostInCommit(commit.reason);
    if (commit.value.command === 'ROLLBACK') throw new Error('a failed statement had ended the transaction');
    if (meanwhile.status === 'rejected') throw meanwhile.reason;
    return ending.result(last.value?.rows ?? []);
  } finally {
    client.release(unusable);
  }
}

/**
 * Sends what the connection gets in this turn with one call of the system. A call wakes PostgreSQL up, and takes longer than most statements
 * take to write.
 */
function sendTogether(client: pg.PoolClient): void {
  const socket = client.connection.stream; // wire name: Node's word for the socket
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** A standby refuses to begin a transaction that may write. */
function refusalOfStandby(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === FEATURE_NOT_SUPPORTED)
    throw new DatabaseUnavailableError('the database is a standby', { cause: error });
  throw error;
}

/** A SQLSTATE. */
const FEATURE_NOT_SUPPORTED = '0A000';

/** Runs `act` after the socket has sent its data (`sendTogether`). */
async function afterSending(act: () => void): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve));
  act();
}

/**
 * Whether the failure of the last statement proves that the commit did not run. PostgreSQL itself reported the end of
 * the session, or the statement could not be sent. Any other broken connection proves nothing.
 */
function wasBeforeCommit(error: unknown): boolean {
  return error instanceof pg.DatabaseError || isUnsent(error);
}

/** The commit was sent, and no response came. */
function lostInCommit(error: unknown): unknown {
  return isOutcomeUnknown(error)
    ? new UnknownOutcomeError('the connection was lost during the commit', { cause: error })
    : error;
}

/**
 * PostgreSQL ends a transaction whose process pauses, and Heddle ends stalled ones. Depending on its state, this
 * process sees an error of PostgreSQL or a lost connection. In both cases, nothing was committed.
 */
function lostBeforeCommit(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !ENDS_SESSION.test(error.code ?? '')) return error;
  return isUnavailable(error) ? new LostBeforeCommitError('the transaction was ended', { cause: error }) : error;
}

/** SQLSTATEs that end the session: a pause, an administrator, a crash or a shutdown. */
const ENDS_SESSION = /^(08|25P0[34]|57P)/;

const dialect = new PostgresDialect({
  pool: async () => {
    throw new Error('a transaction already has its connection');
  },
});
const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const driver = new DummyDriver();

/** Kysely on one connection in a transaction. Statements that begin together are sent together. */
function kyselyOn(client: pg.PoolClient, begun: Promise<unknown>, checkMayGoOn?: () => void): DbTransaction {
  const connection = new ClientConnection(client, begun, checkMayGoOn);
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Transaction<Database>({ config: { dialect }, driver, executor, dialect });
}

function configOf(query: CompiledQuery): pg.QueryConfig {
  const name = nameOf(query);
  return { ...(name !== undefined && { name }), text: query.sql, values: query.parameters.map(parameterOf) };
}

class ClientConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #begun: Promise<unknown>;
  readonly #checkMayGoOn: (() => void) | undefined;
  /** The first error of the transaction. */
  #failure: unknown;

  constructor(client: pg.PoolClient, begun: Promise<unknown>, checkMayGoOn: (() => void) | undefined) {
    this.#client = client;
    this.#begun = begun;
    this.#checkMayGoOn = checkMayGoOn;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#checkMayGoOn?.();
    const [result] = await Promise.all([this.#client.query(configOf(query)), this.#begun]).catch((error: unknown) => {
      throw this.#reason(error);
    });
    return {
      rows: result.rows,
      ...(result.command !== 'SELECT' && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    };
  }

  /**
   * Statements sent together after a failed one report only that the transaction failed. Returns the original error for
   * all of them.
   */
  #reason(error: unknown): unknown {
    if (this.#failure !== undefined && isAfterFailure(error)) return this.#failure;
    this.#failure ??= error;
    return error;
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a transaction does not support cursors');
  }
}
