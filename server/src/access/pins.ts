import type { Directory } from '../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../directory/records.ts';
import { channelRefusal } from './channels.ts';
import { hasPermission } from './organization-settings.ts';

/**
 * Whether the user may pin and unpin messages of the channel that they can read. Who may administer the channel may. Others also need the
 * right to post there. Nobody may in an archived channel.
 */
export function mayPin(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (channel.isArchived) return false;
  if (channelRefusal(directory, user, channel, 'administer') === undefined) return true;
  return (
    hasPermission(directory, user, 'can_pin_messages_group') &&
    channelRefusal(directory, user, channel, 'post') === undefined
  );
}
