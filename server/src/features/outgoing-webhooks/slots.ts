/** Concurrency slots for requests: a slow service leaves slots for the others. */
import { type LimitRule, RateLimiter } from '../../http/limits/limits.ts';

/** The result of a request: `failing` if the service did not respond properly, `unknown` if it was not asked. */
export type Ended = 'well' | 'failing' | 'unknown';

export interface Slot {
  readonly organizationId: number;
  readonly ownerId: number;
  readonly botId: number;
}

/** Concurrent requests of this process. An owner has few, since anyone can create hundreds of bots. */
const MAX_REQUESTS = { all: 64, organization: 16, owner: 8, bot: 2 } as const;
type Bounds = Readonly<Record<keyof typeof MAX_REQUESTS, number>>;

/** Services that failed last time share a part of the slots, so that they never block the others. */
const MAX_REQUESTS_TO_FAILING: Bounds = { all: 32, organization: 8, owner: 4, bot: 1 };

/** Concurrent requests of one bot. */
export const MAX_REQUESTS_PER_BOT = MAX_REQUESTS.bot;

/** Failing services in memory. Beyond this number all are forgotten. */
const MAX_REMEMBERED_SERVICES = 10_000;

export class Slots {
  readonly #taken = new Set<Slot>();
  readonly #failing = new Set<string>();
  readonly #ofOwners: RateLimiter | undefined;

  /** @param ofOwner how often the bots of one owner may be asked; undefined: no limit */
  constructor(ofOwner?: LimitRule) {
    this.#ofOwners = ofOwner && new RateLimiter(ofOwner);
  }

  /** Takes a slot if one is free; `release` gives it back. */
  acquire(slot: Slot): boolean {
    const isFailing = this.#failing.has(keyOf(slot));
    const hasRoom =
      isWithin(MAX_REQUESTS, slot, this.#taken) &&
      (!isFailing ||
        isWithin(
          MAX_REQUESTS_TO_FAILING,
          slot,
          [...this.#taken].filter((one) => this.#failing.has(keyOf(one))),
        ));
    if (!hasRoom || this.#ofOwners?.take(`${slot.organizationId} ${slot.ownerId}`).isAllowed === false) return false;
    this.#taken.add(slot);
    return true;
  }

  release(slot: Slot, ended: Ended): void {
    this.#taken.delete(slot);
    if (this.#failing.size >= MAX_REMEMBERED_SERVICES) this.#failing.clear();
    if (ended === 'failing') this.#failing.add(keyOf(slot));
    if (ended === 'well') this.#failing.delete(keyOf(slot));
  }
}

function keyOf({ organizationId, botId }: Slot): string {
  return `${organizationId} ${botId}`;
}

function isWithin(most: Bounds, slot: Slot, taken: Iterable<Slot>): boolean {
  const count = { all: 0, organization: 0, owner: 0, bot: 0 };
  for (const one of taken) {
    count.all += 1;
    if (one.organizationId !== slot.organizationId) continue;
    count.organization += 1;
    if (one.ownerId === slot.ownerId) count.owner += 1;
    if (one.botId === slot.botId) count.bot += 1;
  }
  return (
    count.all < most.all && count.organization < most.organization && count.owner < most.owner && count.bot < most.bot
  );
}
