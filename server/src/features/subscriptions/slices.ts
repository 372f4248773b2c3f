import { badRequest } from '@heddle/api/errors.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { turn } from '../../http/turns.ts';

/** These users in each of these channels: as much of a request as is one commit. */
export interface Slice<Channel> {
  readonly channels: readonly Channel[];
  readonly userIds: readonly number[];
}

/**
 * What a slice may cost, in memberships that begin: some 50 ms with the log held, twice that on a busy machine. What channels cost beside
 * their memberships is counted in the same coin.
 */
export const MOST_IN_SLICE = 4000;

/** What every channel of a slice costs: its two or three events. */
export const CHANNEL_COST = 40;

/** What creating one costs, with its first message; three times that where both have to be rendered again with the log held. */
export const CREATION_COST = 80;

/** Reading and rendering before a slice gives way after so many milliseconds. */
const MOST_AT_A_STRETCH = 5;

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
  /** May be called several times; what it answers is called once, when that is committed. */
  readonly act: (change: Change, caller: UserRecord) => Promise<() => void>;
}

/** Two requests in one: in one commit where each of them is one. The second reads and computes nothing ahead. */
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
 * Carries out steps one after another, and lets others change the organization between them. What a step throws ends the request; what the
 * steps before it did stays done.
 */
export async function carryOut(organization: Organization, caller: UserRecord, steps: readonly Step[]): Promise<void> {
  for (const [index, { isNeeded, read, ahead, act }] of steps.entries()) {
    if (isNeeded?.() === false) continue;
    if (index > 0) await organization.giveWay();
    if (read !== undefined) await organization.readBy(caller, ({ db }) => read(db));
    if (ahead !== undefined) await inPieces(ahead());
    const note = await organization.changeBy(caller, act);
    note();
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
