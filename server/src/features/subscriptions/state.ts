import type { ChannelRecord } from '../../directory/records.ts';
import { rawJson } from '../../http/route.ts';
import { channelText } from '../channels/present.ts';
import { activeSubscribers, type InactiveChannels, inactiveChannels, viewChannel } from '../channels/queries.ts';
import { showsChannel } from '../channels/state.ts';
import { type StateContext, statePart } from '../initial-state.ts';
import { presentSubscription, type WireSubscription } from './present.ts';
import { type StoredSubscription, subscriptionsOf } from './queries.ts';

interface Rows {
  readonly stored: readonly StoredSubscription[];
  readonly inactive: InactiveChannels;
}

/**
 * The user's channels in three lists: subscribed now, subscribed once, never. `partial` gets all subscribers too: it lets the server leave
 * some out and does not ask it to.
 */
export const subscriptionsState = statePart<Rows>({
  types: ['subscription'],
  async query(snapshot, { directory, user }) {
    const { id } = directory.organization;
    return {
      stored: await subscriptionsOf(snapshot, id, user.id),
      inactive: await inactiveChannels(snapshot, id, directory.channels.values()),
    };
  },
  build(context, { stored, inactive }) {
    const { directory } = context;
    const subscriptions: WireSubscription[] = [];
    const unsubscribed: WireSubscription[] = [];
    const seen = new Set<number>();
    for (const { channelId, isActive, settings } of stored) {
      seen.add(channelId);
      const channel = directory.channel(channelId);
      if (channel === undefined || !showsChannel(context, channel)) continue;
      const wire = presentSubscription(viewChannel(directory, channel, inactive), settings, {
        knowsNull: context.settings.capabilities.notificationSettingsNull,
        subscribers: subscribersFor(context, channel),
      });
      (isActive ? subscriptions : unsubscribed).push(wire);
    }
    const neverSubscribed = [...directory.channels.values()]
      .filter((channel) => !seen.has(channel.id) && showsChannel(context, channel))
      .map((channel) => {
        const text = channelText(viewChannel(directory, channel, inactive));
        const subscribers = subscribersFor(context, channel);
        return subscribers === undefined ? text : `${text.slice(0, -1)},"subscribers":${JSON.stringify(subscribers)}}`;
      });
    return { subscriptions, unsubscribed, never_subscribed: rawJson(`[${neverSubscribed.join(',')}]`) };
  },
});

function subscribersFor({ directory, settings }: StateContext, channel: ChannelRecord): number[] | undefined {
  return settings.includeSubscribers === 'false' ? undefined : activeSubscribers(directory, channel.id);
}
