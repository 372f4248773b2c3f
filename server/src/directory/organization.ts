import { ApiError, serviceUnavailable } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isUnavailable, mayTrySingly } from '../db/failures.ts';
import { executeRecurring, recurringStatement } from '../db/prepared.ts';
import type { Db, DbTransaction } from '../db/schema.ts';
import { readAlone, readSnapshot } from '../db/transaction.ts';
import type { AnswerLine } from '../log/answer-line.ts';
import type { Bus } from '../log/bus.ts';
import { commitEphemeral } from '../log/ephemeral.ts';
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import { GroupCommit } from '../log/group-commit.ts';
import { LongPoll } from '../log/long-poll.ts';
import { readPosition } from '../log/read.ts';
import { LogTrimmedError, Tail } from '../log/tail.ts';
import { activeUser } from './active-user.ts';
import { audienceResolver } from './audience.ts';
import type { Change, Hooks, OrdinaryChange } from './change.ts';
import { Changes, type GroupedKind } from './changes.ts';
import type { Directory } from './directory.ts';
import { begunAnewBy, shutOutBy } from './facts.ts';
import type { DirectoryPresenters } from './presenters.ts';
import type { UserRecord } from './records.ts';

export type { Change, OrdinaryChange } from './change.ts';
export type { GroupedKind, Verdict } from './changes.ts';

export interface OrganizationOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly presenters: DirectoryPresenters;
  readonly hooks: Hooks;
  /** Resolves when everything committed so far is on disk. */
  readonly flush: () => Promise<void>;
  readonly heartbeatMilliseconds: number;
  /** The response queue for all polls of this process. */
  readonly line: AnswerLine;
  readonly log: Logger;
  readonly directory: Directory;
  /** The epoch of the log that the directory was loaded from. */
  readonly epoch: string;
  /** An event could not be applied. The directory is no longer usable and must be reloaded. Called once. */
  readonly onBroken: (reason: unknown) => void;
  /** The log ends before the position that readers have reached: a backup was restored. May be called several times. */
  readonly onGoneBack: () => void;
}

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

/** How long typing and presence events gather before they commit together, in milliseconds. */
const EPHEMERAL_GATHER = 20;

/**
 * One organization in this process: its directory, the end of its log, and its held polls. All changes of state go
 * through `change`, `ordinary`, `inGroup`, `announce`, or a commit of messages that passes its events to `committed`.
 */
export class Organization {
  readonly id: number;
  readonly epoch: string;
  readonly directory: Directory;
  readonly polls: LongPoll<Directory>;
  /** When a request last used the organization; milliseconds since the epoch. */
  lastUsedAt = Date.now();
  readonly #options: OrganizationOptions;
  readonly #tail: Tail;
  readonly #ephemeral: GroupCommit<NewEvent, undefined>;
  readonly #changes: Changes;
  readonly #listeners: ((event: LoggedEvent) => void)[] = [];
  #broken = false;
  #trimmedThrough = 0;

  constructor(options: OrganizationOptions) {
    const { db, directory, flush, log, presenters, heartbeatMilliseconds } = options;
    this.#options = options;
    this.id = directory.organization.id;
    this.epoch = options.epoch;
    this.directory = directory;
    this.#tail = new Tail({
      db,
      organizationId: this.id,
      start: directory.appliedThrough,
      publish: (events) => this.#publish(events),
      flush,
      log,
    });
    this.polls = new LongPoll({
      db,
      organizationId: this.id,
      tail: this.#tail,
      audience: audienceResolver(directory),
      presenters,
      directory,
      log,
      heartbeatMilliseconds,
      line: options.line,
    });
    this.#ephemeral = new GroupCommit({
      commit: (events) => this.#commitEphemeral(events),
      mayRetrySingly: mayTrySingly,
      concernsAll: isUnavailable,
      gather: EPHEMERAL_GATHER,
    });
    this.#changes = new Changes({
      pool: options.pool,
      organizationId: this.id,
      log,
      directory,
      hooks: options.hooks,
      catchUp: () => this.catchUp(),
      makeExact: async ({ db: locked, position }) => {
        if (position.head < this.position) {
          options.onGoneBack();
          throw loadingAnew();
        }
        await this.#tail.catchUpWith(locked);
        this.#checkUsable();
        if (directory.changedAt < position.directoryHead) throw new LogTrimmedError(this.position);
      },
      committed: (events) => this.committed(events),
      checkUsable: () => this.#checkUsable(),
    });
  }

  /** The last event that was applied to the directory and published to readers. */
  get position(): number {
    return this.#tail.publishedThrough;
  }

  /**
   * Runs an exclusive transaction: it holds the organization lock from the start, and `act` sees an exact directory.
   * No other transaction can change the organization meanwhile, so every check in `act` stays true until the commit. The events
   * that `act` appends commit with its writes (I1).
   * Resolves after this process has applied the events, so the caller can read what it wrote. If `act` throws,
   * everything is rolled back. `act` runs again after a deadlock or a lost connection.
   */
  change<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
    return this.#noticing(this.#changes.locked(act));
  }

  /**
   * Runs `change` for a user's request. Passes the user's current record to `act`.
   * @throws ApiError `USER_DEACTIVATED`: the account was closed after authentication
   */
  changeBy<Result>(caller: UserRecord, act: (change: Change, caller: UserRecord) => Promise<Result>): Promise<Result> {
    return this.change(async (change) => act(change, activeUser(change.directory, caller.id)));
  }

  /**
   * Runs an optimistic transaction for a user's request, which must not change the directory. `act` locks and checks
   * its own rows. The commit succeeds only if the directory is still the one that `act` saw. Otherwise `act` runs
   * again, and after two conflicts it runs with the organization lock acquired first. So `act` may only read, write
   * through `db`, and append.
   * @throws ApiError `USER_DEACTIVATED`
   */
  ordinary<Result>(
    caller: UserRecord,
    act: (change: OrdinaryChange, caller: UserRecord) => Promise<Result>,
  ): Promise<Result> {
    return this.ordinaryByServer(async (change) => act(change, activeUser(change.directory, caller.id)));
  }

  /** The same for very many rows; see `Changes.large`. */
  large<Result>(
    caller: UserRecord,
    act: (change: OrdinaryChange, caller: UserRecord) => Promise<Result>,
  ): Promise<Result> {
    return this.#noticing(this.#changes.large(async (change) => act(change, activeUser(change.directory, caller.id))));
  }

  /** The same as `ordinary` for background work without a caller. `act` checks the accounts involved. */
  ordinaryByServer<Result>(act: (change: OrdinaryChange) => Promise<Result>): Promise<Result> {
    return this.#noticing(this.#changes.ordinary(act));
  }

  /** Yields between exclusive transactions that belong together: conflicted transactions retry first. Bounded. */
  giveWay(): Promise<void> {
    return this.#changes.giveWay();
  }

  /**
   * An optimistic transaction of a frequent kind. Items that arrive together share one commit. The kind checks that the
   * account is active.
   */
  inGroup<Item, Result>(kind: GroupedKind<Item, Result>, item: Item): Promise<Result> {
    return this.#noticing(this.#changes.inGroup(kind, item));
  }

  /** Commits a group of sends: an optimistic transaction of one statement. See `Changes.send`. */
  send<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    prepare: () => void,
  ): Promise<Result> {
    return this.#noticing(this.#changes.send(attempt, locked, prepare));
  }

  /** If the connection broke, the change may have been committed. Then readers must receive its events anyway. */
  async #noticing<Result>(change: Promise<Result>): Promise<Result> {
    try {
      return await change;
    } catch (error) {
      if (!(error instanceof ApiError)) this.catchUpSoon();
      throw error;
    }
  }

  /** Receives the events that this process committed. Resolves when they are applied here. */
  async committed(events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    this.#tail.receive(events);
    this.#options.bus.publish(this.id);
    // The commit stands even if the directory broke meanwhile: the reload will include it.
    await this.#tail.reached(last.id).catch((error) => {
      if (!this.#broken) throw error;
    });
  }

  /** Announces an event that may be lost in a crash (typing, presence). Resolves when it is committed. */
  async announce(event: NewEvent): Promise<void> {
    await this.#ephemeral.add(event);
  }

  /**
   * Reads rows for a user's request and combines them with the directory. The directory is at least as new as the rows.
   * Another process may have created what the rows name, or changed who may read them. `read` uses one snapshot only.
   * It runs again if the directory was older; then the first result or error is discarded.
   * @param caller undefined for a request without an account
   * @throws ApiError `USER_DEACTIVATED`: the account was closed after authentication
   */
  readBy<Result, Caller extends UserRecord | undefined>(
    caller: Caller,
    read: (reading: Reading<Caller>) => Promise<Result>,
  ): Promise<Result> {
    const { directory } = this;
    this.#checkUsable();
    return readSnapshot(this.#options.pool, async (db) => {
      const attempt = async () => read({ db, directory, caller: stillActive(directory, caller) });
      const known = directory.changedAt;
      const [position, first] = await Promise.allSettled([readPosition(db, this.id), attempt()]);
      if (position.status === 'rejected') throw position.reason;
      if (position.value.directoryHead > known) {
        await this.#tail.catchUpWith(db);
        this.#checkUsable();
        return attempt();
      }
      if (first.status === 'rejected') throw first.reason;
      return first.value;
    });
  }

  /**
   * The same for a read that is mostly one statement, which is its own snapshot and one round trip. Further statements
   * are separate snapshots. `result` must detect rows that do not match, if that matters. Then, or if the directory was
   * older than the rows, `plan` runs again and everything is read from one snapshot.
   * @throws ApiError `USER_DEACTIVATED`
   */
  async readAtOnce<Row, Result, Caller extends UserRecord | undefined>(
    caller: Caller,
    plan: (planning: Planning<Caller>) => Promise<PlannedReading<Row, Result>>,
  ): Promise<Result> {
    const { directory } = this;
    this.#checkUsable();
    const planBy = async (db: Db) => {
      const known = directory.changedAt;
      return { known, planned: await plan({ db, directory, caller: stillActive(directory, caller) }) };
    };
    const first = await planBy(this.#options.db).catch(ignoreRefusal);
    if (first !== undefined) {
      const read: ReadMore = async (statement) => this.#readThrough(first.known, statement);
      try {
        return await first.planned.result(await read(first.planned.statement), read);
      } catch (error) {
        if (!(error instanceof ReadApartError)) throw error;
      }
    }
    return readSnapshot(this.#options.pool, async (db) => {
      const read: ReadMore = async (statement) => {
        const rows = await executeRecurring(db, statement);
        this.#checkUsable();
        return rows;
      };
      await this.#tail.catchUpWith(db);
      const { planned } = await planBy(db);
      return planned.result(await read(this.#besidePosition(planned.statement)), read);
    });
  }

  /** @throws ReadApartError the rows are newer than the directory was */
  async #readThrough<Row>(position: number, statement: RawBuilder<Row>): Promise<readonly Row[]> {
    const rows = await readAlone<Row & { readonly directoryHead: number }>(
      this.#options.pool,
      recurringStatement(this.#besidePosition(statement)),
    );
    this.#checkUsable();
    if (positionIn(rows) > position) throw new ReadApartError('the directory is older than the rows');
    return rows;
  }

  #besidePosition<Row>(statement: RawBuilder<Row>): RawBuilder<Row & { readonly directoryHead: number }> {
    return sql`
      SELECT log.directory_head AS "directoryHead", found.*
        FROM logs log LEFT JOIN (${statement}) AS found ON true
       WHERE log.organization_id = ${this.id}`;
  }

  /**
   * Calls the listener for each later event of any process, after it is applied and before any response that depends on
   * it.
   * @param listener must not throw and must not wait
   */
  onEvent(listener: (event: LoggedEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when a committed event of any process is applied here. */
  async reached(eventId: number): Promise<void> {
    await this.#tail.reached(eventId);
    this.#checkUsable();
  }

  /** Applies and publishes everything that any process has committed so far. */
  catchUp(): Promise<void> {
    return this.#tail.catchUp();
  }

  /**
   * Applies and publishes everything visible in the snapshot, through the caller's connection. Events that are not yet
   * on disk may be left out.
   */
  catchUpWith(snapshot: Db): Promise<void> {
    return this.#tail.catchUpWith(snapshot);
  }

  /** The log no longer keeps the events up to this one. No reader can ask for the audience of any of them. */
  trimmedThrough(eventId: number): void {
    if (eventId <= this.#trimmedThrough) return;
    this.#trimmedThrough = eventId;
    this.directory.forgetThrough(eventId);
  }

  /** `catchUp` without waiting: after a wake-up, or when the result of a commit is unknown. */
  catchUpSoon(): void {
    this.catchUp().catch((error) => this.#options.log.warn({ err: error }, 'could not read the log'));
  }

  /** Responds to all held polls and holds none from now on. */
  close(): void {
    this.polls.close();
  }

  /** Resolves when no started transaction is still in progress. */
  async settled(): Promise<void> {
    await this.#changes.settled();
    await this.#ephemeral.settled();
  }

  async #commitEphemeral(events: readonly NewEvent[]) {
    const committed = await commitEphemeral(this.#options.pool, this.id, events);
    this.#tail.receive(committed);
    this.#options.bus.publish(this.id);
    return events.map(() => ({ result: undefined }));
  }

  #publish(events: readonly LoggedEvent[]): void {
    if (this.#broken) return;
    try {
      for (const event of events) {
        // One event at a time: an audience is resolved with the directory as of just after its event.
        this.directory.apply(event);
        const erased = this.#options.presenters.erasedBy(event);
        if (erased.length > 0) this.#tail.forget(erased);
        for (const listener of this.#listeners) listener(event);
        for (const userId of begunAnewBy(event)) this.polls.endAllOf(userId);
        this.polls.dispatch(event);
      }
      this.polls.deliver();
      for (const event of events) {
        for (const userId of shutOutBy(event)) this.polls.endAllOf(userId);
      }
    } catch (error) {
      this.#broken = true;
      this.#options.onBroken(error);
    }
  }

  #checkUsable(): void {
    if (this.#broken) throw loadingAnew();
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

function positionIn(rows: readonly { readonly directoryHead: number }[]): number {
  const [row] = rows;
  if (row === undefined) throw new Error('an organization has no log');
  return row.directoryHead;
}

function loadingAnew(): ApiError {
  return serviceUnavailable('The organization is being reloaded; please try again');
}
