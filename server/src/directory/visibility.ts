import type { Directory } from './directory.ts';
import { type ChannelRecord, Role, type UserRecord } from './records.ts';

/**
 * Whether the user may know that the channel exists and read its settings: members know public channels; guests those that they are
 * subscribed to; private ones are known to their subscribers, to administrators, and to whom the channel lets administer it, add
 * subscribers or join.
 */
export function knowsChannel(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return knowsUnsubscribed(directory, user, channel) || directory.subscriptions.has(channel.id, user.id);
}

/** The part of `knowsChannel` that does not depend on being subscribed. */
export function knowsUnsubscribed(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (channel.isWebPublic) return true;
  if (user.role === Role.guest) return false;
  if (!channel.isPrivate || user.role <= Role.administrator) return true;
  return (
    directory.groups.grants(channel.groupSettings.can_administer_channel, user) ||
    directory.groups.grants(channel.groupSettings.can_add_subscribers, user) ||
    directory.groups.grants(channel.groupSettings.can_subscribe, user)
  );
}
