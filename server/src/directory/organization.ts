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
import { type Change, Changes, type GroupedKind, type OrdinaryChange } from './changes.ts';
import type { Directory } from './directory.ts';
import { begunAnewBy, shutOutBy } from './facts.ts';
import type { DirectoryPresenters } from './presenters.ts';
import type { UserRecord } from './records.ts';

export type { Change, GroupedKind, OrdinaryChange, Verdict } from './changes.ts';

export interface OrganizationOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly presenters: DirectoryPresenters;
  /** Resolves when all that is committed so far is on the disk. */
  readonly flush: () => Promise<void>;
  readonly heartbeatMilliseconds: number;
  /** Of all whose polls this process answers. */
  readonly line: AnswerLine;
  readonly log: Logger;
  readonly directory: Directory;
  /** Of the log that the directory is a picture of. */
  readonly epoch: string;
  /** The picture has come apart: nothing here is to be trusted, and the organization is to be loaded anew. Called once. */
  readonly onBroken: (reason: unknown) => void;
  /** The log ends before what readers have got: a backup was restored. May be called several times. */
  readonly onGoneBack: () => void;
}

/** What a request reads: rows of one snapshot, and the directory and the caller as of it or later. */
export interface Reading<Caller extends UserRecord | undefined = UserRecord> {
  readonly db: DbTransaction;
  readonly directory: Directory;
  readonly caller: Caller;
}

/** For whom a reading is planned. */
export interface Planning<Caller extends UserRecord | undefined = UserRecord> {
  /** What the plan asks the database by: at first any connection; where it is made again, the snapshot that it is for. */
  readonly db: Db;
  readonly directory: Directory;
  readonly caller: Caller;
}

/** What one statement reads, and what becomes of it. */
export interface PlannedReading<Row, Result> {
  readonly statement: RawBuilder<Row>;
  /**
   * Where nothing was found there is one row without anything in it, as of a join.
   * @param read reads what else the rows tell to read, of the same moment or a later one
   * @throws ReadApartError where that was later, and what was read there does not go with the rows
   */
  readonly result: (rows: readonly Row[], read: ReadMore) => Promise<Result> | Result;
}

/** Where nothing was found there may be one row without anything in it. */
export type ReadMore = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/** What was read one after the other is not of one moment, or not of one that the directory has reached. */
export class ReadApartError extends Error {
  override readonly name = 'ReadApartError';
}

/** Typing and presence gather for this long before they commit together, in milliseconds. */
const EPHEMERAL_GATHER = 20;

/**
 * One organization as this process has it: its directory, the end of its log, and the clients that wait for events. Every change of
 * its state goes through `change`, `ordinary`, `inGroup`, `announce`, or a commit of messages that hands its events to `committed`.
 */
export class Organization {
  readonly id: number;
  readonly epoch: string;
  readonly directory: Directory;
  readonly polls: LongPoll<Directory>;
  /** When a request last asked for the organization; milliseconds since the epoch. */
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
      flush,
      checkUsable: () => this.#checkUsable(),
    });
  }

  /** The last event that the directory knows and readers have got. */
  get position(): number {
    return this.#tail.publishedThrough;
  }

  /**
   * A directory change, or any other that needs the log first: commits with what `act` appends (I1). While `act` runs nobody else changes
   * the organization, and the directory is exact: what it checks stays true. Resolves when this process has applied the events, so the
   * caller reads what it wrote. What `act` throws rolls everything back; after a deadlock it is called again.
   */
  change<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
    return this.#noticing(this.#changes.locked(act));
  }

  /**
   * `change` for a user's request. Hands `act` the user's record as of the change.
   * @throws ApiError `USER_DEACTIVATED`: the account was closed after the request was let in
   */
  changeBy<Result>(caller: UserRecord, act: (change: Change, caller: UserRecord) => Promise<Result>): Promise<Result> {
    return this.change(async (change) => act(change, activeUser(change.directory, caller.id)));
  }

  /**
   * `changeBy` of very many rows: `prepare` writes them in the same transaction before the log is taken, so that nobody else waits for that.
   * What it writes must be nothing that another change waits for with the log in hand, and nothing that is true already: `act`, which finds
   * the directory exact, makes it so, or throws. Both may be called again.
   * @throws ApiError `USER_DEACTIVATED`
   */
  changeAfter<Prepared, Result>(
    caller: UserRecord,
    prepare: (db: DbTransaction, caller: UserRecord) => Promise<Prepared>,
    act: (change: Change, caller: UserRecord, prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    return this.#noticing(
      this.#changes.prepared(
        async (db) => prepare(db, activeUser(this.directory, caller.id)),
        async (change, prepared) => act(change, activeUser(change.directory, caller.id), prepared),
      ),
    );
  }

  /**
   * An ordinary change for a user's request: one that leaves the directory as it is. `act` locks and checks its own rows; the commit goes
   * through only if the directory is still the one that it saw, else `act` is called again, and after two losses with the log locked first.
   * So it may do nothing but read, write through `db`, and append.
   * @throws ApiError `USER_DEACTIVATED`
   */
  ordinary<Result>(
    caller: UserRecord,
    act: (change: OrdinaryChange, caller: UserRecord) => Promise<Result>,
  ): Promise<Result> {
    return this.ordinaryByServer(async (change) => act(change, activeUser(change.directory, caller.id)));
  }

  /** The same for what changes very many rows: `Changes.large`. */
  large<Result>(
    caller: UserRecord,
    act: (change: OrdinaryChange, caller: UserRecord) => Promise<Result>,
  ): Promise<Result> {
    return this.#noticing(this.#changes.large(async (change) => act(change, activeUser(change.directory, caller.id))));
  }

  /** The same as `ordinary` for what the server does by the clock: `act` checks the accounts that it is about. */
  ordinaryByServer<Result>(act: (change: OrdinaryChange) => Promise<Result>): Promise<Result> {
    return this.#noticing(this.#changes.ordinary(act));
  }

  /** Between directory changes that belong together: lets those come first that lost to the last one. Bounded. */
  giveWay(): Promise<void> {
    return this.#changes.giveWay();
  }

  /**
   * Ends changes that stand still with what others wait for in their hands, the log or what they have taken before it. For who has waited for
   * longer than anybody waits for a lock (`LOCK`); those who wait for the log have it done for them.
   */
  async endStalled(): Promise<void> {
    await this.#changes.endStalled();
  }

  /** An ordinary change of a hot kind: those that arrive together are one commit. The kind checks that the account is active. */
  inGroup<Item, Result>(kind: GroupedKind<Item, Result>, item: Item): Promise<Result> {
    return this.#noticing(this.#changes.inGroup(kind, item));
  }

  /** How a group of sends commits: as an ordinary change does that is one statement. See `Changes.send`. */
  send<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    prepare: () => void,
  ): Promise<Result> {
    return this.#noticing(this.#changes.send(attempt, locked, prepare));
  }

  /** Where the connection broke, a change may have gone through: then readers must hear of it all the same. */
  async #noticing<Result>(change: Promise<Result>): Promise<Result> {
    try {
      return await change;
    } catch (error) {
      if (!(error instanceof ApiError)) this.catchUpSoon();
      throw error;
    }
  }

  /** Takes the events of a commit of this process; resolves when they are applied here. */
  async committed(events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    this.#tail.receive(events);
    this.#options.bus.publish(this.id);
    // Committed is committed: who loads the organization anew finds it there.
    await this.#tail.reached(last.id).catch((error) => {
      if (!this.#broken) throw error;
    });
  }

  /** Announces something that may be lost with the machine (typing, presence); resolves when it is committed. */
  async announce(event: NewEvent): Promise<void> {
    await this.#ephemeral.add(event);
  }

  /**
   * Reads rows for a user's request and puts them together with the directory. The directory is as new as the rows: what these name,
   * another process may have made a moment ago, and who may read them may have changed. `read` looks at nothing but one snapshot, and
   * is called again where this process had not got so far; what it threw then does not count.
   * @param caller undefined where the request came without an account
   * @throws ApiError `USER_DEACTIVATED`: the account was closed after the request was let in
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
   * The same for what one statement reads, or most of: it is its own snapshot, and one exchange with the database. What else is to be read
   * is another: that these are not of one moment is for `result` to see, where it matters. Then, and where this process had not got so far,
   * `plan` is called again, and everything is read once more, from one snapshot.
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

  /** @throws ReadApartError the rows are of a later moment than the directory had reached by then */
  async #readThrough<Row>(position: number, statement: RawBuilder<Row>): Promise<readonly Row[]> {
    const rows = await readAlone<Row & { readonly directoryHead: number }>(
      this.#options.pool,
      recurringStatement(this.#besidePosition(statement)),
    );
    this.#checkUsable();
    if (positionIn(rows) > position) throw new ReadApartError('the directory has to catch up');
    return rows;
  }

  #besidePosition<Row>(statement: RawBuilder<Row>): RawBuilder<Row & { readonly directoryHead: number }> {
    return sql`
      SELECT log.directory_head AS "directoryHead", found.*
        FROM logs log LEFT JOIN (${statement}) AS found ON true
       WHERE log.organization_id = ${this.id}`;
  }

  /**
   * Tells of each event from now on, by whichever process, when the directory has it and before anybody is answered for it.
   * @param listener must not throw and must not wait
   */
  onEvent(listener: (event: LoggedEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when an event that is committed, by whichever process, is applied here. */
  async reached(eventId: number): Promise<void> {
    await this.#tail.reached(eventId);
    this.#checkUsable();
  }

  /** Applies and publishes all that any process has committed by now. */
  catchUp(): Promise<void> {
    return this.#tail.catchUp();
  }

  /** Applies and publishes all that the snapshot shows, through the caller's connection; what waits for the disk may be left out. */
  catchUpWith(snapshot: Db): Promise<void> {
    return this.#tail.catchUpWith(snapshot);
  }

  /** The log no longer keeps the events up to here: nobody can ask for the audience of one. */
  trimmedThrough(eventId: number): void {
    if (eventId <= this.#trimmedThrough) return;
    this.#trimmedThrough = eventId;
    this.directory.forgetThrough(eventId);
  }

  /** `catchUp` without waiting: after a wake-up, or where it is not known whether a commit went through. */
  catchUpSoon(): void {
    this.catchUp().catch((error) => this.#options.log.warn({ err: error }, 'the log cannot be read'));
  }

  /** Answers all who wait, and holds nobody from now on. */
  close(): void {
    this.polls.close();
  }

  /** Resolves when nothing that was begun is still on its way to the database. */
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
        // One at a time: an event's audience is resolved with the directory as the event leaves it.
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

/** Whoever has an account still has it, as of now. */
function stillActive<Caller extends UserRecord | undefined>(directory: Directory, caller: Caller): Caller {
  return (caller && activeUser(directory, caller.id)) as Caller;
}

/** What a plan refuses may be what the directory has not heard of yet. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

function positionIn(rows: readonly { readonly directoryHead: number }[]): number {
  const [row] = rows;
  if (row === undefined) throw new Error('an organization has no log');
  return row.directoryHead;
}

function loadingAnew(): ApiError {
  return serviceUnavailable('The organization is being loaded anew; please try again');
}
