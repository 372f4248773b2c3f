import type { Directory } from './directory.ts';
import type { Member, Memberships } from './memberships.ts';
import { type ChannelRecord, type GroupSetting, REVEALING_SETTINGS, type UserRecord } from './records.ts';
import { grantsMetadataAccess, hasMetadataAccessUnsubscribed } from './visibility.ts';

/** The users who gain or lose metadata access to a channel through one change. */
export interface AccessChange {
  readonly channel: ChannelRecord;
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

/** A change of roles or groups that has not happened yet, with every user and channel that it can affect. */
export interface AccessAmendment {
  readonly users: Iterable<UserRecord>;
  readonly channels: Iterable<ChannelRecord>;
  /** Default: the user as is. */
  readonly userAfter?: (user: UserRecord) => Member;
  /** Default: the groups as they are. */
  readonly groupsAfter?: Memberships;
}

/**
 * Lists which users gain and which lose metadata access, by channel. Channels without such users are left out.
 * Subscribers keep metadata access whatever changes, and closed accounts have none. A change of the channel itself
 * needs no list: see `ChannelKind` in log/event.ts.
 */
export function accessChanges(directory: Directory, amendment: AccessAmendment): readonly AccessChange[] {
  const users = [...amendment.users].filter((user) => user.isActive);
  const groups = amendment.groupsAfter ?? directory.groups;
  const changes: AccessChange[] = [];
  for (const channel of amendment.channels) {
    const gained: number[] = [];
    const lost: number[] = [];
    for (const user of users) {
      const before = hasMetadataAccessUnsubscribed(directory, user, channel);
      const after = grantsMetadataAccess(amendment.userAfter?.(user) ?? user, channel, groups);
      if (before === after || directory.subscriptions.has(channel.id, user.id)) continue;
      (after ? gained : lost).push(user.id);
    }
    if (gained.length + lost.length > 0) changes.push({ channel, gained, lost });
  }
  return changes;
}

/**
 * The private channels whose permissions name the group or a group that contains it. Counts the group even while it is
 * deactivated.
 */
export function channelsRevealedTo(directory: Directory, groupId: number): readonly ChannelRecord[] {
  const groups = new Set([groupId]);
  for (const supergroupId of directory.groups.supergroupsOf(groupId)) {
    for (const holder of directory.groups.groupsHolding(supergroupId)) groups.add(holder);
  }
  const names = (setting: GroupSetting) =>
    typeof setting === 'number' ? groups.has(setting) : setting.directSubgroups.some((id) => groups.has(id));
  return [...directory.channels.values()].filter(
    (channel) => channel.isPrivate && REVEALING_SETTINGS.some((name) => names(channel.groupSettings[name])),
  );
}
