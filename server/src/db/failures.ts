import pg from 'pg';

/**
 * The database is unreachable, does not respond, or has too many requests waiting for it. The statement did not run.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}

/** The connection was lost before the commit was sent. The transaction was rolled back. */
export class LostBeforeCommitError extends DatabaseUnavailableError {
  override readonly name: string = 'LostBeforeCommitError';
}

/** The connection was lost while it committed, or after that. The change may be stored. */
export class UnknownOutcomeError extends DatabaseUnavailableError {
  override readonly name: string = 'UnknownOutcomeError';
}

/** The error of `pg` when it knows that a connection has ended. It then sends nothing. */
const NOT_QUERYABLE = /is not queryable$/;

/**
 * Whether the data was not sent completely. A last statement and its commit are one write with the commit at its end, so an incomplete
 * write commits nothing.
 */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('syscall' in error && error.syscall === 'write') || NOT_QUERYABLE.test(error.message);
}

/** A connection that did not open: no statement was sent. PostgreSQL says `57P03` while it starts. */
const NOT_CONNECTED = /^(57P03|ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|EACCES|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH)$/;
const NOT_CONNECTED_IN_TIME = /^(timeout exceeded when trying to connect|timeout expired)/;

/** Whether a failed write may be stored nevertheless. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return error instanceof UnknownOutcomeError;
  if (!(error instanceof Error) || !isUnavailable(error) || isUnsent(error)) return false;
  if ('code' in error && NOT_CONNECTED.test(String(error.code))) return false;
  return !wasRolledBack(error) && !NOT_CONNECTED_IN_TIME.test(error.message);
}

/**
 * Whether a failed statement certainly changed nothing, because PostgreSQL refused it. If the connection broke instead,
 * the statement may have been committed, and a retry could run it twice.
 */
export function wasRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && !UNCERTAIN.test(error.code);
}

/**
 * Whether a failed transaction certainly changed nothing: PostgreSQL refused it, or our code threw before the commit
 * was sent.
 */
export function changedNothing(error: unknown): boolean {
  if (error instanceof LostBeforeCommitError) return true;
  return error instanceof pg.DatabaseError ? wasRolledBack(error) : !isUnavailable(error);
}

/**
 * Whether the items of a failed batch may be tried one by one: it certainly changed nothing, and the database is
 * available.
 */
export function mayTrySingly(error: unknown): boolean {
  return wasRolledBack(error) && !isUnavailable(error);
}

/**
 * SQLSTATE classes of a server that ends a connection or fails internally. Codes, because messages depend on the
 * server's language.
 */
const UNCERTAIN = /^(08|57P|58|XX)/;

/**
 * SQLSTATE classes of a database that cannot serve now:
 * - connection, login, resources, operator, system, a read-only server
 * - a lock timeout, a canceled statement, and a transaction that PostgreSQL ended because this process paused in it
 */
const UNAVAILABLE = /^(08|28|3D|53|55P03|57014|57P|58|25006|25P0[34])/;

/**
 * SQLSTATEs of a database that serves reads but refuses writes:
 * - class 53, too few resources: for example a full disk or too many connections
 * - an I/O error, and a read-only server or database
 */
const REFUSES_WRITES = /^(53|58030|25006)/;

/** Whether PostgreSQL responds with this code when it cannot write. */
export function refusesWrites(code: string | undefined): boolean {
  return code !== undefined && REFUSES_WRITES.test(code);
}

/** Whether PostgreSQL refused a change because its transaction is read-only. */
export function isReadOnly(code: string | undefined): boolean {
  return code === READ_ONLY_CODE;
}

const FULL_DISK_CODE = '53100';
const READ_ONLY_CODE = '25006';

/**
 * Why the database refuses a change and serves reads, if that is the failure.
 * @param isEmbedded only a full disk makes the embedded database read-only
 */
export function whyNoChanges(error: unknown, isEmbedded: boolean): 'full disk' | 'read-only' | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  if (error.code === FULL_DISK_CODE) return 'full disk';
  if (error.code !== READ_ONLY_CODE) return undefined;
  return isEmbedded ? 'full disk' : 'read-only';
}

/** For writes that a read can do without. Any other error is thrown. */
export function ignoreRefusedWrite(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && refusesWrites(error.code))) throw error;
}

const NETWORK = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED', // wire name: Node's own code
  'ETIMEDOUT',
]);

/** Errors of `pg` without a code. */
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Whether the error means that the database cannot serve any request now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  // Errors of files and of object stores have the same codes.
  if ('path' in error || '$metadata' in error) return false;
  if ('code' in error && typeof error.code === 'string' && NETWORK.has(error.code)) return true;
  return BROKEN.test(error.message);
}

/**
 * How background work logs a failure that it will retry. While the database is unavailable, or refuses changes, one line has said so
 * (`db/health-check.ts`, `db/write-outage.ts`), and another one says when it ends. A statement that takes too long is a warning,
 * because no other line reports it. The database may serve everything else meanwhile.
 */
export function backgroundLevel(error: unknown): 'debug' | 'warn' {
  return isUnavailable(error) && !ranOutOfTime(error) ? 'debug' : 'warn';
}

/** Whether the error is a violation of this unique index or constraint. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** Whether a lock timeout or a deadlock ended the transaction. It was rolled back. */
export function lostLock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
}

/** Whether a statement timeout or a cancel request ended the statement. It was rolled back. */
export function ranOutOfTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}

/** Whether PostgreSQL skipped the statement because an earlier one failed in the same transaction. */
export function isAfterFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}
