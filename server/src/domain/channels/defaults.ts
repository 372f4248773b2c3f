import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import { type ChannelRecord, Role, SystemGroup, type UserRecord } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';
import type { DefaultChannelsEvent } from './present.ts';
import { defaultChannelIds } from './queries.ts';

/**
 * Announces the new list of default channels. Guests have none: they join the channels that their invitation names.
 * @param changed channels with their new settings, which the directory does not contain yet
 */
export function defaultsEvent(directory: Directory, changed: readonly ChannelRecord[]): NewEvent {
  const channels = new Map(directory.channels);
  for (const channel of changed) channels.set(channel.id, channel);
  const body: DefaultChannelsEvent = { channelIds: defaultChannelIds(channels.values()) };
  return {
    type: 'default_streams',
    audience: { to: 'group', groupId: directory.groups.idOf(SystemGroup.members) },
    body,
  };
}

/** Sends the default channels to a user whose role changes to or from guest. Guests get an empty list. */
export function announceDefaultsTo({ directory, append }: Change, user: UserRecord): void {
  const channelIds = user.role === Role.guest ? [] : defaultChannelIds(directory.channels.values());
  const body: DefaultChannelsEvent = { channelIds };
  append({ type: 'default_streams', audience: { to: 'users', users: [user.id] }, body });
}
