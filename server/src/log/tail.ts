import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import { erasedEvent } from './erase.ts';
import type { LoggedEvent } from './event.ts';
import { readEvents } from './read.ts';

const PAGE = 500;

/** What the recent events may weigh together before some go, roughly in bytes; what they are presented as is a few times that. */
const KEEP_WEIGHT = 16 * 1024 * 1024;

/** The events that come next are no longer kept: who has missed so much must begin anew from the database. */
export class LogTrimmedError extends Error {
  constructor(cursor: number) {
    super(`the events after ${cursor} are no longer kept`);
  }
}

export interface TailOptions {
  readonly db: Db;
  readonly organizationId: number;
  /** The last event that is already known (folded into the directory). */
  readonly start: number;
  /** Called with the next events in order, each exactly once. Must not throw and must not wait. */
  readonly publish: (events: readonly LoggedEvent[]) => void;
  /** Resolves when all that is committed so far is on the disk. */
  readonly flush: () => Promise<void>;
  readonly log: Logger;
  /** How many recent events stay in memory for readers that lag a little. */
  readonly keep?: number;
  /** How much these may weigh, roughly in bytes: the longest messages are a thousand times the usual ones. */
  readonly keepWeight?: number;
}

interface Wish {
  readonly id: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The end of one organization's log, in memory. Keeps true: events are published in the order of their ids, none twice, none
 * skipped, and none before it is durable — whether this process committed them (`receive`) or another did (`catchUp`). Because ids
 * have no holes, a missing one is noticed at once and read from the table; the bus may lose, repeat or reorder.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #keep: number;
  readonly #keepWeight: number;
  readonly #pending = new Map<number, LoggedEvent>();
  #recent: LoggedEvent[] = [];
  #recentWeight = 0;
  #published: number;
  #durable: number;
  /** Reads of the table one after the other: the one under way, and the next, which all who come meanwhile share. */
  #reading: Promise<void> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  #recalling: Promise<boolean> | undefined;
  /** Messages forgotten while a page is recalled, which may still tell of them. */
  readonly #forgottenMeanwhile = new Set<number>();
  #wanted: readonly Wish[] = [];

  constructor(options: TailOptions) {
    this.#options = options;
    this.#keep = options.keep ?? 4096;
    this.#keepWeight = options.keepWeight ?? KEEP_WEIGHT;
    this.#published = options.start;
    this.#durable = options.start;
  }

  get publishedThrough(): number {
    return this.#published;
  }

  /** The events after `cursor` from memory; undefined where they go back further than memory does. */
  after(cursor: number): readonly LoggedEvent[] | undefined {
    if (cursor + 1 < this.#oldest) return undefined;
    return this.#recent.slice(cursor + 1 - this.#oldest);
  }

  get #oldest(): number {
    return this.#published - this.#recent.length + 1;
  }

  /** Takes events that this process has committed, durably or not yet. */
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

  /** Forgets what recent events tell of these messages, as the log has (erase.ts). */
  forget(messageIds: readonly number[]): void {
    const gone = new Set(messageIds);
    if (this.#recalling !== undefined) for (const id of gone) this.#forgottenMeanwhile.add(id);
    for (const [index, event] of this.#recent.entries()) {
      const erased = erasedEvent(event, gone);
      if (erased === event) continue;
      this.#recent[index] = erased;
      this.#recentWeight += weightOf(erased) - weightOf(event);
    }
  }

  /**
   * Brings events that memory does not have any more back into it, so that `after` finds those after `cursor`; or does nothing, where that
   * is further back than memory reaches. However many ask at once, as all clients do when a server has started again, each page is
   * read once.
   */
  async recall(cursor: number): Promise<void> {
    while (this.after(cursor) === undefined && cursor >= this.#published - this.#keep) {
      this.#recalling ??= this.#recallPage().finally(() => {
        this.#recalling = undefined;
        this.#forgottenMeanwhile.clear();
      });
      if (!(await this.#recalling)) return;
    }
  }

  /** Publishes all that is committed by now, by whichever process. Rejects when the database cannot be read. */
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
   * The same through a connection of the caller's, for one that holds a lock while others wait for connections. It does not wait for the
   * disk either: trailing events that are not durable yet stay unpublished. Those carry no facts.
   */
  async catchUpWith(db: Db): Promise<void> {
    await this.#read(db, 'durable');
  }

  /** Resolves when the event `id`, which is committed, has been published here. */
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
    this.#remember(batch);
    this.#options.publish(batch);
    if (this.#wanted.length > 0) {
      const reached = this.#wanted.filter((wish) => wish.id <= this.#published);
      this.#wanted = this.#wanted.filter((wish) => wish.id > this.#published);
      for (const wish of reached) wish.resolve();
    }
  }

  /** Drops half at a time, so that dropping costs little an event. */
  #remember(batch: readonly LoggedEvent[]): void {
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
      this.#distrustPending();
      this.#options.log.warn({ err: error }, 'events wait for the disk');
    }
  }

  /** Leaves commits of this process, whose answers may be on their way, a turn of the loop to arrive by themselves. */
  #fillSoon(): void {
    setImmediate(() => {
      const wishes = [...this.#wanted];
      if (wishes.length === 0 && !this.#pending.has(this.#durable)) return;
      this.catchUp()
        // What was committed before the read was there to be read, or is no longer.
        .then(() => this.#reject(wishes, new LogTrimmedError(this.#published)))
        .catch((error) => {
          this.#options.log.warn({ err: error }, 'the log cannot be read');
          this.#reject(wishes, error);
        });
    });
  }

  /** Those of the wishes that are still open. */
  #reject(wishes: readonly Wish[], error: unknown): void {
    const open = wishes.filter((wish) => this.#wanted.includes(wish));
    this.#wanted = this.#wanted.filter((wish) => !open.includes(wish));
    for (const wish of open) wish.reject(error);
  }

  /** Puts the events before the oldest in memory there; false where there are none, or no more of them are to be kept. */
  async #recallPage(): Promise<boolean> {
    const oldest = this.#oldest;
    if (this.#recentWeight > this.#keepWeight / 2) return false;
    const { db, organizationId } = this.#options;
    const page = await readEvents(db, organizationId, Math.max(0, oldest - 1 - PAGE), PAGE);
    const events = page
      .filter((event) => event.id < oldest)
      .map((event) => erasedEvent(event, this.#forgottenMeanwhile));
    // Meanwhile some may have gone from memory to make room.
    if (this.#oldest !== oldest) return true;
    if (events.at(-1)?.id !== oldest - 1) return false;
    this.#recent = [...events, ...this.#recent];
    for (const event of events) this.#recentWeight += weightOf(event);
    return true;
  }

  async #read(db: Db, wanted: 'all' | 'durable'): Promise<void> {
    let cursor = this.#published;
    // Read, and not known to be durable.
    let waiting: readonly LoggedEvent[] = [];
    for (;;) {
      const events = await readEvents(db, this.#options.organizationId, cursor, PAGE);
      const [first] = events;
      const last = events.at(-1);
      if (first === undefined || last === undefined) return;
      if (first.id > Math.max(cursor, this.#published) + 1) throw new LogTrimmedError(this.#published);
      cursor = last.id;
      // What was committed durably took everything before it to the disk.
      const durable = wanted === 'all' ? last : events.findLast((event) => !event.ephemeral);
      if (durable?.ephemeral && durable.id > this.#durable) await this.#options.flush();
      waiting = [...waiting, ...events];
      if (durable !== undefined) {
        for (const event of waiting) {
          if (event.id > this.#published && event.id <= durable.id) this.#pending.set(event.id, event);
        }
        waiting = waiting.filter((event) => event.id > durable.id);
        this.#durable = Math.max(this.#durable, durable.id);
        this.#advance();
      }
      if (events.length < PAGE) return;
    }
  }

  /** A crash of the database may have taken these events and given their ids to others: whoever needs them reads them again. */
  #distrustPending(): void {
    for (const id of this.#pending.keys()) if (id > this.#durable) this.#pending.delete(id);
  }
}

/** Texts and lists make one event heavier than another; a look at the first level finds those that can be long. */
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
