import { spectatorChannels } from '../../access/spectators.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/route.ts';
import { channelText } from '../channels/present.ts';
import { activeSubscribers, viewChannel } from '../channels/queries.ts';
import { listChannels, showsChannel } from '../channels/state.ts';
import { type StateContext, spectatorPart, statePart } from '../initial-state.ts';
import { rememberedBy } from '../remembered-state.ts';
import { pickColor } from './colors.ts';
import { ANYBODY, presentSettings } from './present.ts';
import { type StoredRow, selectSubscriptions, toStored } from './queries.ts';
import { newSubscriptionSettings } from './settings.ts';

/**
 * The user's channels in three lists: subscribed now, subscribed once, never. `partial` gets all subscribers too: it lets the server leave
 * some out and does not ask it to.
 */
export const subscriptionsState = statePart<readonly StoredRow[]>({
  types: ['subscription'],
  select: ({ directory, user }) => selectSubscriptions(directory.organization.id, user.id),
  build(context, stored) {
    const { directory, settings: client } = context;
    const insteadOfNull = client.capabilities.notificationSettingsNull ? undefined : context.user;
    const subscribed: string[] = [];
    const unsubscribed: string[] = [];
    const seen = new Set<number>();
    for (const { channelId, isActive, settings } of stored.map(toStored)) {
      seen.add(channelId);
      const channel = directory.channel(channelId);
      if (channel === undefined || !showsChannel(context, channel)) continue;
      const own = presentSettings(settings, { insteadOfNull });
      const text = extended(serialized(context, channel), JSON.stringify(own).slice(1, -1));
      (isActive ? subscribed : unsubscribed).push(text);
    }
    const isOther = (channel: ChannelRecord) => !seen.has(channel.id);
    const others = () =>
      [...directory.channels.values()].filter((channel) => isOther(channel) && showsChannel(context, channel));
    return {
      subscriptions: rawJson(`[${subscribed}]`),
      unsubscribed: rawJson(`[${unsubscribed}]`),
      never_subscribed: withSubscribers(context)
        ? rawJson(`[${others().map((channel) => serialized(context, channel))}]`)
        : listChannels(context, isOther),
    };
  },
  spectators: spectatorPart({
    build: ({ directory }) => ({
      subscriptions: spectated(directory),
      unsubscribed: [],
      never_subscribed: [],
    }),
  }),
});

/** What spectators see, as if they were subscribed to it. */
const spectated = rememberedBy(
  ['organization', 'channels', 'subscriptions', 'users', 'groups'],
  (directory): RawJson => rawJson(Buffer.from(`[${spectatedChannels(directory)}]`)),
);

function spectatedChannels(directory: Directory): string[] {
  const used = new Set<string>();
  return spectatorChannels(directory).map((channel) => {
    const color = pickColor(used, channel.id);
    used.add(color);
    const own = presentSettings(newSubscriptionSettings(color), { insteadOfNull: ANYBODY });
    return extended(channelText(viewChannel(directory, channel)), JSON.stringify(own).slice(1, -1));
  });
}

function withSubscribers({ settings }: StateContext): boolean {
  return settings.includeSubscribers !== 'false';
}

/** The channel as the wire has it, with its subscribers if the client wants them. */
function serialized(context: StateContext, channel: ChannelRecord): string {
  const text = channelText(viewChannel(context.directory, channel));
  if (!withSubscribers(context)) return text;
  return extended(text, `"subscribers":[${activeSubscribers(context.directory, channel.id)}]`);
}

/** An object's JSON with further fields. */
function extended(text: string, fields: string): string {
  return `${text.slice(0, -1)},${fields}}`;
}
