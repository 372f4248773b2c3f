import {
  MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '@heddle/api/objects/channel.ts';
import { type ChannelRecord, Role } from '../../directory/records.ts';
import { hasMetadataAccess } from '../../directory/visibility.ts';
import { type StateContext, stateOfAll, statePart } from '../../extension/initial-state.ts';
import type { RawJson } from '../../http/answers/raw-json.ts';
import { listFromCatalogue } from './catalogue.ts';
import { defaultChannelIds } from './queries.ts';

/**
 * Whether the initial state contains the channel. The user needs metadata access, and for archived channels, the client
 * needs the capability.
 */
export function showsChannel({ directory, user, settings }: StateContext, channel: ChannelRecord): boolean {
  if (channel.isArchived && !settings.capabilities.archivedChannels) return false;
  return hasMetadataAccess(directory, user, channel);
}

/** Lists the channels of the initial state that match the filter, as API objects. */
export function listChannels(
  context: StateContext,
  isWanted: (channel: ChannelRecord) => boolean = () => true,
): RawJson {
  const shown = (channel: ChannelRecord) => isWanted(channel) && showsChannel(context, channel);
  return listFromCatalogue(context.directory, shown);
}

/** The limits under the names that older clients read. */
const OLDER_LIMITS = {
  stream_name_max_length: MAX_CHANNEL_NAME_LENGTH,
  stream_description_max_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
};

/** All channels to which the user has metadata access. */
export const channelsState = statePart({
  types: ['stream'],
  build(context) {
    return {
      streams: listChannels(context),
      ...OLDER_LIMITS,
    };
  },
  // Spectators get all their channels as subscriptions instead.
  spectators: { build: () => OLDER_LIMITS },
});

/**
 * The channels that new users are subscribed to. Guests have none: they join the channels that their invitation names.
 */
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

/** The limits for names, descriptions and notices that clients apply. */
export const channelLimitsState = stateOfAll({
  types: ['realm'],
  build: () => ({
    max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
    max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
    max_bulk_new_subscription_messages: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  }),
});
