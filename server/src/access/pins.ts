import type { Directory } from '../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../directory/records.ts';
import { channelRefusal } from './channels.ts';
import { hasPermission } from './organization-settings.ts';

/**
 * Whether the user may pin and unpin messages of the channel that they can read. Users who may administer the channel may. All others need the
 * permission, and the right to post there. The pins of an archived channel do not change.
 */
export function mayPin(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (channel.isArchived) return false;
  if (channelRefusal(directory, user, channel, 'administer') === undefined) return true;
  return (
    hasPermission(directory, user, 'can_pin_messages_group') &&
    channelRefusal(directory, user, channel, 'post') === undefined
  );
}
