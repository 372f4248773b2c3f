import { activeOnly, namesDirectly, presentGroupSetting } from '../../access/group-settings.ts';
import type { Change } from '../../directory/organization.ts';
import { CHANNEL_GROUP_SETTINGS, type UserRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import type { ChannelEvent } from './present.ts';

/**
 * Tells those who know a channel what its permissions are that name an account which is being opened again, or closed.
 * @param among who is told, of those; default: all of them
 */
export function announceNamedIn(
  { directory, append }: Change,
  user: UserRecord,
  among: (audience: Audience) => Audience = (audience) => audience,
): void {
  for (const { id: channelId, name, isArchived, groupSettings } of directory.channels.values()) {
    for (const key of CHANNEL_GROUP_SETTINGS) {
      const setting = groupSettings[key];
      if (!namesDirectly(setting, user.id)) continue;
      const value = presentGroupSetting(activeOnly(directory, setting, user));
      const body: ChannelEvent = { op: 'update', channelId, name, isArchived, property: `${key}_group`, value };
      append({ type: 'stream', audience: among({ to: 'channel-viewers', channelId }), body });
    }
  }
}
