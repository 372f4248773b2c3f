import type { Change } from '../../../directory/organization.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import type { StateDelta } from '../../../directory/state-deltas.ts';
import { hasMetadataAccessUnsubscribed } from '../../../directory/visibility.ts';
import type { ChannelEvent, ChannelView } from '../../channels/present.ts';
import { deactivatedSubscribers, viewChannel } from '../../channels/queries.ts';
import type { Member, SubscriptionEvent } from '../../channels/subscription-event.ts';
import { announceArrivals, announceDepartures } from '../../users/accessible-users/actions.ts';
import { type BegunSubscription, beginSubscriptions } from './beginning.ts';
import { type GivenColors, newColor } from './colors.ts';
import { announceLeftUnread } from './left-unread.ts';
import { memberAgain } from './present.ts';
import { colorsOf, endSubscriptions, membersOf, rowsOf, type SubscriptionChange } from './rows.ts';

/** Users who join or leave a channel. */
export interface Membership {
  /** May be created by the same transaction. */
  readonly channel: ChannelRecord;
  /** May be created by the same transaction. */
  readonly userIds: readonly number[];
  /** The color for users without an earlier subscription; by default, one that each does not use yet. */
  readonly color?: string | undefined;
}

/**
 * Subscribes users to channels, each channel given once. Users who are subscribed stay unchanged. The caller checks
 * permissions. Three statements, and two or three events per channel, whatever the number of users.
 * @param colors the colors that the users already have, if they were read before
 */
export async function addSubscribers(
  change: Change,
  memberships: readonly Membership[],
  colors?: GivenColors,
): Promise<void> {
  const { db, directory, position } = change;
  const joining = memberships
    .map((membership) => {
      const { channel, userIds } = membership;
      return { ...membership, userIds: without(userIds, directory.subscriptions.of(channel.id)) };
    })
    .filter(({ userIds }) => userIds.length > 0);
  if (joining.length === 0) return;

  const membersOfEach = await newMembers(change, joining, colors);
  const begun: BegunSubscription[] = [];
  for (const [index, { channel }] of joining.entries()) {
    const members = membersOfEach[index] ?? [];
    const eventId = announceJoining(change, channel, members);
    for (const [userId, color, kept] of members) {
      begun.push({ userId, channelId: channel.id, eventId, color, isAgain: kept !== undefined });
    }
  }
  await beginSubscriptions(db, directory.organization.id, begun, position.messageHead);
}

/** The members who join each channel, with their earlier settings or a new color. */
async function newMembers(
  { db, directory }: Change,
  joining: readonly Membership[],
  known: GivenColors | undefined,
): Promise<readonly (readonly Member[])[]> {
  const organizationId = directory.organization.id;
  const users = [...new Set(joining.flatMap(({ userIds }) => userIds))];
  // A channel that this transaction creates has no earlier subscriptions.
  const channelIds = joining.flatMap(({ channel: { id } }) => (directory.channel(id) === undefined ? [] : id));
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

/**
 * Announces the new subscribers to everyone with metadata access.
 * @returns the id of the event at which the subscriptions begin
 */
function announceJoining(change: Change, channel: ChannelRecord, members: readonly Member[]): number {
  const { directory } = change;
  const userIds = members.map(([userId]) => userId);
  announceArrivals(change, channel.id, userIds);
  const view = viewChannel(directory, channel);
  const gaining = userIds.filter((userId) => hasMetadataAccessBySubscriptionOnly(change, channel, userId));
  if (gaining.length > 0) {
    const body: ChannelEvent = { op: 'create', views: [view] };
    change.append({ type: 'stream', audience: { to: 'users', users: gaining }, body });
  }
  const grown = { ...view, subscriberCount: view.subscriberCount + userIds.length };
  const deactivated = deactivatedSubscribers(directory, channel.id);
  return announceJoined(change, channel, userIds, { op: 'add', view: grown, members, deactivated });
}

function without(userIds: readonly number[], subscribed: ReadonlyMap<number, unknown>): number[] {
  return [...new Set(userIds)].filter((userId) => !subscribed.has(userId)).sort((a, b) => a - b);
}

/**
 * Whether the user has metadata access only through a subscription. An account created in this transaction has no
 * client yet, so it counts as false.
 */
function hasMetadataAccessBySubscriptionOnly({ directory }: Change, channel: ChannelRecord, userId: number): boolean {
  const user = directory.user(userId);
  return user !== undefined && !hasMetadataAccessUnsubscribed(directory, user, channel);
}

/** Sends an event to the new subscribers, then one to their peers. */
function announceJoined(
  change: Change,
  { id: channelId, isArchived }: ChannelRecord,
  userIds: readonly number[],
  joined: SubscriptionEvent,
): number {
  const peers: SubscriptionEvent = { op: 'peer_add', channelId, isArchived, userIds };
  return announceBoth(change, { delta: 'subscribed', channelId, userIds }, joined, peers);
}

/**
 * Sends `own` with the state delta to the users, and `peers` to everyone with metadata access.
 * @returns the id of the event with the state delta
 */
function announceBoth(
  { append }: Change,
  delta: Extract<StateDelta, { readonly delta: 'subscribed' | 'unsubscribed' }>,
  own: SubscriptionEvent,
  peers: SubscriptionEvent,
): number {
  const { channelId, userIds } = delta;
  const eventId = append({
    type: 'subscription',
    audience: { to: 'users', users: userIds },
    body: own,
    deltas: [delta],
  });
  append({ type: 'subscription', audience: { to: 'channel-viewers', channelId }, body: peers });
  return eventId;
}

/**
 * Announces subscriptions of a reopened channel to clients without the capability for archived channels. Call it after
 * the event that reopens the channel.
 * @param view the channel after the change
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

/** Ends existing subscriptions in a few statements, whatever their number. The caller checks permissions. */
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
  const eventId = announceBoth(change, { delta: 'unsubscribed', channelId, userIds }, left, peers);
  announceDepartures(change, channelId, userIds);
  const forgetting = userIds.filter((userId) => hasMetadataAccessBySubscriptionOnly(change, channel, userId));
  if (forgetting.length > 0) {
    const body: ChannelEvent = { op: 'delete', channels: [{ id: channelId, isArchived }] };
    change.append({ type: 'stream', audience: { to: 'users', users: forgetting }, body });
  }
  return eventId;
}

/**
 * Announces to peers that an account was deactivated or reactivated. Its subscriptions stay, but count only while it is
 * active. Call it in the transaction that changes the account.
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
