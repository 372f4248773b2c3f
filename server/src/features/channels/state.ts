import {
  MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '@heddle/api/objects/channel.ts';
import { type ChannelRecord, Role } from '../../directory/records.ts';
import { knowsChannel } from '../../directory/visibility.ts';
import type { RawJson } from '../../http/route.ts';
import { type StateContext, stateOfAll, statePart } from '../initial-state.ts';
import { listFromCatalogue } from './catalogue.ts';
import { defaultChannelIds } from './queries.ts';

/** Whether the state shows the channel: the user knows it, and the client knows of archived ones if it is one. */
export function showsChannel({ directory, user, settings }: StateContext, channel: ChannelRecord): boolean {
  if (channel.isArchived && !settings.capabilities.archivedChannels) return false;
  return knowsChannel(directory, user, channel);
}

/** Of the channels that the state shows those that are wanted, as the wire has them. */
export function listChannels(
  context: StateContext,
  isWanted: (channel: ChannelRecord) => boolean = () => true,
): RawJson {
  const shown = (channel: ChannelRecord) => isWanted(channel) && showsChannel(context, channel);
  return listFromCatalogue(context.directory, shown);
}

/** Under the names that older clients know. */
const OLDER_LIMITS = {
  stream_name_max_length: MAX_CHANNEL_NAME_LENGTH,
  stream_description_max_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
};

/** All channels that the user knows. */
export const channelsState = statePart({
  types: ['stream'],
  build(context) {
    return {
      streams: listChannels(context),
      ...OLDER_LIMITS,
    };
  },
  // Clients find them all among the subscriptions.
  spectators: { build: () => OLDER_LIMITS },
});

/** The channels that new users are subscribed to. Guests are not: they join those that an invitation names. */
export const defaultChannelsState = statePart({
  types: ['default_streams'],
  build({ directory, user }) {
    return { realm_default_streams: user.role === Role.guest ? [] : defaultChannelIds(directory.channels.values()) };
  },
  spectators: { build: () => ({ realm_default_streams: [] }) },
});

/** Heddle has no groups of default channels. */
export const defaultChannelGroupsState = stateOfAll({
  types: ['default_stream_groups'],
  build: () => ({ realm_default_stream_groups: [] }),
});

/** The limits that clients hold channels to. */
export const channelLimitsState = stateOfAll({
  types: ['realm'],
  build: () => ({
    max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
    max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
    max_bulk_new_subscription_messages: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  }),
});
