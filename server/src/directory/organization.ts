import { ApiError, serviceUnavailable } from '@heddle/api/errors.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { backgroundLevel, isUnavailable, mayTrySingly, UnknownOutcomeError } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import type { Standbys } from '../db/standbys.ts';
import type { Bus } from '../log/bus/bus.ts';
import type { WakeUp } from '../log/bus/wake-up.ts';
import { commitEphemeral } from '../log/ephemeral.ts';
import { confirmTimeline, hasKept } from '../log/epoch.ts';
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import { EventBuffer, LogTrimmedError } from '../log/event-buffer.ts';
import { GroupCommit } from '../log/group-commit.ts';
import { LongPoll } from '../log/long-poll.ts';
import type { ResponseQueue } from '../log/response-queue.ts';
import { eventsPublished } from '../measures.ts';
import { timeOfRequest } from '../time-spent.ts';
import { presentCaller } from './active-user.ts';
import { audienceResolver } from './audience.ts';
import type { ChangeIn, Hooks, Mode } from './change.ts';
import { Changes } from './changes.ts';
import type { Directory } from './directory.ts';
import { endedSessionsBy, shutOutBy } from './ended-access.ts';
import type { AppendedKind, GroupedKind } from './grouped-kinds.ts';
import type { MutableDirectory } from './mutable-directory.ts';
import type { DirectoryPresenters } from './presenters.ts';
import { type PlannedReading, type Planning, type ReadAtOnceOptions, type Reading, Reads } from './reading.ts';
import type { UserRecord } from './records.ts';
import { queueResetsBy } from './state-deltas.ts';

export type { Change, OptimisticChange } from './change.ts';
export type { AppendedKind, GroupedKind, ItemResult } from './grouped-kinds.ts';

export interface OrganizationOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly standbys?: Standbys;
  readonly bus: Bus;
  readonly presenters: DirectoryPresenters;
  readonly hooks: Hooks;
  /** Resolves when everything committed so far is on disk. */
  readonly flush: () => Promise<void>;
  readonly heartbeatMilliseconds: number;
  /** The response queue for all polls of this process. */
  readonly line: ResponseQueue;
  readonly log: Logger;
  readonly directory: MutableDirectory;
  /** The epoch of the log that the directory was loaded from. */
  readonly epoch: string;
  /** The timeline of the database that the directory was loaded from; null if it is unknown (`log/epoch.ts`). */
  readonly timeline: string | null;
  /** The last event that the directory includes, if the log still has it. */
  readonly lastEvent: LoggedEvent | undefined;
  /** An event could not be applied. The directory is no longer usable and must be reloaded. Called once. */
  readonly onBroken: (reason: unknown) => void;
  /** The log ends before the position that readers have reached: a backup was restored. May be called several times. */
  readonly onGoneBack: () => void;
}

export interface TransactOptions {
  /** Only for optimistic transactions: it writes very many rows, so it runs one at a time in this process. */
  readonly isLarge?: boolean;
}

/** How long typing and presence events gather before they commit together, in milliseconds. */
const EPHEMERAL_BATCH_MS = 20;

/**
 * One organization in this process: its directory, the end of its log, and its held polls. All changes of state go
 * through `transact`, `inGroup` and `announce`.
 */
export class Organization {
  readonly id: number;
  readonly epoch: string;
  readonly directory: Directory;
  readonly polls: LongPoll<Directory>;
  /** When a request or background work last used the organization; milliseconds since the epoch. */
  lastUsedAt = Date.now();
  /** When a request last used it. */
  lastRequestedAt = 0;
  readonly #options: OrganizationOptions;
  readonly #buffer: EventBuffer;
  /** The last event that the directory included when it was loaded. */
  readonly #start: number;
  readonly #ephemeral: GroupCommit<NewEvent, undefined>;
  readonly #changes: Changes;
  readonly #reads: Reads;
  readonly #listeners: ((event: LoggedEvent) => void)[] = [];
  /** The ids of events that this process committed and has not published yet. */
  readonly #unannounced = new Set<number>();
  #broken = false;
  #accessEndedAt = Number.NEGATIVE_INFINITY;
  /** Pending while other processes apply the end of an API key. */
  #confirmed: Promise<void> | undefined;
  #trimmedThrough = 0;
  /** The timeline of the database on which this process has compared the log. */
  #timeline: string | null;
  /** An event that this process knows from that timeline. It also knows those that follow in its memory. */
  #known: LoggedEvent | undefined;

  constructor(options: OrganizationOptions) {
    const { db, directory, flush, log, presenters, heartbeatMilliseconds } = options;
    this.#options = options;
    this.id = directory.organization.id;
    this.epoch = options.epoch;
    this.#timeline = options.timeline;
    this.#known = options.lastEvent;
    this.directory = directory;
    this.#start = directory.appliedThrough;
    this.#buffer = new EventBuffer({
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
      buffer: this.#buffer,
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
      gather: EPHEMERAL_BATCH_MS,
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
          throw reloading();
        }
        await this.#buffer.catchUpWith(locked);
        this.#checkUsable();
        if (directory.changedAt < position.directoryHead) throw new LogTrimmedError(this.position);
      },
      committed: (events) => this.#committed(events),
      checkUsable: () => this.#checkUsable(),
    });
    this.#reads = new Reads({
      db,
      pool: options.pool,
      ...(options.standbys && { standbys: options.standbys }),
      organizationId: this.id,
      directory,
      catchUpWith: (snapshot) => this.catchUpWith(snapshot),
      checkUsable: () => this.#checkUsable(),
    });
  }

  /** The last event that was applied to the directory and published to readers. */
  get position(): number {
    return this.#buffer.publishedThrough;
  }

  /**
   * When this process last applied the end of a session, a key or an account; on the clock of `performance.now`. A request that began
   * before may have authenticated with what has ended.
   */
  get accessEndedAt(): number {
    return this.#accessEndedAt;
  }

  /** The published events after this one, from memory; undefined if memory does not reach back that far. */
  recentEvents(after: number): readonly LoggedEvent[] | undefined {
    return this.#buffer.after(after);
  }

  /**
   * Runs a transaction that changes the organization. The events that `act` appends commit with its writes (I1).
   * Resolves after this process has applied them, so the caller can read what it wrote. If `act` throws, everything is
   * rolled back. `act` may run several times, so it may only read, write through `db`, and append.
   *
   * - `exclusive`: holds the organization lock from the start. `act` sees an exact directory and may change it. Every
   *   check in `act` stays true until the commit, because no other transaction of the organization commits meanwhile.
   * - `optimistic`: `act` locks and checks its own rows. The commit succeeds only if the directory is still the one that
   *   `act` saw. Otherwise `act` runs again, and after two conflicts with the
   *   organization lock acquired first.
   * @param caller the user of the request; `act` gets the current record. `server`: background work, which checks the
   *   accounts itself.
   * @throws ApiError `USER_DEACTIVATED`: the caller's account was closed after authentication; `UNAUTHORIZED`: the bot got another key
   */
  transact<M extends Mode, Caller extends UserRecord | 'server', Result>(
    caller: Caller,
    mode: M,
    act: (change: ChangeIn[M], caller: Extract<Caller, UserRecord>) => Promise<Result>,
    { isLarge = false }: TransactOptions = {},
  ): Promise<Result> {
    const { directory } = this;
    const actAsCaller = async (change: ChangeIn[M]) => {
      const user = caller === 'server' ? undefined : presentCaller(directory, caller);
      return act(change, user as Extract<Caller, UserRecord>);
    };
    const changed = this.#catchUpAfterFailure(this.#changes.transact(mode, actAsCaller, isLarge));
    return mode === 'exclusive' ? this.#afterConfirmations(changed) : changed;
  }

  /** The caller learns that access has ended when no process accepts it any more. */
  async #afterConfirmations<Result>(change: Promise<Result>): Promise<Result> {
    const result = await change;
    await this.#confirmed;
    return result;
  }

  /**
   * An optimistic transaction of a frequent kind. Items that arrive together share one commit. The kind checks that the
   * account is active.
   */
  inGroup<Item, Result>(kind: GroupedKind<Item, Result> | AppendedKind<Item, Result>, item: Item): Promise<Result> {
    return this.#catchUpAfterFailure(this.#changes.inGroup(kind, item));
  }

  /** Yields between exclusive transactions that belong together: conflicted transactions retry first. Bounded. */
  yieldToOthers(): Promise<void> {
    return this.#changes.yieldToOthers();
  }

  /** If the connection broke, the change may have been committed. Then readers must receive its events anyway. */
  async #catchUpAfterFailure<Result>(change: Promise<Result>): Promise<Result> {
    try {
      const result = await change;
      const request = timeOfRequest();
      if (request !== undefined) request.hasCommitted = true;
      return result;
    } catch (error) {
      if (!(error instanceof ApiError)) this.catchUpSoon();
      throw error;
    }
  }

  /** Receives the events that this process committed. Resolves when they are applied here. */
  async #committed(events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    this.#receive(events);
    // Sessions are looked up for each request, so only ends of keys need this.
    if (events.some((event) => shutOutBy(event).length > 0))
      this.#confirmed = this.#options.bus.appliedByOthers(this.id, last.id);
    // The commit stands even if the directory broke meanwhile: the reload will include it.
    await this.#buffer.reached(last.id).catch((error) => {
      if (!this.#broken) throw new UnknownOutcomeError('the change is stored, but not applied here', { cause: error });
    });
  }

  /**
   * Takes events that this process committed. It announces each to the other processes when it publishes it: then the event is durable, and
   * the other processes mostly know those before it.
   */
  #receive(events: readonly LoggedEvent[]): void {
    if (this.#options.bus.announces) {
      // Another process may have woken this one before the confirmation of the commit arrived.
      const known = this.#buffer.publishedThrough;
      for (const { id } of events) if (id > known) this.#unannounced.add(id);
      this.#carry(events.filter(({ id }) => id <= known));
    }
    this.#buffer.receive(events);
  }

  #carry(events: readonly LoggedEvent[]): void {
    if (events.length > 0) this.#options.bus.publish(this.id, { epoch: this.epoch, events });
  }

  /** Announces an event that may be lost in a crash (typing, presence). Resolves when it is committed. */
  async announce(event: NewEvent): Promise<void> {
    await this.#ephemeral.add(event);
  }

  /** See `Reads.read`. */
  read<Result, Caller extends UserRecord | undefined>(
    caller: Caller,
    read: (reading: Reading<Caller>) => Promise<Result>,
  ): Promise<Result> {
    return this.#reads.read(caller, read);
  }

  /** See `Reads.readAtOnce`. */
  readAtOnce<Row, Result, Caller extends UserRecord | undefined>(
    caller: Caller,
    plan: (planning: Planning<Caller>) => Promise<PlannedReading<Row, Result>>,
    options?: ReadAtOnceOptions,
  ): Promise<Result> {
    return this.#reads.readAtOnce(caller, plan, options);
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
    await this.#buffer.reached(eventId);
    this.#checkUsable();
  }

  /** Applies and publishes everything that any process has committed so far. */
  catchUp(): Promise<void> {
    return this.#buffer.catchUp();
  }

  /**
   * The epoch of the log and the timeline of the database. Ids that this process keeps elsewhere are valid only for one lineage, because a
   * promotion can lose rows that no event names.
   */
  get lineage(): string {
    return `${this.epoch} ${this.#timeline}`;
  }

  /**
   * Applies and publishes everything visible in the snapshot, through the caller's connection. Events that are not yet
   * on disk may be left out.
   */
  catchUpWith(snapshot: Db): Promise<void> {
    return this.#buffer.catchUpWith(snapshot);
  }

  /** The log no longer keeps the events up to this one. No reader can ask for the audience of any of them. */
  trimmedThrough(eventId: number): void {
    if (eventId <= this.#trimmedThrough) return;
    this.#trimmedThrough = eventId;
    this.#options.directory.forgetThrough(eventId);
  }

  /**
   * Compares the log with what this process knows, if the database is on another timeline than before. Confirms the epoch
   * if the log has lost nothing. Call it regularly.
   * @param timeline null: unknown
   * @param position an event that this process had applied before the timeline was read
   * @returns whether the log has lost nothing
   */
  async followTimeline(timeline: string | null, position: number): Promise<boolean> {
    if (timeline === null) return true;
    if (this.#timeline !== null && this.#timeline !== timeline) {
      const { db } = this.#options;
      if (!(await this.#hasKeptAll())) return false;
      await confirmTimeline(db, this.id, { epoch: this.epoch, timeline });
    }
    this.#timeline = timeline;
    this.#known = this.#buffer.after(position - 1)?.[0] ?? this.#known;
    return true;
  }

  async #hasKeptAll(): Promise<boolean> {
    const known = this.#known;
    const later = this.#buffer.after(known?.id ?? this.#start);
    // Memory does not reach back that far: nobody can say what was lost.
    if (later === undefined) return false;
    return hasKept(this.#options.db, this.id, known === undefined ? later : [known, ...later]);
  }

  /** Applies what another process announces. Reads the table if the wake-up does not carry the next events. */
  wake(wakeUp: WakeUp): void {
    const carried = wakeUp.carried();
    const isRead = carried?.epoch === this.epoch && this.#buffer.accept(carried.events);
    if (!isRead) this.catchUpSoon();
  }

  /** `catchUp` without waiting: when wake-ups may have been lost, or when the result of a commit is unknown. */
  catchUpSoon(): void {
    this.catchUp().catch((error) => {
      this.#options.log[backgroundLevel(error)]({ err: error }, 'could not read the log');
    });
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
    this.#receive(committed);
    return events.map(() => ({ result: undefined }));
  }

  #publish(events: readonly LoggedEvent[]): void {
    if (this.#unannounced.size > 0) this.#carry(events.filter(({ id }) => this.#unannounced.delete(id)));
    if (this.#broken) return;
    eventsPublished.inc(events.length);
    try {
      for (const event of events) {
        // One event at a time: an audience is resolved with the directory as of just after its event.
        this.#options.directory.apply(event);
        const erased = this.#options.presenters.erasedBy(event);
        if (erased.length > 0) this.#buffer.forget(erased);
        for (const listener of this.#listeners) listener(event);
        for (const userId of queueResetsBy(event)) this.polls.endAllOf(userId);
        this.#endAccess(event);
        this.polls.dispatch(event);
      }
      this.polls.deliver();
    } catch (error) {
      this.#broken = true;
      this.#options.onBroken(error);
    }
  }

  /** Ends the polls of sessions and keys that end with the event. They may receive neither it nor a later one. */
  #endAccess(event: LoggedEvent): void {
    const shutOut = shutOutBy(event);
    const sessions = endedSessionsBy(event);
    if (shutOut.length === 0 && sessions === undefined) return;
    this.#accessEndedAt = performance.now();
    for (const userId of shutOut) this.polls.endAllOf(userId);
    if (sessions !== undefined) this.polls.endSessions(sessions);
  }

  #checkUsable(): void {
    if (this.#broken) throw reloading();
  }
}

function reloading(): ApiError {
  return serviceUnavailable('The organization is being reloaded; please try again');
}
