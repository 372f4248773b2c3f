import type { Logger } from 'pino';
import { backgroundLevel } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import { eventsOfOthers } from '../measures.ts';
import { erasedEvent } from './erase.ts';
import type { LoggedEvent } from './event.ts';
import { readEvents } from './read.ts';

const EVENTS_PER_PAGE = 500;

/** Limits the weight of the recent events, roughly in bytes. Their presentations take a few times that. */
const MAX_RECENT_EVENTS_BYTES = 16 * 1024 * 1024;

/** The log no longer contains the events after the cursor. The reader must load the state again from the tables. */
export class LogTrimmedError extends Error {
  constructor(cursor: number) {
    super(`the log no longer contains the events after ${cursor}`);
  }
}

export interface EventBufferOptions {
  readonly db: Db;
  readonly organizationId: number;
  /** The last event that the directory already includes. */
  readonly start: number;
  /** Receives the next events in order, each exactly once. It must not throw and must not wait. */
  readonly publish: (events: readonly LoggedEvent[]) => void;
  /** Resolves when everything that is committed so far is on the disk. */
  readonly flush: () => Promise<void>;
  readonly log: Logger;
  /** How many recent events stay in memory for readers that are slightly behind. */
  readonly keep?: number;
  /** Limits their weight, roughly in bytes. The longest messages are a thousand times larger than usual ones. */
  readonly keepWeight?: number;
}

interface Waiter {
  readonly id: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The event buffer of one organization: the end of its log, in memory.
 *
 * It publishes events in the order of their ids, none twice and none skipped, and none before it is durable. That holds
 * whether this process committed them (`receive`) or another one did (`catchUp`). Ids have no gaps, so it notices a
 * missing event at once and reads it from the table. Therefore the bus may lose, repeat or reorder wake-ups.
 *
 * For example, this process commits the events 7 and 9, and another process commits 8. `receive` gets 9 while 8 is
 * unknown: 9 stays in `#pending`, `catchUp` reads 8 from the table, and then both are published.
 */
export class EventBuffer {
  readonly #options: EventBufferOptions;
  readonly #keep: number;
  readonly #keepWeight: number;
  readonly #pending = new Map<number, LoggedEvent>();
  #recent: LoggedEvent[] = [];
  #recentWeight = 0;
  #published: number;
  #durable: number;
  /** Reads of the table follow each other: the running one, and the next one, which all later callers share. */
  #reading: Promise<void> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  #backfilling: Promise<boolean> | undefined;
  /** Messages that were deleted during a backfill. The page that is being read may still contain their events. */
  readonly #deletedDuringBackfill = new Set<number>();
  #wanted: readonly Waiter[] = [];

  constructor(options: EventBufferOptions) {
    this.#options = options;
    this.#keep = options.keep ?? 4096;
    this.#keepWeight = options.keepWeight ?? MAX_RECENT_EVENTS_BYTES;
    this.#published = options.start;
    this.#durable = options.start;
  }

  get publishedThrough(): number {
    return this.#published;
  }

  /** Returns the events after `cursor` from memory; undefined if memory does not reach back that far. */
  after(cursor: number): readonly LoggedEvent[] | undefined {
    if (cursor + 1 < this.#oldest) return undefined;
    return this.#recent.slice(cursor + 1 - this.#oldest);
  }

  get #oldest(): number {
    return this.#published - this.#recent.length + 1;
  }

  /** Accepts events that this process has committed. Ephemeral ones may not be durable yet. */
  receive(events: readonly LoggedEvent[]): void {
    let waitsForDisk = false;
    for (const event of events) {
      if (event.id > this.#published) this.#pending.set(event.id, event);
      if (!event.ephemeral) this.#durable = Math.max(this.#durable, event.id);
      waitsForDisk = event.ephemeral;
    }
    this.#advance();
    const last = events.at(-1);
    if (waitsForDisk && last !== undefined && last.id > this.#durable) void this.#publishWhenDurable(last.id);
    else if (this.#pending.has(this.#durable)) this.#fillSoon();
  }

  /**
   * Accepts durable events that another process has committed, in the order of their ids. Takes only those that follow what is published:
   * a later one may be lost when the database loses its last commits.
   * @returns false if some are missing before them
   */
  accept(events: readonly LoggedEvent[]): boolean {
    let next = this.#published + 1;
    let accepted = 0;
    for (const event of events) {
      // Events of this process that are durable and wait for the missing ones.
      while (event.id > next && next <= this.#durable && this.#pending.has(next)) next += 1;
      if (event.id > next) break;
      if (event.id === next) {
        this.#pending.set(next, event);
        this.#durable = Math.max(this.#durable, next);
        eventsOfOthers.inc({ source: 'bus' });
        next += 1;
      }
      accepted += 1;
    }
    this.#advance();
    return accepted === events.length;
  }

  /** Redacts the recent events about these messages, as `eraseEvents` does in the table. */
  forget(messageIds: readonly number[]): void {
    const gone = new Set(messageIds);
    if (this.#backfilling !== undefined) for (const id of gone) this.#deletedDuringBackfill.add(id);
    for (const [index, event] of this.#recent.entries()) {
      const erased = erasedEvent(event, gone);
      if (erased === event) continue;
      this.#recent[index] = erased;
      this.#recentWeight += weightOf(erased) - weightOf(event);
    }
  }

  /**
   * Backfills the buffer from the table, so that `after` returns the events after `cursor`. It does nothing if `cursor`
   * is too far back. After a restart all clients ask at once: they share the reads, so each page is read once.
   */
  async recall(cursor: number): Promise<void> {
    while (this.after(cursor) === undefined && cursor >= this.#published - this.#keep) {
      this.#backfilling ??= this.#backfillPage().finally(() => {
        this.#backfilling = undefined;
        this.#deletedDuringBackfill.clear();
      });
      if (!(await this.#backfilling)) return;
    }
  }

  /** Publishes everything that any process has committed by now. Rejects if the database cannot be read. */
  catchUp(): Promise<void> {
    this.#nextRead ??= this.#reading.then(() => {
      this.#nextRead = undefined;
      const read = this.#read(this.#options.db, 'all');
      this.#reading = read.catch(() => undefined);
      return read;
    });
    return this.#nextRead;
  }

  /**
   * Like `catchUp`, through the caller's connection: a caller that holds a lock must not wait for another connection.
   * It does not wait for the disk either. Trailing events that are not durable yet stay unpublished; those carry no
   * state deltas.
   */
  async catchUpWith(db: Db): Promise<void> {
    await this.#read(db, 'durable');
  }

  /** Resolves when the event `id` has been published here. It must be committed already. */
  async reached(id: number): Promise<void> {
    if (id <= this.#published) return;
    await new Promise<void>((resolve, reject) => {
      this.#wanted = [...this.#wanted, { id, resolve, reject }];
      this.#fillSoon();
    });
  }

  #advance(): void {
    const batch: LoggedEvent[] = [];
    for (;;) {
      const id = this.#published + batch.length + 1;
      const next = id <= this.#durable ? this.#pending.get(id) : undefined;
      if (next === undefined) break;
      this.#pending.delete(id);
      batch.push(next);
    }
    if (batch.length === 0) return;
    this.#published += batch.length;
    this.#keepRecent(batch);
    this.#options.publish(batch);
    if (this.#wanted.length > 0) {
      const reached = this.#wanted.filter((waiter) => waiter.id <= this.#published);
      this.#wanted = this.#wanted.filter((waiter) => waiter.id > this.#published);
      for (const waiter of reached) waiter.resolve();
    }
  }

  /**
   * Adds published events. When the buffer is full it drops half of it at once, so that dropping costs little per
   * event.
   */
  #keepRecent(batch: readonly LoggedEvent[]): void {
    for (const event of batch) {
      this.#recent.push(event);
      this.#recentWeight += weightOf(event);
    }
    if (this.#recent.length <= 2 * this.#keep && this.#recentWeight <= this.#keepWeight) return;
    let dropped = Math.max(0, this.#recent.length - this.#keep);
    for (const event of this.#recent.slice(0, dropped)) this.#recentWeight -= weightOf(event);
    for (; this.#recentWeight > this.#keepWeight / 2; dropped += 1) {
      const event = this.#recent[dropped];
      if (event === undefined) break;
      this.#recentWeight -= weightOf(event);
    }
    this.#recent = this.#recent.slice(dropped);
  }

  async #publishWhenDurable(id: number): Promise<void> {
    try {
      await this.#options.flush();
      this.#durable = Math.max(this.#durable, id);
      this.#advance();
      if (this.#pending.has(this.#durable)) this.#fillSoon();
    } catch (error) {
      this.#dropUndurable();
      this.#options.log[backgroundLevel(error)](
        { err: error },
        'cannot flush; events that are not durable stay unpublished',
      );
    }
  }

  /**
   * Reads the missing events after one turn of the event loop. Confirmations of this process's own commits may arrive
   * in that turn.
   */
  #fillSoon(): void {
    setImmediate(() => {
      const waiters = [...this.#wanted];
      if (waiters.length === 0 && !this.#pending.has(this.#durable)) return;
      this.catchUp()
        // An event that was committed before the read is published by now, or the log no longer contains it.
        .then(() => this.#reject(waiters, () => new LogTrimmedError(this.#published)))
        .catch((error) => {
          this.#options.log[backgroundLevel(error)]({ err: error }, 'cannot read the log');
          this.#reject(waiters, () => error);
        });
    });
  }

  /** Rejects those of these waiters that are still waiting. Usually there are none, and an error costs its stack. */
  #reject(waiters: readonly Waiter[], reason: () => unknown): void {
    const open = waiters.filter((waiter) => this.#wanted.includes(waiter));
    this.#wanted = this.#wanted.filter((waiter) => !open.includes(waiter));
    for (const waiter of open) waiter.reject(reason());
  }

  /**
   * Adds the page before the oldest event to the buffer. Returns false if there is none, or if the buffer may not grow
   * further.
   */
  async #backfillPage(): Promise<boolean> {
    const oldest = this.#oldest;
    if (this.#recentWeight > this.#keepWeight / 2) return false;
    const { db, organizationId } = this.#options;
    const page = await readEvents(db, organizationId, Math.max(0, oldest - 1 - EVENTS_PER_PAGE), EVENTS_PER_PAGE);
    const events = page
      .filter((event) => event.id < oldest)
      .map((event) => erasedEvent(event, this.#deletedDuringBackfill));
    // The buffer may have dropped events during the read. Then the page no longer fits, and `recall` tries again.
    if (this.#oldest !== oldest) return true;
    if (events.at(-1)?.id !== oldest - 1) return false;
    this.#recent = [...events, ...this.#recent];
    for (const event of events) this.#recentWeight += weightOf(event);
    return true;
  }

  async #read(db: Db, wanted: 'all' | 'durable'): Promise<void> {
    let cursor = this.#published;
    // Events that were read but may not be durable yet.
    let waiting: readonly LoggedEvent[] = [];
    for (;;) {
      const events = await readEvents(db, this.#options.organizationId, cursor, EVENTS_PER_PAGE);
      const [first] = events;
      const last = events.at(-1);
      if (first === undefined || last === undefined) return;
      if (first.id > Math.max(cursor, this.#published) + 1) throw new LogTrimmedError(this.#published);
      cursor = last.id;
      // A durable commit also takes everything before it to the disk.
      const durable = wanted === 'all' ? last : events.findLast((event) => !event.ephemeral);
      if (durable?.ephemeral && durable.id > this.#durable) await this.#options.flush();
      waiting = [...waiting, ...events];
      if (durable !== undefined) {
        for (const event of waiting) {
          if (event.id <= this.#published || event.id > durable.id) continue;
          if (!this.#pending.has(event.id)) eventsOfOthers.inc({ source: 'table' });
          this.#pending.set(event.id, event);
        }
        waiting = waiting.filter((event) => event.id > durable.id);
        this.#durable = Math.max(this.#durable, durable.id);
        this.#advance();
      }
      if (events.length < EVENTS_PER_PAGE) return;
    }
  }

  /** After a crash of the database these ids may belong to other events. Readers that need them read them again. */
  #dropUndurable(): void {
    for (const id of this.#pending.keys()) if (id > this.#durable) this.#pending.delete(id);
  }
}

/** Estimates the size of an event. Texts and lists on the first level of the body are all that can be long. */
function weightOf({ audience, body }: LoggedEvent): number {
  let weight = 200;
  if (audience.to === 'users') weight += 8 * audience.users.length;
  if (typeof body === 'string') return weight + body.length;
  for (const value of Object.values(body ?? {})) {
    if (typeof value === 'string') weight += value.length;
    else if (Array.isArray(value)) weight += 32 * value.length;
  }
  return weight;
}
