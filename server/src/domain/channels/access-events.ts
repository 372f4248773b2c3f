import type { AccessChange } from '../../directory/access-changes.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import type { ChannelEvent } from './present.ts';
import { deactivatedSubscribers, subscriberCount, viewChannel } from './queries.ts';
import type { SubscriptionEvent } from './subscription-event.ts';

/** Sends events to users who lost metadata access to channels, and to users who gained it. */
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

/** Groups channels by the users who gained or lost them, so that each group needs one event. */
function byUsers(changes: readonly AccessChange[], which: 'gained' | 'lost'): Iterable<Concerned> {
  const concerned = new Map<string, Concerned>();
  // Many channels can have the same long list.
  const keys = new Map<readonly number[], string>();
  for (const { channel, [which]: users } of changes) {
    if (users.length === 0) continue;
    const key = keys.get(users) ?? users.join();
    keys.set(users, key);
    const known = concerned.get(key);
    if (known === undefined) concerned.set(key, { users, channels: [channel] });
    else known.channels.push(channel);
  }
  return concerned.values();
}

/** Announces that the audience has no metadata access to the channels any more. */
export function forgetChannels({ append }: Change, channels: readonly ChannelRecord[], audience: Audience): void {
  const body: ChannelEvent = { op: 'delete', channels: channels.map(({ id, isArchived }) => ({ id, isArchived })) };
  append({ type: 'stream', audience, body });
}

/**
 * Announces channels to users who gained metadata access, with their subscribers. The `create` event says 0
 * subscribers, because clients count them from the `peers` events that follow.
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
