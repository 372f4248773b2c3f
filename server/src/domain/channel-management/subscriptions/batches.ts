/**
 * Cuts requests about subscriptions into batches (`Batch`), and runs each batch as one commit (`Step`).
 *
 * Example: Ada subscribes 12,000 users to the existing channel `news`. A batch may cost 1,000 and the channel costs 75,
 * so `batchesOf` makes 13 batches of at most 925 users. `carryOut` runs them in order. For each batch:
 *
 * 1. `yieldToOthers` lets changes run that conflicted with the previous batch.
 * 2. `read` reads the colors of the users, and `ahead` renders notices, in pieces of 5 ms. Neither needs a lock.
 * 3. `act` runs in an exclusive transaction: it checks everything again, and writes the rows and events.
 * 4. After the commit, the function from `act` adds the users to the response.
 *
 * If the third batch fails, for example because Ada lost her permission, the request fails and the first two stay
 * committed.
 */
import { badRequest } from '@heddle/api/errors.ts';
import { accountOf } from '../../../access/bots.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { OneOfEachWithin } from '../../../directory/one-at-a-time.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { turn } from '../../../http/limits/turns.ts';

/** A batch: these users in each of these channels, in one commit. */
export interface Batch<Channel> {
  readonly channels: readonly Channel[];
  readonly userIds: readonly number[];
}

/**
 * The cost limit of a batch. The unit is one membership that begins; channels count in the same unit. The limit keeps
 * the organization lock for about 15 ms. A conflicting change may wait for two batches. Twice as much was no faster.
 */
export const MAX_JOINS_PER_COMMIT = 1_000;

/** The cost of each channel in a batch, for its two or three events. */
export const CHANNEL_COST_MEMBERSHIPS = 75;

/**
 * The cost of creating a channel with its first message. If the directory changed meanwhile, both are rendered again
 * under the lock, at about three times this cost.
 */
export const CREATION_COST_MEMBERSHIPS = 150;

/** The longest time, in milliseconds, to render before other work gets a turn. */
const MAX_RENDERING_MS = 5;

/**
 * Cuts a request into batches, in the order of its channels and users. Channels stay whole if they fit. A channel that
 * alone exceeds the limit is cut by users.
 * @param costOf the cost of a channel without its memberships; see `CHANNEL_COST_MEMBERSHIPS`
 */
export function batchesOf<Channel>(
  channels: readonly Channel[],
  userIds: readonly number[],
  costOf: (channel: Channel) => number,
  most = MAX_JOINS_PER_COMMIT,
): Batch<Channel>[] {
  const batches: Batch<Channel>[] = [];
  let gathered: Channel[] = [];
  let cost = 0;
  const cut = () => {
    if (gathered.length > 0) batches.push({ channels: gathered, userIds });
    gathered = [];
    cost = 0;
  };
  for (const channel of channels) {
    const whole = costOf(channel) + userIds.length;
    if (cost + whole > most) cut();
    if (whole > most) {
      const atOnce = Math.max(1, most - costOf(channel));
      for (let start = 0; start < userIds.length; start += atOnce) {
        batches.push({ channels: [channel], userIds: userIds.slice(start, start + atOnce) });
      }
    } else {
      gathered.push(channel);
      cost += whole;
    }
  }
  cut();
  return batches;
}

/** The most memberships in one request, because the response names each of them. */
const MAX_MEMBERSHIPS_PER_REQUEST = 100_000;

/** @throws ApiError `BAD_REQUEST`: users times channels exceed the bound */
export function checkSize(channels: number, users: number): void {
  if (channels * users <= MAX_MEMBERSHIPS_PER_REQUEST) return;
  throw badRequest(
    `Too many subscriptions in one request (limit: ${MAX_MEMBERSHIPS_PER_REQUEST} users times channels)`,
  );
}

/** A request that was checked and is ready to run. */
export interface Planned<Answer> {
  readonly steps: readonly Step[];
  /** The response, after all steps. */
  readonly answer: () => Answer;
}

/** One commit of a request. */
export interface Step {
  /** Called after all earlier steps. Without it, the step always runs. */
  readonly isNeeded?: () => boolean;
  /** Reads values before the organization lock, which may be slightly old. May be called several times. */
  readonly read?: (db: DbTransaction) => Promise<void>;
  /** Computes values before the organization lock, piece by piece. */
  readonly ahead?: () => Iterable<unknown>;
  /** May be called several times. The function that it returns is called once, after the commit. */
  readonly act: (change: Change, caller: UserRecord) => Promise<() => void>;
}

/** Joins the steps of two requests. If both have one step, they share a commit, and the second reads nothing ahead. */
export function together(first: readonly Step[], second: readonly Step[]): readonly Step[] {
  const [one, ...more] = first;
  const [other, ...others] = second;
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return [...first, ...second];
  const act: Step['act'] = async (change, caller) => {
    const done = [await one.act(change, caller), await other.act(change, caller)];
    return () => {
      for (const note of done) note();
    };
  };
  return [{ ...one, act }];
}

/**
 * Requests of one account and its bots read one at a time. A bulk subscribe uses a core of the database for it, and
 * other requests need one too.
 */
const reading = new OneOfEachWithin<Organization, number>();

/**
 * Runs steps in order, and lets other changes run between them. An error in a step ends the request, but earlier steps
 * stay committed.
 */
export async function carryOut(organization: Organization, caller: UserRecord, steps: readonly Step[]): Promise<void> {
  for (const [index, { isNeeded, read, ahead, act }] of steps.entries()) {
    if (isNeeded?.() === false) continue;
    if (index > 0) await organization.yieldToOthers();
    if (read !== undefined) {
      const readIt = () => organization.read(caller, ({ db }) => read(db));
      await reading.run(organization, accountOf(caller), readIt);
    }
    if (ahead !== undefined) await inPieces(ahead());
    const note = await organization.transact(caller, 'exclusive', act);
    note();
    // Other requests waited for the commit, so they run first.
    if (steps.length > 1) await turn();
  }
}

async function inPieces(work: Iterable<unknown>): Promise<void> {
  let began = performance.now();
  for (const _ of work) {
    if (performance.now() - began < MAX_RENDERING_MS) continue;
    await turn();
    began = performance.now();
  }
}
