import type { ChannelKind, RevealingPermissions } from '../log/event.ts';
import type { Directory } from './directory.ts';
import { grants, type Member, type Memberships } from './memberships.ts';
import { type ChannelAccess, type ChannelRecord, Role, type UserRecord } from './records.ts';

/**
 * Whether the user has metadata access to the channel: may know that it exists and read its settings.
 * - Everybody has it for web-public channels, and members for all public ones.
 * - Subscribers have it for their channels. Guests have no other access.
 * - For private channels, administrators have it. So do users who may administer the channel, add subscribers or
 *   subscribe themselves.
 */
export function hasMetadataAccess(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return hasMetadataAccessUnsubscribed(directory, user, channel) || directory.subscriptions.has(channel.id, user.id);
}

/** The part of `hasMetadataAccess` that does not depend on a subscription. */
export function hasMetadataAccessUnsubscribed(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return grantsMetadataAccess(user, channel, directory.groups);
}

/** Assumed access settings of a channel: its kind, and its permissions if given. */
export interface SupposedAccess {
  readonly as?: ChannelKind;
  readonly letting?: RevealingPermissions;
}

/** The same as of just after the event. With `as`, under the assumed access settings. */
export function hadMetadataAccessUnsubscribed(
  directory: Directory,
  user: UserRecord,
  channel: ChannelRecord,
  eventId: number,
  { as, letting }: SupposedAccess = {},
): boolean {
  const { groups, history } = directory;
  if (eventId >= history.changedAt && as === undefined) return grantsMetadataAccess(user, channel, groups);
  const access = history.channelAfter(channel, eventId);
  return grantsMetadataAccess(
    history.userAfter(user, eventId),
    as === undefined ? access : supposed(access, as, letting),
    history.groupsAfter(groups, eventId),
  );
}

/** The rule for metadata access, for past, current or future roles, channels and groups. */
export function grantsMetadataAccess(user: Member, channel: ChannelAccess, groups: Memberships): boolean {
  if (channel.isWebPublic) return true;
  if (user.role === Role.guest) return false;
  if (!channel.isPrivate || user.role <= Role.administrator) return true;
  const { can_administer_channel, can_add_subscribers, can_subscribe } = channel.groupSettings;
  return (
    grants(can_administer_channel, user, groups) ||
    grants(can_add_subscribers, user, groups) ||
    grants(can_subscribe, user, groups)
  );
}

function supposed(
  channel: ChannelAccess,
  kind: ChannelKind,
  groupSettings: RevealingPermissions = channel.groupSettings,
): ChannelAccess {
  return { isPrivate: kind === 'private', isWebPublic: kind === 'web-public', groupSettings };
}

export function kindOf({ isPrivate, isWebPublic }: Pick<ChannelAccess, 'isPrivate' | 'isWebPublic'>): ChannelKind {
  if (isWebPublic) return 'web-public';
  return isPrivate ? 'private' : 'public';
}
