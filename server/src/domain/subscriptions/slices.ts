/**
 * Cuts requests about subscriptions into batches (`Slice`), and runs each batch as one commit (`Step`).
 *
 * Example: Ada subscribes 12,000 users to the existing channel `news`. A batch may cost 5,000 and the channel costs 220,
 * so `slicesOf` makes three batches: 4,780, 4,780 and 2,440 users. `carryOut` runs them in order. For each batch:
 *
 * 1. `giveWay` lets changes run that conflicted with the previous batch.
 * 2. `read` reads the colors of the users, and `ahead` renders notices, in pieces of 5 ms. Neither needs a lock.
 * 3. `whenFree` calls `commit`, which calls `organization.changeAfter`. There, `write` stages the rows without the
 *    organization lock (`undated.ts`). Then the transaction acquires the lock, and `act` checks everything again,
 *    appends the events and dates the rows.
 * 4. After the commit, the function from `act` adds the users to the response.
 *
 * So there are three loops, from the outside to the inside:
 *
 * - `carryOut` runs the batches. If the third one fails, for example because Ada lost her permission, the request fails
 *   and the first two stay committed.
 * - `whenFree` repeats one batch after two kinds of errors. Both roll the transaction back.
 *   - `TryAgainError`: Ben subscribes users to `news`, perhaps in another process, and holds its advisory lock. Ada
 *     pauses for 25 ms, 50 ms, 100 ms, then 200 ms each. After 1.5 s and at least three attempts, she gets a 503. From
 *     0.95 s on, each retry first ends transactions that are stalled.
 *   - `NotAsWrittenError`: the staged rows are wrong, for example because a user left `news` meanwhile. Ada retries at
 *     once. After two of them, `commit` calls `changeBy` without staging. It holds the lock longer, but cannot fail
 *     for this reason again.
 * - `changeAfter` and `changeBy` themselves repeat a transaction that PostgreSQL rolled back, as any exclusive
 *   transaction (`directory/changes.ts`).
 */
import { setTimeout as after } from 'node:timers/promises';
import { badRequest, serviceUnavailable } from '@heddle/api/errors.ts';
import { accountOf } from '../../access/bots.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { LOCK } from '../../db/waits.ts';
import { OneOfEachWithin } from '../../directory/one-at-a-time.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { turn } from '../../http/turns.ts';
import { NotAsWrittenError, TryAgainError, type UndatedSubscriptions } from './undated.ts';

/** A batch: these users in each of these channels, in one commit. */
export interface Slice<Channel> {
  readonly channels: readonly Channel[];
  readonly userIds: readonly number[];
}

/**
 * The cost limit of a batch. The unit is one staged membership (`LEAST_AHEAD`); channels count in the same unit. The
 * limit keeps the organization lock for about 25 ms, or twice that on a busy machine. A conflicting change may wait for
 * two batches.
 */
export const MOST_IN_SLICE = 5_000;

/** The cost of each channel in a batch, for its two or three events. */
export const CHANNEL_COST = 220;

/**
 * The cost of creating a channel with its first message. If the directory changed meanwhile, both are rendered again
 * under the lock, at about three times this cost.
 */
export const CREATION_COST = 440;

/**
 * A batch of at least this many memberships is staged: written before the organization lock is acquired. Under the
 * lock, a membership costs three times as much. Staging adds two round trips.
 */
const LEAST_AHEAD = 500;

/** Smaller sizes for tests. */
export interface Sizes {
  readonly mostInSlice: number;
  readonly leastAhead: number;
}

export const SIZES: Sizes = { mostInSlice: MOST_IN_SLICE, leastAhead: LEAST_AHEAD };

/** The longest time, in milliseconds, to render before other work gets a turn. */
const MOST_AT_A_STRETCH = 5;

/**
 * Pauses before a retry after `TryAgainError`, in milliseconds. They double from the first to the second value. The
 * last is the total, within the time that any request may wait (db/waits.ts), because each retry acquires the
 * organization lock.
 */
const LEAST_PAUSE = 25;
const LONGEST_PAUSE = 200;
const MOST_PAUSED = 1_500;
/**
 * The least number of attempts. A bulk subscribe holds its advisory locks for long, which alone must not make another
 * one fail.
 */
const LEAST_TRIES = 3;

/**
 * After this many `NotAsWrittenError`, a batch writes its rows under the lock. Otherwise other changes could delay it
 * forever.
 */
const LOSSES = 2;

/**
 * Cuts a request into batches, in the order of its channels and users. Channels stay whole if they fit. A channel that
 * alone exceeds the limit is cut by users.
 * @param costOf the cost of a channel without its memberships; see `CHANNEL_COST`
 */
export function slicesOf<Channel>(
  channels: readonly Channel[],
  userIds: readonly number[],
  costOf: (channel: Channel) => number,
  most = MOST_IN_SLICE,
): Slice<Channel>[] {
  const slices: Slice<Channel>[] = [];
  let gathered: Channel[] = [];
  let cost = 0;
  const cut = () => {
    if (gathered.length > 0) slices.push({ channels: gathered, userIds });
    gathered = [];
    cost = 0;
  };
  for (const channel of channels) {
    const whole = costOf(channel) + userIds.length;
    if (cost + whole > most) cut();
    if (whole > most) {
      const atOnce = Math.max(1, most - costOf(channel));
      for (let start = 0; start < userIds.length; start += atOnce) {
        slices.push({ channels: [channel], userIds: userIds.slice(start, start + atOnce) });
      }
    } else {
      gathered.push(channel);
      cost += whole;
    }
  }
  cut();
  return slices;
}

/** The most memberships in one request, because the response names each of them. */
const MOST_AT_ONCE = 100_000;

/** @throws ApiError `BAD_REQUEST`: users times channels exceed the bound */
export function checkSize(channels: number, users: number): void {
  if (channels * users <= MOST_AT_ONCE) return;
  throw badRequest(`Too many subscriptions in one request (limit: ${MOST_AT_ONCE} users times channels)`);
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
  /** Stages rows in the transaction of `act`, before the organization lock. Skipped after too many conflicts. */
  readonly write?: (db: DbTransaction, caller: UserRecord) => Promise<UndatedSubscriptions>;
  /** May be called several times. The function that it returns is called once, after the commit. */
  readonly act: (change: Change, caller: UserRecord, undated?: UndatedSubscriptions) => Promise<() => void>;
}

/**
 * Joins the steps of two requests. If both have one step, they share a commit, and the second neither reads nor stages.
 */
export function together(first: readonly Step[], second: readonly Step[]): readonly Step[] {
  const [one, ...more] = first;
  const [other, ...others] = second;
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return [...first, ...second];
  const act: Step['act'] = async (change, caller, undated) => {
    const done = [await one.act(change, caller, undated), await other.act(change, caller)];
    return () => {
      for (const note of done) note();
    };
  };
  return [{ ...one, act }];
}

/**
 * Bulk subscribes of one account and its bots read one at a time. Each uses a core of the database, and other requests
 * need one too.
 */
const reading = new OneOfEachWithin<Organization, number>();

/**
 * Runs steps in order, and lets other changes run between them. An error in a step ends the request, but earlier steps
 * stay committed.
 */
export async function carryOut(organization: Organization, caller: UserRecord, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const { isNeeded, read, ahead } = step;
    if (isNeeded?.() === false) continue;
    if (index > 0) await organization.giveWay();
    if (read !== undefined) {
      const readIt = () => organization.readBy(caller, ({ db }) => read(db));
      await (step.write === undefined ? readIt() : reading.run(organization, accountOf(caller), readIt));
    }
    if (ahead !== undefined) await inPieces(ahead());
    const note = await whenFree(organization, (losses) => commit(organization, caller, step, losses));
    note();
    // Other requests waited for the commit, so they run first.
    if (step.write !== undefined) await turn();
  }
}

/** @param losses how often staged rows did not match */
function commit(
  organization: Organization,
  caller: UserRecord,
  { write, act }: Step,
  losses: number,
): Promise<() => void> {
  if (write === undefined || losses >= LOSSES) return organization.changeBy(caller, act);
  return organization.changeAfter(caller, write, async (change, user, undated) => {
    const note = await act(change, user, undated);
    undated.checkDated();
    return note;
  });
}

/**
 * Runs a step with retries. After `TryAgainError` it pauses: the holder of the channel's lock is about to commit, or is
 * stalled. After `NotAsWrittenError` it retries at once.
 */
async function whenFree<Result>(
  organization: Organization,
  attempt: (losses: number) => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  let pause = LEAST_PAUSE;
  let losses = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(losses);
    } catch (error) {
      if (error instanceof NotAsWrittenError) {
        losses++;
        continue;
      }
      if (!(error instanceof TryAgainError)) throw error;
      const waited = performance.now() - began;
      if (tries >= LEAST_TRIES && waited > MOST_PAUSED)
        throw serviceUnavailable('Too many changes at once; please try again');
      if (waited > LOCK) await organization.endStalled();
      await after(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
}

async function inPieces(work: Iterable<unknown>): Promise<void> {
  let began = performance.now();
  for (const _ of work) {
    if (performance.now() - began < MOST_AT_A_STRETCH) continue;
    await turn();
    began = performance.now();
  }
}

/** Whether the rows of this batch are staged before the organization lock. */
export function isWrittenAhead({ channels, userIds }: Slice<unknown>, { leastAhead }: Sizes): boolean {
  return channels.length * userIds.length >= leastAhead;
}
