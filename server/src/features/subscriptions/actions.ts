import type { Fact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { knowsUnsubscribed } from '../../directory/visibility.ts';
import { announceArrivals, announceDepartures } from '../acquaintances/actions.ts';
import type { ChannelEvent, ChannelView } from '../channels/present.ts';
import { deactivatedSubscribers, viewChannel } from '../channels/queries.ts';
import { NO_COLORS, pickColor, withColor } from './colors.ts';
import { announceLeftUnread } from './left-unread.ts';
import type { Member, SubscriptionEvent } from './present.ts';
import {
  type BegunSubscription,
  beginSubscriptions,
  colorsOf,
  endSubscriptions,
  type GivenColors,
  membersOf,
  rowsOf,
  type SubscriptionChange,
} from './rows.ts';
import { subscriptionSettings } from './settings.ts';

export { CREATION_COST, carryOut, type Planned, type Slice, type Step, slicesOf } from './slices.ts';

/** Users who are to join, or to leave, a channel. */
export interface Membership {
  /** Also one that this very change creates. */
  readonly channel: ChannelRecord;
  /** Also those that this very change creates. */
  readonly userIds: readonly number[];
  /** For those who have no colour of it yet; left out, each gets one that they do not use. */
  readonly color?: string | undefined;
}

/**
 * Subscribes users to channels, each channel given once; those who are subscribed stay as they are. Whether they may is the caller's
 * question. Three statements, and two or three events a channel, however many users.
 * @param known the colours that the users have, where they were read before
 */
export async function addSubscribers(
  change: Change,
  memberships: readonly Membership[],
  known?: GivenColors,
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
  const channels = joining.map(({ channel }) => channel);
  const users = [...new Set(joining.flatMap(({ userIds }) => userIds))];
  const channelIds = channels.map(({ id }) => id);
  const earlier = Map.groupBy(await rowsOf(db, organizationId, users, channelIds), (row) => row.channel_id);
  const colors = known ?? (await colorsOf(db, organizationId, users));

  const begun: BegunSubscription[] = [];
  for (const { channel, userIds, color } of joining) {
    const kept = new Map(earlier.get(channel.id)?.map((row) => [row.user_id, subscriptionSettings(row)]));
    const members = userIds.map((userId): Member => {
      const settings = kept.get(userId);
      return settings === undefined
        ? [userId, newColor(colors, userId, channel.id, color)]
        : [userId, settings.color, settings];
    });
    announceArrivals(change, channel.id, userIds);
    const view = viewChannel(directory, channel);
    const newlyKnowing = userIds.filter((userId) => knowsBySubscriptionOnly(change, channel, userId));
    if (newlyKnowing.length > 0) {
      const body: ChannelEvent = { op: 'create', views: [view] };
      change.append({ type: 'stream', audience: { to: 'users', users: newlyKnowing }, body });
    }
    const grown = { ...view, subscriberCount: view.subscriberCount + userIds.length };
    const deactivated = deactivatedSubscribers(directory, channel.id);
    const eventId = announceJoined(change, channel, userIds, { op: 'add', view: grown, members, deactivated });
    for (const [userId, color] of members) {
      begun.push({ userId, channelId: channel.id, eventId, color, isAgain: kept.has(userId) });
    }
  }
  await beginSubscriptions(db, organizationId, begun, position.messageHead);
}

function without(userIds: readonly number[], subscribed: ReadonlyMap<number, unknown>): number[] {
  return [...new Set(userIds)].filter((userId) => !subscribed.has(userId)).sort((a, b) => a - b);
}

/** Notes the colour as given away, so that several channels at once get different ones. */
function newColor(colors: GivenColors, userId: number, channelId: number, chosen?: string): string {
  const used = colors.get(userId) ?? NO_COLORS;
  const color = chosen ?? pickColor(used, channelId);
  colors.set(userId, withColor(used, color));
  return color;
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
