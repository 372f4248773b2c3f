import { activeOnly, namesDirectly, presentGroupSetting } from '../../access/group-settings.ts';
import type { Change } from '../../directory/organization.ts';
import { CHANNEL_GROUP_SETTINGS, type UserRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import type { ChannelEvent } from './present.ts';

/**
 * Announces the permissions of channels that name an account when it is deactivated or reactivated. Clients see only
 * active accounts in permissions.
 * @param among restricts the audience; by default, everyone with metadata access
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
