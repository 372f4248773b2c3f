import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { lostLock } from '../db/failures.ts';
import type { DbTransaction } from '../db/schema.ts';
import { allow, inTransaction } from '../db/transaction.ts';
import { CHANGE_PAUSE, LOCKED_CHANGE } from '../db/waits.ts';
import { appendStatement, basesIn } from './append.ts';
import { type Bases, LogEntry, type NewMessage } from './entry.ts';
import type { LoggedEvent, NewEvent } from './event.ts';
import type { LogPosition } from './read.ts';

/** A change under way whose ids the last statement takes. */
export interface OrdinaryLogChange {
  readonly db: DbTransaction;
  /** Whether all others wait for its end to commit anything: what is large then does a part. */
  readonly holdsLog: boolean;
  /** Adds an event to the commit. */
  append(event: NewEvent): void;
  /**
   * Adds a message to the commit, with its flags and events.
   * @param numbered is told the message's id after the commit
   */
  send(message: NewMessage, numbered?: (messageId: number) => void): void;
}

/** A change under way that holds the organization's log, so that `position` stays true until the commit. */
export interface LockedLogChange {
  readonly db: DbTransaction;
  readonly holdsLog: true;
  readonly position: LogPosition;
  /** Adds an event to the commit and tells the id that it will have. */
  append(event: NewEvent): number;
  /** Adds a message to the commit, with its flags and events, and tells the id that it will have. `numbered` as in the other kind. */
  send(message: NewMessage, numbered?: (messageId: number) => void): number;
  /** Statements under way whose end only the commit has to wait for: what is computed meanwhile costs nobody time. What fails fails the change. */
  beside(work: Promise<void>): void;
}

export interface Committed<Result> {
  readonly result: Result;
  readonly events: readonly LoggedEvent[];
}

/** Takes the log's lock: nothing that was checked after it can change before the commit. */
const LOCK = `
  SELECT head, directory_head AS "directoryHead", message_head AS "messageHead"
    FROM logs WHERE organization_id = $1 FOR NO KEY UPDATE`;

/**
 * A change that takes the organization's log row first and holds it to the end (I1). What `act` throws rolls everything back.
 * @param ahead writes in the same transaction before the log is taken: rows that nobody may wait for with the log in hand
 */
export async function commitLocked<Result>(
  pool: pg.Pool,
  organizationId: number,
  act: (change: LockedLogChange) => Promise<Result>,
  ahead?: (db: DbTransaction) => Promise<void>,
): Promise<Committed<Result>> {
  return inTransaction(
    pool,
    async ({ db }) => {
      await ahead?.(db);
      const { result, entry, position, beside } = await actLocked(db, organizationId, act);
      const statement = entry.isEmpty ? undefined : appendLocked(organizationId, entry, position);
      await Promise.all(beside);
      return {
        ...(statement !== undefined && { statement }),
        result: () => ({ result, events: entry.logged(organizationId, basesOf(position)) }),
      };
    },
    LOCKED_CHANGE,
  );
}

/** The same in a transaction that the caller has begun, and commits right afterwards. */
export async function changeWithin<Result>(
  transaction: DbTransaction,
  organizationId: number,
  act: (change: LockedLogChange) => Promise<Result>,
): Promise<Committed<Result>> {
  // Whatever its connection may do before: who has the log keeps others from it.
  await allow(transaction, { pause: CHANGE_PAUSE, ...LOCKED_CHANGE });
  const { result, entry, position, beside } = await actLocked(transaction, organizationId, act);
  await Promise.all(beside);
  if (!entry.isEmpty) {
    const { text, values = [] } = appendLocked(organizationId, entry, position);
    await transaction.executeQuery(CompiledQuery.raw(text, values));
  }
  return { result, events: entry.logged(organizationId, basesOf(position)) };
}

async function actLocked<Result>(
  db: DbTransaction,
  organizationId: number,
  act: (change: LockedLogChange) => Promise<Result>,
) {
  const { rows } = await db.executeQuery(CompiledQuery.raw(LOCK, [organizationId]));
  const [position] = rows as LogPosition[];
  if (position === undefined) throw new Error(`organization ${organizationId} has no log`);
  const entry = new LogEntry();
  const beside: Promise<void>[] = [];
  const result = await act({
    db,
    holdsLog: true,
    position,
    append: (event) => position.head + entry.append(event),
    send: (message, numbered) => position.messageHead + entry.send(message, numbered),
    beside: (work) => {
      // Also where `act` throws before anybody waits for it.
      work.catch(() => undefined);
      beside.push(work);
    },
  });
  return { result, entry, position, beside };
}

function basesOf({ head, messageHead }: LogPosition): Bases {
  return { events: head, messages: messageHead };
}

/** Ids were promised: the head must be where it was, or nothing is committed. */
function appendLocked(organizationId: number, entry: LogEntry, { head, directoryHead }: LogPosition): pg.QueryConfig {
  return appendStatement(organizationId, entry, { directory: directoryHead, head });
}

/** An ordinary change has waited too long for rows that another one holds, which may be about to commit. Nothing was committed. */
export class LostRowsError extends Error {
  override readonly name: string = 'LostRowsError';

  constructor(cause: unknown) {
    super('others hold the rows', { cause });
  }
}

/** For how long, in milliseconds, an ordinary change waits for a lock before it gives up its own: see `commitOrdinary`. */
const LOCK_TIMEOUT = 200;

/**
 * A change that takes its own rows first and the log's ids with its last statement, which is refused (`isRefusal`) if the directory has
 * changed after `directory`. It holds rows while it waits for the log, and a change that holds the log may wait for those rows: so it
 * waits a bounded time, then rolls back (`lostLock`). A change without events is not held against the directory.
 * @throws LostRowsError
 */
export async function commitOrdinary<Result>(
  pool: pg.Pool,
  organizationId: number,
  directory: number,
  act: (change: OrdinaryLogChange) => Promise<Result>,
): Promise<Committed<Result>> {
  return inTransaction(
    pool,
    async ({ db }) => {
      const entry = new LogEntry();
      const result = await act({
        db,
        holdsLog: false,
        append: (event) => void entry.append(event),
        send: (message, numbered) => void entry.send(message, numbered),
      }).catch((error: unknown) => {
        throw lostLock(error) ? new LostRowsError(error) : error;
      });
      if (entry.isEmpty) return { result: () => ({ result, events: [] }) };
      return {
        statement: appendStatement(organizationId, entry, { directory, head: null }),
        result: (rows) => ({ result, events: entry.logged(organizationId, basesIn(rows)) }),
      };
    },
    { lock: LOCK_TIMEOUT },
  );
}
