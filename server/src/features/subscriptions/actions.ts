import type { Fact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { knowsUnsubscribed } from '../../directory/visibility.ts';
import { announceArrivals, announceDepartures } from '../acquaintances/actions.ts';
import type { ChannelEvent, ChannelView } from '../channels/present.ts';
import { deactivatedSubscribers, viewChannel } from '../channels/queries.ts';
import { type BegunSubscription, beginSubscriptions } from './beginning.ts';
import { type GivenColors, newColor } from './colors.ts';
import { announceLeftUnread } from './left-unread.ts';
import { type Member, memberAgain, type SubscriptionEvent } from './present.ts';
import { colorsOf, endSubscriptions, membersOf, rowsOf, type SubscriptionChange } from './rows.ts';
import { TAKEN, TryAgainError, type UndatedSubscriptions } from './undated.ts';

export { colorsOf } from './rows.ts';
export {
  CREATION_COST,
  carryOut,
  isWrittenAhead,
  type Planned,
  SIZES,
  type Slice,
  type Step,
  slicesOf,
} from './slices.ts';
export { UndatedSubscriptions } from './undated.ts';

/** Users who are to join, or to leave, a channel. */
export interface Membership {
  /** Also one that this very change creates. */
  readonly channel: ChannelRecord;
  /** Also those that this very change creates. */
  readonly userIds: readonly number[];
  /** For those who have no colour of it yet; left out, each gets one that they do not use. */
  readonly color?: string | undefined;
}

/** What was read, or written, before the change that subscribes. */
interface DoneBefore {
  /** The colours that the users have. */
  readonly colors?: GivenColors | undefined;
  /** The rows of all who are to join, without a date. */
  readonly undated?: UndatedSubscriptions | undefined;
}

/**
 * Subscribes users to channels, each channel given once; those who are subscribed stay as they are. Whether they may is the caller's
 * question. Three statements, and two or three events a channel, however many users.
 * @throws TryAgainError another request has the subscriptions of a channel in hand; never of people whom this very change adds
 */
export async function addSubscribers(
  change: Change,
  memberships: readonly Membership[],
  { colors, undated }: DoneBefore = {},
): Promise<void> {
  const { db, directory, position } = change;
  const joining = memberships
    .map((membership) => {
      const { channel, userIds } = membership;
      return { ...membership, userIds: without(userIds, directory.subscriptions.of(channel.id)) };
    })
    .filter(({ userIds }) => userIds.length > 0);
  if (joining.length === 0) return;

  const organizationId = directory.organization.id;
  if (undated !== undefined) {
    const events = joining.map(({ channel, userIds }) => {
      return [channel.id, announceJoining(change, channel, undated.members(channel.id, userIds))] as const;
    });
    change.beside(undated.date(change, new Map(events)));
    return;
  }
  const membersOfEach = await newMembers(change, joining, colors);
  const begun: BegunSubscription[] = [];
  for (const [index, { channel }] of joining.entries()) {
    const members = membersOfEach[index] ?? [];
    const eventId = announceJoining(change, channel, members);
    for (const [userId, color, kept] of members) {
      const isNewcomer = directory.user(userId) === undefined;
      begun.push({ userId, channelId: channel.id, eventId, color, isAgain: kept !== undefined, isNewcomer });
    }
  }
  const areFree = await beginSubscriptions(db, organizationId, begun, position.messageHead);
  if (!areFree) throw new TryAgainError(TAKEN);
}

/** Those who join each of these channels, with what they have set or the colour that they get. */
async function newMembers(
  { db, directory }: Change,
  joining: readonly Membership[],
  known: GivenColors | undefined,
): Promise<readonly (readonly Member[])[]> {
  const organizationId = directory.organization.id;
  const users = [...new Set(joining.flatMap(({ userIds }) => userIds))];
  const channelIds = joining.map(({ channel }) => channel.id);
  const earlier = Map.groupBy(await rowsOf(db, organizationId, users, channelIds), (row) => row.channel_id);
  const colors = known ?? (await colorsOf(db, organizationId, users));
  return joining.map(({ channel, userIds, color }) => {
    const kept = new Map(earlier.get(channel.id)?.map((row) => [row.user_id, row]));
    return userIds.map((userId): Member => {
      const row = kept.get(userId);
      return row === undefined ? [userId, newColor(colors, userId, channel.id, color)] : memberAgain(row);
    });
  });
}

/** Tells all whom it concerns that these join. @returns the id of the event since which they are subscribed */
function announceJoining(change: Change, channel: ChannelRecord, members: readonly Member[]): number {
  const { directory } = change;
  const userIds = members.map(([userId]) => userId);
  announceArrivals(change, channel.id, userIds);
  const view = viewChannel(directory, channel);
  const newlyKnowing = userIds.filter((userId) => knowsBySubscriptionOnly(change, channel, userId));
  if (newlyKnowing.length > 0) {
    const body: ChannelEvent = { op: 'create', views: [view] };
    change.append({ type: 'stream', audience: { to: 'users', users: newlyKnowing }, body });
  }
  const grown = { ...view, subscriberCount: view.subscriberCount + userIds.length };
  const deactivated = deactivatedSubscribers(directory, channel.id);
  return announceJoined(change, channel, userIds, { op: 'add', view: grown, members, deactivated });
}

function without(userIds: readonly number[], subscribed: ReadonlyMap<number, unknown>): number[] {
  return [...new Set(userIds)].filter((userId) => !subscribed.has(userId)).sort((a, b) => a - b);
}

/** Whether only a subscription lets the user know the channel. Who is created in this change has no client yet that could. */
function knowsBySubscriptionOnly({ directory }: Change, channel: ChannelRecord, userId: number): boolean {
  const user = directory.user(userId);
  return user !== undefined && !knowsUnsubscribed(directory, user, channel);
}

/** Tells those who joined, and then their peers. */
function announceJoined(
  change: Change,
  { id: channelId, isArchived }: ChannelRecord,
  userIds: readonly number[],
  joined: SubscriptionEvent,
): number {
  const peers: SubscriptionEvent = { op: 'peer_add', channelId, isArchived, userIds };
  return announceBoth(change, { fact: 'subscribed', channelId, userIds }, joined, peers);
}

/** @returns the id of the event that those hear whom it concerns, with the fact; all others who see the channel hear the other one */
function announceBoth(
  { append }: Change,
  fact: Extract<Fact, { readonly fact: 'subscribed' | 'unsubscribed' }>,
  own: SubscriptionEvent,
  peers: SubscriptionEvent,
): number {
  const { channelId, userIds } = fact;
  const eventId = append({
    type: 'subscription',
    audience: { to: 'users', users: userIds },
    body: own,
    facts: [fact],
  });
  append({ type: 'subscription', audience: { to: 'channel-viewers', channelId }, body: peers });
  return eventId;
}

/**
 * Tells clients that know of no archived channels who is subscribed to one that is open again, and subscribers that they are. To be called
 * after the event that opens it.
 * @param view as it is now
 */
export async function announceBack(change: Change, view: ChannelView): Promise<void> {
  const { db, directory, append } = change;
  const { id: channelId } = view.channel;
  const deactivated = deactivatedSubscribers(directory, channelId);
  const userIds = [...directory.subscriptions.of(channelId).keys()].sort((a, b) => a - b);
  if (userIds.length === 0) return;
  const peers: SubscriptionEvent = { op: 'peers', channelId, isArchived: false, deactivated, isBack: true };
  append({ type: 'subscription', audience: { to: 'channel-viewers', channelId }, body: peers });
  const members = await membersOf(db, directory.organization.id, channelId);
  const body: SubscriptionEvent = { op: 'add', view, members, deactivated, isBack: true };
  append({ type: 'subscription', audience: { to: 'users', users: userIds }, body });
}

/**
 * Ends the subscriptions that hold, in a handful of statements however many. Whether the caller may is the caller's question.
 */
export async function removeSubscribers(change: Change, memberships: readonly Membership[]): Promise<void> {
  const { db, directory, position } = change;
  const ended: SubscriptionChange[] = [];
  for (const { channel, userIds } of memberships) {
    const subscribed = directory.subscriptions.of(channel.id);
    const leaving = [...new Set(userIds)].filter((userId) => subscribed.has(userId)).sort((a, b) => a - b);
    if (leaving.length === 0) continue;
    const eventId = announceLeft(change, channel, leaving);
    for (const userId of leaving) ended.push({ userId, channelId: channel.id, eventId });
  }
  if (ended.length === 0) return;
  const left = await endSubscriptions(db, directory.organization.id, ended, position.messageHead);
  await announceLeftUnread(change, left);
}

function announceLeft(change: Change, channel: ChannelRecord, userIds: readonly number[]): number {
  const { id: channelId, name, isArchived } = channel;
  const left: SubscriptionEvent = { op: 'remove', channelId, isArchived, name };
  const peers: SubscriptionEvent = { op: 'peer_remove', channelId, isArchived, userIds };
  const eventId = announceBoth(change, { fact: 'unsubscribed', channelId, userIds }, left, peers);
  announceDepartures(change, channelId, userIds);
  const forgetting = userIds.filter((userId) => knowsBySubscriptionOnly(change, channel, userId));
  if (forgetting.length > 0) {
    const body: ChannelEvent = { op: 'delete', channels: [{ id: channelId, isArchived }] };
    change.append({ type: 'stream', audience: { to: 'users', users: forgetting }, body });
  }
  return eventId;
}

/**
 * Tells the peers of an account that it is deactivated or active again: its subscriptions stay, and count only while it is active.
 * To be called in the change that says so.
 */
export function announceActivity(change: Change, userId: number, activity: 'deactivated' | 'reactivated'): void {
  const { directory, append } = change;
  for (const channelId of directory.subscriptions.channelsOf(userId)) {
    const channel = directory.channel(channelId);
    if (channel === undefined) continue;
    const body: SubscriptionEvent = {
      op: activity === 'deactivated' ? 'peer_remove' : 'peer_add',
      channelId,
      isArchived: channel.isArchived,
      userIds: [userId],
    };
    append({ type: 'subscription', audience: { to: 'channel-viewers', channelId }, body });
  }
}
