import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { MOST_CHANGES_WAITING } from '../db/waits.ts';

/** What a member of a group gets: its result, or the reason why it, alone, failed. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

export interface GroupCommitOptions<Item, Result> {
  /** Commits the items together; outcomes in the items' order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  /**
   * Whether a failed commit certainly did nothing, so that its members may be tried one by one. Where the connection broke it may
   * have gone through, and trying again would do it twice.
   */
  readonly mayRetrySingly: (error: unknown) => boolean;
  /**
   * Whether a commit failed for what the next would meet too: then those who gathered meanwhile are refused with it, so that nobody waits
   * for more than one to fail. Left out: they are tried.
   */
  readonly concernsAll?: (error: unknown) => boolean;
  /** How long a group that nothing keeps waiting gathers, in milliseconds. */
  readonly gather?: number;
  /**
   * A group whose commit has not been confirmed for this long, in milliseconds, keeps the next no longer: where the loop is busy with
   * thousands of clients, the confirmation may be there and unread. Left out: groups follow each other.
   */
  readonly overlapAfter?: number;
  /**
   * After a group for which many came together the next gathers for so long as this tells then, in milliseconds, so that there are fewer
   * and larger ones and what else takes the log has its turn. Left out: the next begins at once.
   */
  readonly rest?: () => number;
  readonly maximum?: number;
  /** How heavy an item is, in characters; see `MOST_WEIGHT`. Left out: all are light. */
  readonly weightOf?: (item: Item) => number;
  /** How many may gather; more are refused. */
  readonly mostWaiting?: number;
}

/** A group of this many shows that senders come together. */
const MANY = 4;

/** So many groups may be under way at once. */
const MOST_UNDER_WAY = 4;

/** What weighs more is heavy: others would wait for milliseconds for it. */
const HEAVY = 16 * 1024;

/** So much may the heavy items of a group weigh together, or one alone may weigh more: what is light never waits for more than that of them. */
const MOST_WEIGHT = 128 * 1024;

interface Member<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets items that arrive together commit together: while one group is being committed the next gathers. If a group is refused, its
 * members are tried one by one, so that only the culprit hears of it. Within a group items keep the order in which they came, and
 * groups that do not overlap follow it too; but what is light goes past heavy items for which the group has no room.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #maximum: number;
  readonly #mostWaiting: number;
  #waiting: Member<Item, Result>[] = [];
  #underWay = 0;
  #lastBegun = 0;
  #lastSize = 0;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
    this.#maximum = options.maximum ?? 256;
    this.#mostWaiting = options.mostWaiting ?? MOST_CHANGES_WAITING;
  }

  /**
   * Resolves or rejects when the item's own fate is known.
   * @throws ApiError 503: too many wait
   */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#mostWaiting) {
        throw serviceUnavailable('Too many changes at once; please try again');
      }
      this.#waiting.push({ item, resolve, reject });
      if (this.#underWay > 0 && !this.#mayOverlap()) return;
      this.#underWay += 1;
      this.#lastBegun = performance.now();
      if (this.#options.gather === undefined) this.#begin();
      else setTimeout(() => this.#run(), this.#options.gather);
    });
  }

  /** Resolves when nothing waits and nothing is being committed. */
  async settled(): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /**
   * Many who were answered together mostly come again together: then the group waits for what has arrived with its first member. Else
   * it begins at once, since the loop's next phase can be a quarter of a second away where thousands of sockets are ready.
   */
  #begin(): void {
    if (this.#lastSize >= MANY) setImmediate(() => this.#run());
    else queueMicrotask(() => this.#run());
  }

  #mayOverlap(): boolean {
    const { overlapAfter } = this.#options;
    if (overlapAfter === undefined || this.#underWay >= MOST_UNDER_WAY) return false;
    return performance.now() - this.#lastBegun > overlapAfter;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#take();
      this.#lastBegun = performance.now();
      this.#lastSize = group.length;
      await this.#commit(group);
      const rest = group.length >= MANY ? (this.#options.rest?.() ?? 0) : 0;
      if (rest > 0) await setTimeoutPromise(rest);
    }
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The next group, out of those that wait. The first heavy one is always among it. */
  #take(): readonly Member<Item, Result>[] {
    const { weightOf } = this.#options;
    if (weightOf === undefined) return this.#waiting.splice(0, this.#maximum);
    const group: Member<Item, Result>[] = [];
    const left: Member<Item, Result>[] = [];
    let weight = 0;
    for (const member of this.#waiting) {
      const own = weightOf(member.item);
      const hasRoom = own <= HEAVY || weight === 0 || weight + own <= MOST_WEIGHT;
      if (group.length < this.#maximum && hasRoom) {
        group.push(member);
        if (own > HEAVY) weight += own;
      } else left.push(member);
    }
    this.#waiting = left;
    return group;
  }

  async #commit(group: readonly Member<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(group.map((member) => member.item));
      group.forEach((member, index) => {
        const outcome = outcomes[index] ?? { error: new Error('a group commit answered for too few of its members') };
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
