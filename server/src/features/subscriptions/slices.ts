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

/** These users in each of these channels: as much of a request as is one commit. */
export interface Slice<Channel> {
  readonly channels: readonly Channel[];
  readonly userIds: readonly number[];
}

/**
 * What a slice may cost, in memberships whose rows are written ahead (`LEAST_AHEAD`): some 25 ms with the log held, twice that on a busy
 * machine, and who loses to one slice may wait for the next as well. What channels cost beside their memberships is counted in the same coin.
 */
export const MOST_IN_SLICE = 5_000;

/** What every channel of a slice costs: its two or three events. */
export const CHANNEL_COST = 220;

/** What creating one costs, with its first message; three times that where both have to be rendered again with the log held. */
export const CREATION_COST = 440;

/** So many memberships are written before the log is taken: with it each costs three times as much, and what writes ahead has two exchanges more. */
const LEAST_AHEAD = 500;

/** For tests, which have no crowds. */
export interface Sizes {
  readonly mostInSlice: number;
  readonly leastAhead: number;
}

export const SIZES: Sizes = { mostInSlice: MOST_IN_SLICE, leastAhead: LEAST_AHEAD };

/** Reading and rendering before a slice gives way after so many milliseconds. */
const MOST_AT_A_STRETCH = 5;

/**
 * Who finds the subscriptions of a channel in another request's hands asks again after the least of these milliseconds, then after twice as many,
 * and no longer than anybody waits (db/waits.ts): each time takes the log.
 */
const LEAST_PAUSE = 25;
const LONGEST_PAUSE = 200;
const MOST_PAUSED = 1_500;
/** What a crowd writes takes long, and is no reason to send it away: so often it is tried at least. */
const LEAST_TRIES = 3;

/** So often may what is written ahead be for nothing, before all is written with the log in hand: else others could keep a crowd away for good. */
const LOSSES = 2;

/**
 * Cuts a request into slices, in the order of its channels and users: whole channels as long as they fit, and a channel that does not fit
 * by itself by its users.
 * @param costOf what the channel costs beside its memberships; see `CHANNEL_COST`
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

/** So many memberships of one request: its answer names each of them. */
const MOST_AT_ONCE = 100_000;

/** @throws ApiError `BAD_REQUEST`: users times channels are too many */
export function checkSize(channels: number, users: number): void {
  if (channels * users <= MOST_AT_ONCE) return;
  throw badRequest(`Too many subscriptions in one request (limit: ${MOST_AT_ONCE} users times channels)`);
}

/** A request that was checked, and can be carried out. */
export interface Planned<Answer> {
  readonly steps: readonly Step[];
  /** Of the whole request, when all steps are done. */
  readonly answer: () => Answer;
}

/** One commit of a request that may have several. */
export interface Step {
  /** Asked when all steps before it are done; a step that does not say is. */
  readonly isNeeded?: () => boolean;
  /** Reads before the log is taken what may be a little old; may be called several times. */
  readonly read?: (db: DbTransaction) => Promise<void>;
  /** What can be computed before the log is taken, piece by piece. */
  readonly ahead?: () => Iterable<unknown>;
  /** Writes in the transaction of `act` before the log is taken; not where that was for nothing too often. */
  readonly write?: (db: DbTransaction, caller: UserRecord) => Promise<UndatedSubscriptions>;
  /** May be called several times; what it answers is called once, when that is committed. */
  readonly act: (change: Change, caller: UserRecord, undated?: UndatedSubscriptions) => Promise<() => void>;
}

/** Two requests in one: in one commit where each of them is one. The second reads and computes nothing ahead. */
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
 * What crowds of one account ask for, and of all bots that are one owner's, is asked one after the other: each takes a core of the database's
 * for as long, and others should have one left.
 */
const reading = new OneOfEachWithin<Organization, number>();

/**
 * Carries out steps one after another, and lets others change the organization between them. What a step throws ends the request; what the
 * steps before it did stays done.
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
    // Others have waited for the commit: they come before what is left to do here.
    if (step.write !== undefined) await turn();
  }
}

/** @param losses how often what it wrote ahead was for nothing */
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

/** What holds the subscriptions of a channel is about to commit, or has stopped. */
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

/** Whether so much of a request is to be written before the log is taken. */
export function isWrittenAhead({ channels, userIds }: Slice<unknown>, { leastAhead }: Sizes): boolean {
  return channels.length * userIds.length >= leastAhead;
}
