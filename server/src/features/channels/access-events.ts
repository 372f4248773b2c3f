import type { AccessChange } from '../../directory/access-changes.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import type { SubscriptionEvent } from '../subscriptions/present.ts';
import type { ChannelEvent } from './present.ts';
import { deactivatedSubscribers, subscriberCount, viewChannel } from './queries.ts';

/** Tells those who lost knowledge of channels that they are gone, and those who gained it what they know now. */
export function announceAccess(change: Change, changes: readonly AccessChange[]): void {
  for (const { users, channels } of byUsers(changes, 'lost')) forgetChannels(change, channels, { to: 'users', users });
  for (const { users, channels } of byUsers(changes, 'gained')) {
    revealChannels(change, channels, { to: 'users', users });
  }
}

interface Concerned {
  readonly users: readonly number[];
  readonly channels: ChannelRecord[];
}

/** One announcement for all channels that the same users gained or lost. */
function byUsers(changes: readonly AccessChange[], which: 'gained' | 'lost'): Iterable<Concerned> {
  const concerned = new Map<string, Concerned>();
  for (const { channel, [which]: users } of changes) {
    if (users.length === 0) continue;
    const known = concerned.get(users.join());
    if (known === undefined) concerned.set(users.join(), { users, channels: [channel] });
    else known.channels.push(channel);
  }
  return concerned.values();
}

/** The audience may not know the channels any more. */
export function forgetChannels({ append }: Change, channels: readonly ChannelRecord[], audience: Audience): void {
  const body: ChannelEvent = { op: 'delete', channels: channels.map(({ id, isArchived }) => ({ id, isArchived })) };
  append({ type: 'stream', audience, body });
}

/**
 * The audience may know the channels from now on, and who is subscribed to them. Clients count subscribers as they are told of them, so
 * that the channels come without any.
 */
export function revealChannels(
  { directory, append }: Change,
  channels: readonly ChannelRecord[],
  audience: Audience,
): void {
  const views = channels.map((channel) => ({ ...viewChannel(directory, channel), subscriberCount: 0 }));
  const body: ChannelEvent = { op: 'create', views };
  append({ type: 'stream', audience, body });
  for (const { id: channelId, isArchived } of channels) {
    if (subscriberCount(directory, channelId) === 0) continue;
    const deactivated = deactivatedSubscribers(directory, channelId);
    const peers: SubscriptionEvent = { op: 'peers', channelId, isArchived, deactivated };
    append({ type: 'subscription', audience, body: peers });
  }
}
