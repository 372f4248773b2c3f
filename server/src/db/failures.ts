import pg from 'pg';

/** Nobody was asked, or nobody answered: the database is out of reach, does not answer, or too many wait for it already. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}

/** The connection was lost before the commit was asked for: whatever the transaction did is undone. */
export class LostBeforeCommitError extends DatabaseUnavailableError {
  override readonly name: string = 'LostBeforeCommitError';
}

/**
 * Whether a failed statement certainly changed nothing: PostgreSQL itself refused it. When the connection broke instead, it may or
 * may not have committed, and trying again could do it twice.
 */
export function wasRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && !UNCERTAIN.test(error.code);
}

/** Whether a change that failed certainly changed nothing: PostgreSQL refused it, or our own code threw before the commit was asked for. */
export function changedNothing(error: unknown): boolean {
  if (error instanceof LostBeforeCommitError) return true;
  return error instanceof pg.DatabaseError ? wasRolledBack(error) : !isUnavailable(error);
}

/** Whether a statement for many may be tried for each: it certainly changed nothing, and not because the database cannot serve now. */
export function mayTrySingly(error: unknown): boolean {
  return wasRolledBack(error) && !isUnavailable(error);
}

/** SQLSTATE classes with which the server ends a connection or fails itself. By code, since words follow the server's language. */
const UNCERTAIN = /^(08|57P|58|XX)/;

/**
 * SQLSTATE classes of a database that cannot serve now: connection, login, resources, a lock that was not to be had, an end that was put
 * to the statement, operator, system, a read-only server, and one that ended a transaction because this process had paused in it.
 */
const UNAVAILABLE = /^(08|28|3D|53|55P03|57014|57P|58|25006|25P0[34])/;
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

/** What `pg` says in words alone. */
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Whether the error says that the database cannot serve now, whatever was asked of it. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && NETWORK.has(error.code)) return true;
  return BROKEN.test(error.message);
}

/** Whether the error is a violation of this unique index or constraint. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** Whether a lock was not to be had in time, or only by ending a deadlock. The transaction has been rolled back. */
export function lostLock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
}

/** Whether the statement had taken as long as its connection allows, or somebody has ended it. It has been rolled back. */
export function ranOutOfTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}

/** Whether PostgreSQL passed over the statement, because one before it had failed the transaction. */
export function isAfterFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}
