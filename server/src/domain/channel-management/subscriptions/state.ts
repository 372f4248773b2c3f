import { spectatorChannels } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import { type StateContext, type StatePart, spectatorPart, statePart } from '../../../extension/initial-state.ts';
import { rememberedBy } from '../../../extension/remembered-state.ts';
import { type RawJson, rawJson } from '../../../http/answers/raw-json.ts';
import { channelText } from '../../channels/present.ts';
import { activeSubscribers, activeSubscribersText, subscriberCount, viewChannel } from '../../channels/queries.ts';
import { listChannels, showsChannel } from '../../channels/state.ts';
import { newSubscriptionSettings } from '../../channels/subscription-settings.ts';
import { type PresenceContext, presencesOf, wasActiveLately } from '../../presence/queries.ts';
import { NO_COLORS_MASK, pickColor, withColor } from './colors.ts';
import { ANYBODY, settingsText } from './present.ts';
import { type StoredRow, selectSubscriptions, toStored } from './queries.ts';

/** The data for the initial state: a user's subscriptions, and which subscribers to list; null lists none. */
interface Asked {
  readonly stored: readonly StoredRow[];
  readonly listed: Listed | null;
}

/** Whether the list of subscribers of a large channel contains a user. Small channels list all. */
type Listed = (userId: number) => boolean;

/** Channels with fewer subscribers list all of them (interface document, "Limits"). */
const LARGE_CHANNEL_SUBSCRIBERS = 250;

/**
 * The user's channels in three lists: subscribed, unsubscribed, never subscribed. With `partial`, large channels list
 * only bots, users active in the last two weeks, and the user.
 */
export function subscriptionsState(app: PresenceContext): StatePart {
  async function listed({ directory, user, settings }: StateContext): Promise<Listed | null> {
    if (settings.includeSubscribers === 'false') return null;
    const organization = app.organizations.inMemoryById(directory.organization.id);
    if (settings.includeSubscribers === 'true' || organization === undefined) return everybody;
    const presences = presencesOf(app, organization);
    await presences.ready();
    const known = new Map<number, boolean>();
    return (userId) => {
      let isListed = known.get(userId);
      if (isListed === undefined) {
        const one = directory.user(userId);
        isListed = userId === user.id || (one !== undefined && (one.isBot || wasActiveLately(presences, one)));
        known.set(userId, isListed);
      }
      return isListed;
    };
  }

  return statePart<readonly StoredRow[], Asked>({
    types: ['subscription'],
    select: ({ organizationId, userId }) => selectSubscriptions(organizationId, userId),
    query: async (_, context, stored) => ({ stored, listed: await listed(context) }),
    build: threeLists,
    spectators: spectatorPart({
      build: ({ directory }) => ({
        subscriptions: spectated(directory),
        unsubscribed: [],
        never_subscribed: [],
      }),
    }),
  });
}

const everybody: Listed = () => true;

function threeLists(context: StateContext, { stored, listed }: Asked) {
  const { directory, settings: client } = context;
  const insteadOfNull = client.capabilities.notificationSettingsNull ? undefined : context.user;
  const subscribed: string[] = [];
  const unsubscribed: string[] = [];
  const seen = new Set<number>();
  for (const { channelId, isActive, settings } of stored.map(toStored)) {
    seen.add(channelId);
    const channel = directory.channel(channelId);
    if (channel === undefined || !showsChannel(context, channel)) continue;
    const text = extended(serialized(directory, channel, listed), settingsText(settings, { insteadOfNull }));
    (isActive ? subscribed : unsubscribed).push(text);
  }
  const isOther = (channel: ChannelRecord) => !seen.has(channel.id);
  const others = () =>
    [...directory.channels.values()].filter((channel) => isOther(channel) && showsChannel(context, channel));
  return {
    subscriptions: rawJson(`[${subscribed}]`),
    unsubscribed: rawJson(`[${unsubscribed}]`),
    never_subscribed:
      listed === null
        ? listChannels(context, isOther)
        : rawJson(`[${others().map((channel) => serialized(directory, channel, listed))}]`),
  };
}

/** The channels that spectators see, as if they were subscribed. */
const spectated = rememberedBy(
  ['organization', 'channels', 'subscriptions', 'users', 'groups'],
  (directory): RawJson => rawJson(Buffer.from(`[${spectatedChannels(directory)}]`)),
);

function spectatedChannels(directory: Directory): string[] {
  let used = NO_COLORS_MASK;
  return spectatorChannels(directory).map((channel) => {
    const color = pickColor(used, channel.id);
    used = withColor(used, color);
    const own = settingsText(newSubscriptionSettings(color), { insteadOfNull: ANYBODY });
    return extended(channelText(viewChannel(directory, channel)), own);
  });
}

/** The API's channel object, with subscribers if the client wants them. */
function serialized(directory: Directory, channel: ChannelRecord, listed: Listed | null): string {
  const text = channelText(viewChannel(directory, channel));
  if (listed === null) return text;
  if (listed === everybody || subscriberCount(directory, channel.id) < LARGE_CHANNEL_SUBSCRIBERS)
    return extended(text, `"subscribers":${activeSubscribersText(directory, channel.id)}`);
  return extended(text, `"partial_subscribers":[${activeSubscribers(directory, channel.id).filter(listed)}]`);
}

/** Adds fields to the JSON of an object. */
function extended(text: string, fields: string): string {
  return `${text.slice(0, -1)},${fields}}`;
}
