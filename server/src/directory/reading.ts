import { ApiError } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { executeRecurring, recurringStatement } from '../db/prepared.ts';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { Standbys } from '../db/standbys.ts';
import { readAlone, readSnapshot } from '../db/transaction.ts';
import { readPosition } from '../log/read.ts';
import { activeUser } from './active-user.ts';
import type { Directory } from './directory.ts';
import type { UserRecord } from './records.ts';
import { StandbyReading } from './standby-reading.ts';

/** The input of a read: one snapshot of the database, and the directory and caller as of that snapshot or later. */
export interface Reading<Caller extends UserRecord | undefined = UserRecord> {
  readonly db: DbTransaction;
  readonly directory: Directory;
  readonly caller: Caller;
}

/** The input for planning a read. */
export interface Planning<Caller extends UserRecord | undefined = UserRecord> {
  /**
   * For queries of the plan. The first plan may use any connection; a repeated plan uses the snapshot of its statement.
   */
  readonly db: Db;
  readonly directory: Directory;
  readonly caller: Caller;
}

/** A read: one statement, and how to turn its rows into a result. */
export interface PlannedReading<Row, Result> {
  readonly statement: RawBuilder<Row>;
  /**
   * Without matches, `rows` may hold one row of nulls, because the statement becomes part of a left join.
   * @param read runs a further statement, as of the same snapshot or a later one
   * @throws ReadApartError if the further rows are later and do not match the first
   */
  readonly result: (rows: readonly Row[], read: ReadMore) => Promise<Result> | Result;
}

/** Without matches, the result may hold one row of nulls. */
export type ReadMore = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/** Several reads were not consistent with each other, or were newer than the directory. */
export class ReadApartError extends Error {
  override readonly name = 'ReadApartError';
}

export interface ReadsOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly standbys?: Standbys;
  readonly organizationId: number;
  readonly directory: Directory;
  /** Applies everything that is visible in the snapshot. */
  readonly catchUpWith: (snapshot: Db) => Promise<void>;
  /** Throws if the directory is no longer usable. */
  readonly checkUsable: () => void;
}

export interface ReadAtOnceOptions {
  /**
   * Whether a standby may serve it (`StandbyReading`). It pays for statements that take much longer than a row of the primary, which is read
   * first. `plan` then runs on the standby, and may read only what changes together with an event.
   */
  readonly mayUseStandby?: boolean;
}

/** Reads that combine rows with the directory of one organization. */
export class Reads {
  readonly #options: ReadsOptions;
  /** undefined: the primary serves everything. */
  readonly #onStandby: StandbyReading | undefined;

  constructor(options: ReadsOptions) {
    this.#options = options;
    const { standbys } = options;
    this.#onStandby = standbys && new StandbyReading({ ...options, standbys });
  }

  /**
   * Reads rows for a user's request and combines them with the directory. The directory is at least as new as the rows.
   * Another process may have created what the rows name, or changed who may read them. `read` uses one snapshot only.
   * It runs again if the directory was older; then the first result or error is discarded.
   * @param caller undefined for a request without an account
   * @throws ApiError `USER_DEACTIVATED`: the account was closed after authentication
   */
  read<Result, Caller extends UserRecord | undefined>(
    caller: Caller,
    read: (reading: Reading<Caller>) => Promise<Result>,
  ): Promise<Result> {
    const { pool, organizationId, directory, catchUpWith, checkUsable } = this.#options;
    checkUsable();
    return readSnapshot(pool, async (db) => {
      const attempt = async () => read({ db, directory, caller: stillActive(directory, caller) });
      const known = directory.changedAt;
      const [position, first] = await Promise.allSettled([readPosition(db, organizationId), attempt()]);
      if (position.status === 'rejected') throw position.reason;
      if (position.value.directoryHead > known) {
        await catchUpWith(db);
        checkUsable();
        return attempt();
      }
      if (first.status === 'rejected') throw first.reason;
      return first.value;
    });
  }

  /**
   * The same for a read that is mostly one statement, which is its own snapshot and one round trip. Further statements
   * are separate snapshots. `result` must detect rows that do not match, if that matters. Then, or if the directory was
   * older than the rows, everything is planned and read again as in `read`.
   * @throws ApiError `USER_DEACTIVATED`
   */
  async readAtOnce<Row, Result, Caller extends UserRecord | undefined>(
    caller: Caller,
    plan: (planning: Planning<Caller>) => Promise<PlannedReading<Row, Result>>,
    { mayUseStandby = false }: ReadAtOnceOptions = {},
  ): Promise<Result> {
    const { db, directory, checkUsable } = this.#options;
    checkUsable();
    const inSnapshot = async (reading: Reading<Caller>) => {
      const planned = await plan(reading);
      const read: ReadMore = (statement) => executeRecurring(reading.db, statement);
      return planned.result(await read(planned.statement), read);
    };
    if (mayUseStandby && this.#onStandby !== undefined) {
      const served = await this.#onStandby.read((snapshot) =>
        inSnapshot({ db: snapshot, directory, caller: stillActive(directory, caller) }),
      );
      checkUsable();
      if (served !== undefined) return served.result;
    }
    const known = directory.changedAt;
    const planning = async () => plan({ db, directory, caller: stillActive(directory, caller) });
    const planned = await planning().catch(ignoreRefusal);
    if (planned !== undefined) {
      const read: ReadMore = (statement) => this.#readIfUnchanged(known, statement);
      try {
        return await planned.result(await read(planned.statement), read);
      } catch (error) {
        if (!(error instanceof ReadApartError)) throw error;
      }
    }
    return this.read(caller, inSnapshot);
  }

  /** @throws ReadApartError the rows are newer than the directory was */
  async #readIfUnchanged<Row>(known: number, statement: RawBuilder<Row>): Promise<readonly Row[]> {
    const { pool, organizationId, checkUsable } = this.#options;
    const besidePosition = sql`
      SELECT log.directory_head AS "directoryHead", found.*
        FROM logs log LEFT JOIN (${statement}) AS found ON true
       WHERE log.organization_id = ${organizationId}`;
    const rows = await readAlone<Row & { readonly directoryHead: number }>(pool, recurringStatement(besidePosition));
    checkUsable();
    const [row] = rows;
    if (row === undefined) throw new Error('an organization has no log');
    if (row.directoryHead > known) throw new ReadApartError('the directory is older than the rows');
    return rows;
  }
}

/** Returns the caller's current record. Throws if the account was closed. */
function stillActive<Caller extends UserRecord | undefined>(directory: Directory, caller: Caller): Caller {
  return (caller && activeUser(directory, caller.id)) as Caller;
}

/** The refusal may be wrong: it may concern something that the directory does not know yet. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}
