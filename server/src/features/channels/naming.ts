import { activeOnly, namesDirectly, presentGroupSetting } from '../../access/group-settings.ts';
import type { Change } from '../../directory/organization.ts';
import { CHANNEL_GROUP_SETTINGS, type UserRecord } from '../../directory/records.ts';
import type { ChannelEvent } from './present.ts';

/** Tells those who know a channel which of its permissions name an account that is being opened again. */
export function announceNamedIn({ directory, append }: Change, user: UserRecord): void {
  for (const { id: channelId, name, isArchived, groupSettings } of directory.channels.values()) {
    for (const key of CHANNEL_GROUP_SETTINGS) {
      const setting = groupSettings[key];
      if (!namesDirectly(setting, user.id)) continue;
      const value = presentGroupSetting(activeOnly(directory, setting, user.id));
      const body: ChannelEvent = { op: 'update', channelId, name, isArchived, property: `${key}_group`, value };
      append({ type: 'stream', audience: { to: 'channel-viewers', channelId }, body });
    }
  }
}
