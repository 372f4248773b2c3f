import { deactivatedUser } from '@heddle/api/errors.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { wasRolledBack } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import { commitChange, commitEphemeral, type OpenChange } from '../log/append.ts';
import type { Bus } from '../log/bus.ts';
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import { GroupCommit } from '../log/group-commit.ts';
import { LongPoll } from '../log/long-poll.ts';
import type { Presenters } from '../log/presentation.ts';
import { LogTrimmedError, Tail } from '../log/tail.ts';
import { audienceResolver } from './audience.ts';
import type { Directory } from './directory.ts';
import { deactivatedBy } from './facts.ts';
import type { UserRecord } from './records.ts';

/** A change under way, with the directory as it is at the position where the change will stand. */
export interface Change extends OpenChange {
  readonly directory: Directory;
}

export interface OrganizationOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly presenters: Presenters;
  /** Resolves when all that is committed so far is on the disk. */
  readonly flush: () => Promise<void>;
  readonly heartbeatMilliseconds: number;
  readonly log: Logger;
  readonly directory: Directory;
}

/** Typing and presence gather for this long before they commit together, in milliseconds. */
const EPHEMERAL_GATHER = 20;

/**
 * One organization as this process has it: its directory, the end of its log, and the clients that wait for events. Every change of
 * its state goes through `change`, `announce` or a group commit that hands its events to `committed`.
 */
export class Organization {
  readonly id: number;
  readonly directory: Directory;
  readonly polls: LongPoll;
  /** When a request last asked for the organization; milliseconds since the epoch. */
  lastUsedAt = Date.now();
  readonly #options: OrganizationOptions;
  readonly #tail: Tail;
  readonly #ephemeral: GroupCommit<NewEvent, undefined>;
  #changing: Promise<unknown> = Promise.resolve();
  #trimmedThrough = 0;

  constructor(options: OrganizationOptions) {
    const { db, directory, flush, log, presenters, heartbeatMilliseconds } = options;
    this.#options = options;
    this.id = directory.organization.id;
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
      heartbeatMilliseconds,
    });
    this.#ephemeral = new GroupCommit({
      commit: (events) => this.#commitEphemeral(events),
      mayRetrySingly: wasRolledBack,
      gather: EPHEMERAL_GATHER,
    });
  }

  /** The last event that the directory knows and readers have got. */
  get position(): number {
    return this.#tail.publishedThrough;
  }

  /**
   * Commits one change with the events that `act` appends (I1). While `act` runs nobody else changes the organization, and the directory
   * is exact: what it checks stays true. Resolves when this process has applied the events, so the caller reads what it wrote.
   * What `act` throws rolls everything back.
   */
  async change<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
    // One at a time in this process: those that wait their turn must not sit on database connections.
    const turn = this.#changing.catch(() => undefined).then(() => this.#change(act));
    this.#changing = turn;
    return turn;
  }

  /**
   * `change` for a user's request. Hands `act` the user's record as of the change.
   * @throws ApiError `USER_DEACTIVATED`: the account was closed after the request was let in
   */
  changeBy<Result>(caller: UserRecord, act: (change: Change, caller: UserRecord) => Promise<Result>): Promise<Result> {
    return this.change(async (change) => {
      const user = change.directory.user(caller.id);
      if (user === undefined || !user.isActive) throw deactivatedUser();
      return act(change, user);
    });
  }

  async #change<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
    try {
      const { result, events } = await commitChange(this.#options.db, this.id, async (open) => {
        await this.#tail.catchUpWith(open.db);
        if (this.directory.changedAt < open.position.directoryHead) throw new LogTrimmedError(this.position);
        return act({ ...open, directory: this.directory });
      });
      await this.committed(events);
      return result;
    } catch (error) {
      this.catchUpSoon();
      throw error;
    }
  }

  /** Takes the events of a commit of this process; resolves when they are applied here. */
  async committed(events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    this.#tail.receive(events);
    this.#options.bus.publish(this.id);
    await this.#tail.reached(last.id);
  }

  /** Announces something that may be lost with the machine (typing, presence); resolves when it is committed. */
  async announce(event: NewEvent): Promise<void> {
    await this.#ephemeral.add(event);
  }

  /** Resolves when an event that is committed, by whichever process, is applied here. */
  reached(eventId: number): Promise<void> {
    return this.#tail.reached(eventId);
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
    this.directory.subscriptions.forgetEndedThrough(eventId);
  }

  /** The same without waiting: after a wake-up, or where it is not known whether a commit went through. */
  catchUpSoon(): void {
    this.catchUp().catch((error) => this.#options.log.warn({ err: error }, 'the log cannot be read'));
  }

  /** Answers all who wait, and holds nobody from now on. */
  close(): void {
    this.polls.close();
  }

  /** Resolves when nothing that was begun is still on its way to the database. */
  async settled(): Promise<void> {
    await this.#changing.catch(() => undefined);
    await this.#ephemeral.settled();
  }

  async #commitEphemeral(events: readonly NewEvent[]) {
    const committed = await commitEphemeral(this.#options.pool, this.id, events);
    this.#tail.receive(committed);
    this.#options.bus.publish(this.id);
    return events.map(() => ({ result: undefined }));
  }

  #publish(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      // One at a time: an event's audience is resolved with the directory as the event leaves it.
      this.directory.apply(event);
      this.polls.dispatch(event);
    }
    this.polls.deliver();
    for (const event of events) {
      for (const userId of deactivatedBy(event)) this.polls.endAllOf(userId);
    }
  }
}
