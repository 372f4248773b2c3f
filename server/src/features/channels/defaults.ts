import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import { type ChannelRecord, Role, SystemGroup, type UserRecord } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';
import type { DefaultChannelsEvent } from './present.ts';
import { defaultChannelIds } from './queries.ts';

/**
 * Tells which channels are default ones from now on. Guests join by invitation to channels that are chosen for them.
 * @param changed channels as they are now, which the directory has otherwise or not yet
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

/** Tells a user who becomes a guest that there are no default channels for them, and one who is none any more which there are. */
export function announceDefaultsTo({ directory, append }: Change, user: UserRecord): void {
  const channelIds = user.role === Role.guest ? [] : defaultChannelIds(directory.channels.values());
  const body: DefaultChannelsEvent = { channelIds };
  append({ type: 'default_streams', audience: { to: 'users', users: [user.id] }, body });
}
