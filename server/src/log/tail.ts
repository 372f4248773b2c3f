import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';
import { readEvents } from './read.ts';

const PAGE = 500;

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
}

/**
 * The end of one organization's log, in memory. Keeps true: events are published in the order of their ids, none twice, none
 * skipped, and none before it is durable — whether this process committed them (`receive`) or another did (`catchUp`). Because ids
 * have no holes, a missing one is noticed at once and read from the table; the bus may lose, repeat or reorder.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #keep: number;
  readonly #pending = new Map<number, LoggedEvent>();
  #recent: LoggedEvent[] = [];
  #published: number;
  #durable: number;
  #filling: Promise<void> | undefined;
  #wanted: { readonly id: number; readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];

  constructor(options: TailOptions) {
    this.#options = options;
    this.#keep = options.keep ?? 4096;
    this.#published = options.start;
    this.#durable = options.start;
  }

  get publishedThrough(): number {
    return this.#published;
  }

  /** The events after `cursor` from memory; undefined where they go back further than memory does. */
  after(cursor: number): readonly LoggedEvent[] | undefined {
    const first = this.#published - this.#recent.length + 1;
    if (cursor + 1 < first) return undefined;
    return this.#recent.slice(cursor + 1 - first);
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

  /** Publishes all that is committed by now, by whichever process. Rejects when the database cannot be read. */
  async catchUp(): Promise<void> {
    await this.#fill(this.#options.db);
  }

  /** The same through a connection of the caller's: for one that holds a lock while others wait for connections. */
  async catchUpWith(db: Db): Promise<void> {
    await this.#read(db);
  }

  /** Resolves when the event `id`, which is committed, has been published here. */
  async reached(id: number): Promise<void> {
    if (id <= this.#published) return;
    await new Promise<void>((resolve, reject) => {
      this.#wanted.push({ id, resolve, reject });
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
    for (const event of batch) this.#recent.push(event);
    if (this.#recent.length > 2 * this.#keep) this.#recent = this.#recent.slice(-this.#keep);
    this.#options.publish(batch);
    if (this.#wanted.length > 0) {
      const reached = this.#wanted.filter((wish) => wish.id <= this.#published);
      this.#wanted = this.#wanted.filter((wish) => wish.id > this.#published);
      for (const wish of reached) wish.resolve();
    }
  }

  async #publishWhenDurable(id: number): Promise<void> {
    try {
      await this.#options.flush();
      this.#durable = Math.max(this.#durable, id);
      this.#advance();
      if (this.#pending.has(this.#durable)) this.#fillSoon();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'events wait for the disk');
    }
  }

  /** Leaves commits of this process, whose answers may be on their way, a turn of the loop to arrive by themselves. */
  #fillSoon(): void {
    setImmediate(() => {
      const missing = this.#wanted.some((wish) => wish.id > this.#published) || this.#pending.has(this.#durable);
      if (missing) this.catchUp().catch((error) => this.#fail(error));
    });
  }

  #fail(error: unknown): void {
    this.#options.log.warn({ err: error }, 'the log cannot be read');
    const wishes = this.#wanted;
    this.#wanted = [];
    for (const wish of wishes) wish.reject(error);
  }

  /** One read at a time; a caller that finds one under way waits for it and then reads what came since. */
  async #fill(db: Db): Promise<void> {
    while (this.#filling !== undefined) await this.#filling.catch(() => undefined);
    this.#filling = this.#read(db);
    try {
      await this.#filling;
    } finally {
      this.#filling = undefined;
    }
  }

  async #read(db: Db): Promise<void> {
    for (;;) {
      const events = await readEvents(db, this.#options.organizationId, this.#published, PAGE);
      const last = events.at(-1);
      if (last === undefined) return;
      if (last.ephemeral && last.id > this.#durable) await this.#options.flush();
      for (const event of events) if (event.id > this.#published) this.#pending.set(event.id, event);
      this.#durable = Math.max(this.#durable, last.id);
      this.#advance();
      if (events.length < PAGE) return;
    }
  }
}
