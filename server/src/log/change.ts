import { serviceUnavailable } from '@heddle/api/errors.ts';
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { lostLock } from '../db/failures.ts';
import type { DbTransaction } from '../db/schema.ts';
import { EXCLUSIVE_TIMEOUTS, TRANSACTION_PAUSE_TIMEOUT_MS } from '../db/timeouts.ts';
import { allow, inTransaction } from '../db/transaction.ts';
import { lockSeconds } from '../measures.ts';
import { timeOfRequest } from '../time-spent.ts';
import { appendStatement, basesIn } from './append.ts';
import { type Bases, LogEntry } from './entry.ts';
import type { LoggedEvent, NewEvent } from './event.ts';
import type { LogPosition } from './read.ts';

/** A commit that is not sent yet. */
export interface OpenCommit {
  /** What the commit appends. One transaction has one entry. */
  readonly entry: LogEntry;
  /** Adds an event to the commit. */
  append(event: NewEvent): void;
}

/** An optimistic transaction. Its last statement acquires the organization lock and assigns the ids. */
export interface OptimisticLogChange extends OpenCommit {
  readonly db: DbTransaction;
  /**
   * Whether the transaction held the organization lock when it began, so that all other commits wait. Large work must
   * then be split into batches.
   */
  readonly holdsLog: boolean;
}

/**
 * An exclusive transaction (a *directory change*): it holds the organization lock, so `position` stays true until the
 * commit.
 */
export interface LockedLogChange {
  readonly db: DbTransaction;
  readonly holdsLog: true;
  readonly position: LogPosition;
  /** What the commit appends. One transaction has one entry. */
  readonly entry: LogEntry;
  /** Adds an event to the commit and returns the id that it will have. */
  append(event: NewEvent): number;
}

export interface Committed<Result> {
  readonly result: Result;
  readonly events: readonly LoggedEvent[];
}

/** Acquires the organization lock: what a transaction checks after this cannot change before its commit. */
const LOCK = `
  SELECT head, directory_head AS "directoryHead", message_head AS "messageHead"
    FROM logs WHERE organization_id = $1 FOR NO KEY UPDATE`;

/**
 * Runs an exclusive transaction: it locks the organization's log row first and holds it until the commit (I1). If `act`
 * throws, everything is rolled back.
 */
export async function commitLocked<Result>(
  pool: pg.Pool,
  organizationId: number,
  act: (change: LockedLogChange) => Promise<Result>,
): Promise<Committed<Result>> {
  return inTransaction(
    pool,
    async ({ db }) => {
      const { result, entry, position } = await actLocked(db, organizationId, act);
      const statement = entry.isEmpty ? undefined : appendLocked(organizationId, entry, position);
      return {
        ...(statement !== undefined && { statement }),
        result: () => ({ result, events: entry.logged(organizationId, basesOf(position)) }),
      };
    },
    EXCLUSIVE_TIMEOUTS,
  );
}

/** Like `commitLocked`, in a transaction that the caller has begun and commits right afterwards. */
export async function changeWithin<Result>(
  transaction: DbTransaction,
  organizationId: number,
  act: (change: LockedLogChange) => Promise<Result>,
): Promise<Committed<Result>> {
  // The caller's transaction may have longer timeouts. From here on it blocks others, so the timeouts of a change
  // apply.
  await allow(transaction, { pause: TRANSACTION_PAUSE_TIMEOUT_MS, ...EXCLUSIVE_TIMEOUTS });
  const { result, entry, position } = await actLocked(transaction, organizationId, act);
  if (!entry.isEmpty) {
    const { text, values = [] } = appendLocked(organizationId, entry, position);
    await transaction.executeQuery(CompiledQuery.raw(text, values));
  }
  return { result, events: entry.logged(organizationId, basesOf(position)) };
}

/**
 * Acquires the organization lock within an optimistic transaction that already holds all its other locks. Until its
 * commit no other transaction of the organization commits, so the rest must be short. Use it where the optimistic check
 * is not enough.
 */
export async function lockLog(db: DbTransaction, organizationId: number): Promise<void> {
  await acquireLock(db, organizationId);
}

async function acquireLock(db: DbTransaction, organizationId: number): Promise<readonly unknown[]> {
  const begunAt = performance.now();
  try {
    return (await db.executeQuery(CompiledQuery.raw(LOCK, [organizationId]))).rows;
  } finally {
    const waited = performance.now() - begunAt;
    lockSeconds.observe({ lock: 'organization' }, waited / 1000);
    timeOfRequest()?.add('lock', waited);
  }
}

async function actLocked<Result>(
  db: DbTransaction,
  organizationId: number,
  act: (change: LockedLogChange) => Promise<Result>,
) {
  const [position] = (await acquireLock(db, organizationId)) as LogPosition[];
  // An import has replaced the organization, and this process does not know that yet.
  if (position === undefined) throw serviceUnavailable('The organization was replaced; please try again');
  const entry = new LogEntry();
  const result = await act({
    db,
    holdsLog: true,
    position,
    entry,
    append: (event) => position.head + entry.append(event),
  });
  return { result, entry, position };
}

function basesOf({ head, messageHead }: LogPosition): Bases {
  return { events: head, messages: messageHead };
}

/**
 * `act` has already used the ids, so the head must not have moved. If it has, the statement fails and nothing is
 * committed.
 */
function appendLocked(organizationId: number, entry: LogEntry, { head, directoryHead }: LogPosition): pg.QueryConfig {
  return appendStatement(organizationId, entry, { directory: directoryHead, head });
}

/**
 * An optimistic transaction waited too long for rows that another transaction holds, which may be about to commit.
 * Nothing was committed.
 */
export class LostRowsError extends Error {
  override readonly name: string = 'LostRowsError';

  constructor(cause: unknown) {
    super('timeout while waiting for rows that another transaction holds', { cause });
  }
}

/** How long an optimistic transaction waits for a lock before it rolls back; `commitOptimistic` says why. */
const LOCK_TIMEOUT_MS = 200;

/**
 * Runs an optimistic transaction: it locks its own rows first, and its last statement assigns the ids. The statement
 * fails (`isRefusal`) if the directory has changed after event `directory`. A change without events skips that check.
 *
 * The lock orders differ: this transaction holds rows while it waits for the log, and an exclusive one may wait for
 * those rows. So this one waits for a bounded time and then rolls back (`lostLock`).
 * @throws LostRowsError if the wait for a row exceeds that time
 */
export async function commitOptimistic<Result>(
  pool: pg.Pool,
  organizationId: number,
  directory: number,
  act: (change: OptimisticLogChange) => Promise<Result>,
): Promise<Committed<Result>> {
  return inTransaction(
    pool,
    async ({ db }) => {
      const entry = new LogEntry();
      const result = await act({
        db,
        holdsLog: false,
        entry,
        append: (event) => void entry.append(event),
      }).catch((error: unknown) => {
        throw lostLock(error) ? new LostRowsError(error) : error;
      });
      if (entry.isEmpty) return { result: () => ({ result, events: [] }) };
      return {
        statement: appendStatement(organizationId, entry, { directory, head: null }),
        result: (rows) => ({ result, events: entry.logged(organizationId, basesIn(rows)) }),
      };
    },
    { lock: LOCK_TIMEOUT_MS },
  );
}

/**
 * Runs an optimistic transaction that only appends: it is one statement. It holds no rows while it waits for the
 * organization lock, so it may wait as long as any statement.
 */
export async function commitAppended<Result>(
  pool: pg.Pool,
  organizationId: number,
  directory: number,
  act: (commit: OpenCommit) => Result,
): Promise<Committed<Result>> {
  const entry = new LogEntry();
  const result = act({
    entry,
    append: (event) => void entry.append(event),
  });
  if (entry.isEmpty) return { result, events: [] };
  const { rows } = await pool.query(appendStatement(organizationId, entry, { directory, head: null }));
  return { result, events: entry.logged(organizationId, basesIn(rows)) };
}
