import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { MAX_WAITING_TRANSACTIONS } from '../db/timeouts.ts';
import { batchItems, batchSeconds } from '../measures.ts';
import { forNobody, timeOfRequest } from '../time-spent.ts';

/** The outcome of one item: its result, or the reason why this item alone failed. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

export interface GroupCommitOptions<Item, Result> {
  /** Commits the items together. Returns the outcomes in the order of the items. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  /**
   * Whether a failed commit certainly changed nothing, so that each item may be tried alone. If the connection broke,
   * the commit may have succeeded, and a retry would do it twice.
   */
  readonly mayRetrySingly: (error: unknown) => boolean;
  /**
   * Whether the next commit would fail for the same reason. Then the waiting items are rejected too, so that no item
   * waits for more than one failure. Default: the waiting items are tried.
   */
  readonly concernsAll?: (error: unknown) => boolean;
  /** How long the first batch after a pause collects items, in milliseconds. Default: it begins at once. */
  readonly gather?: number;
  /**
   * If a commit is not confirmed for this long, in milliseconds, the next batch begins beside it. When the event loop
   * is busy with thousands of clients, the confirmation may have arrived without being read. Default: batches never
   * overlap.
   */
  readonly overlapAfter?: number;
  /**
   * Returns how long to wait after a large batch, in milliseconds. Waiting makes the batches fewer and larger, and lets
   * other users of the organization lock have their turn. Default: the next batch begins at once.
   */
  readonly rest?: () => number;
  readonly maximum?: number;
  /** The weight of an item, in characters; see `MAX_BATCH_CHARACTERS`. Default: all items are light. */
  readonly weightOf?: (item: Item) => number;
  /** How many items may wait. More are rejected. */
  readonly maxWaiting?: number;
}

/** A batch of this many items shows that many senders are active. */
const LARGE_BATCH_ITEMS = 4;

/** Limits the batches that are being committed at the same time. */
const MAX_BATCHES_IN_FLIGHT = 4;

/** An item above this weight, in characters, is heavy: the other items of its batch would wait for milliseconds. */
const HEAVY_ITEM_CHARACTERS = 16 * 1024;

/**
 * Limits the total weight of the heavy items in a batch. One item alone may exceed it. Light items never wait for more
 * than this.
 */
const MAX_BATCH_CHARACTERS = 128 * 1024;

interface Member<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits items in batches: while one batch is being committed, the next one collects items.
 *
 * If a batch fails, its items are tried one by one, so that only the item that caused the failure is rejected. Items
 * keep their order within a batch, and batches that do not overlap keep it too. Light items may overtake heavy ones
 * that do not fit into the batch.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #maximum: number;
  readonly #maxWaiting: number;
  #waiting: Member<Item, Result>[] = [];
  #inFlight = 0;
  #lastBegun = 0;
  #lastSize = 0;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
    this.#maximum = options.maximum ?? 256;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING_TRANSACTIONS;
  }

  /**
   * Resolves or rejects with the outcome of this item.
   * @throws ApiError 503 if too many items wait
   */
  add(item: Item): Promise<Result> {
    const time = timeOfRequest();
    if (time === undefined) return this.#add(item);
    const begunAt = performance.now();
    return this.#add(item).finally(() => time.add('batch', performance.now() - begunAt));
  }

  #add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#maxWaiting) {
        throw serviceUnavailable('Too many changes at once; please try again');
      }
      this.#waiting.push({ item, resolve, reject });
      if (this.#inFlight > 0 && !this.#mayOverlap()) return;
      this.#inFlight += 1;
      this.#lastBegun = performance.now();
      forNobody(() => this.#begin());
    });
  }

  /** Resolves when no item waits and no batch is being committed. */
  async settled(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /**
   * Starts a batch. Clients that received responses together usually send again together. So after a large batch, the
   * next one waits for the items that arrive with its first one. Otherwise it starts at once: with thousands of ready
   * sockets, the next phase of the event loop can be 250 ms away.
   */
  #begin(): void {
    if (this.#options.gather !== undefined) setTimeout(() => this.#run(), this.#options.gather);
    else if (this.#lastSize >= LARGE_BATCH_ITEMS) setImmediate(() => this.#run());
    else queueMicrotask(() => this.#run());
  }

  #mayOverlap(): boolean {
    const { overlapAfter } = this.#options;
    if (overlapAfter === undefined || this.#inFlight >= MAX_BATCHES_IN_FLIGHT) return false;
    return performance.now() - this.#lastBegun > overlapAfter;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#take();
      this.#lastBegun = performance.now();
      this.#lastSize = group.length;
      await this.#commit(group);
      const rest = group.length >= LARGE_BATCH_ITEMS ? (this.#options.rest?.() ?? 0) : 0;
      if (rest > 0) await setTimeoutPromise(rest);
    }
    this.#inFlight -= 1;
    if (this.#inFlight > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Takes the next batch from the waiting items. It always includes the first heavy one. */
  #take(): readonly Member<Item, Result>[] {
    const { weightOf } = this.#options;
    if (weightOf === undefined) return this.#waiting.splice(0, this.#maximum);
    const group: Member<Item, Result>[] = [];
    const left: Member<Item, Result>[] = [];
    let weight = 0;
    for (const member of this.#waiting) {
      const own = weightOf(member.item);
      const hasRoom = own <= HEAVY_ITEM_CHARACTERS || weight === 0 || weight + own <= MAX_BATCH_CHARACTERS;
      if (group.length < this.#maximum && hasRoom) {
        group.push(member);
        if (own > HEAVY_ITEM_CHARACTERS) weight += own;
      } else left.push(member);
    }
    this.#waiting = left;
    return group;
  }

  async #commit(group: readonly Member<Item, Result>[]): Promise<void> {
    const begunAt = performance.now();
    batchItems.observe(group.length);
    try {
      const outcomes = await this.#options.commit(group.map((member) => member.item));
      batchSeconds.observe((performance.now() - begunAt) / 1000);
      group.forEach((member, index) => {
        const outcome = outcomes[index] ?? { error: new Error('a group commit returned too few outcomes') };
        if ('result' in outcome) member.resolve(outcome.result);
        else member.reject(outcome.error);
      });
    } catch (error) {
      if (group.length > 1 && this.#options.mayRetrySingly(error))
        for (const member of group) await this.#commit([member]);
      else for (const member of group) member.reject(error);
      if (this.#options.concernsAll?.(error)) for (const member of this.#waiting.splice(0)) member.reject(error);
    }
  }
}
