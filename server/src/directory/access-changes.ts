import type { Directory } from './directory.ts';
import type { Member, Memberships } from './memberships.ts';
import { type ChannelRecord, type GroupSetting, REVEALING_SETTINGS, type UserRecord } from './records.ts';
import { knowsUnsubscribed, showsItselfTo } from './visibility.ts';

/** Who may know a channel from a change on and may not until then, and the other way round. */
export interface AccessChange {
  readonly channel: ChannelRecord;
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

/** A change to come of roles or groups, with all whom it can concern. */
export interface AccessAmendment {
  readonly users: Iterable<UserRecord>;
  readonly channels: Iterable<ChannelRecord>;
  /** Default: the user as they are. */
  readonly userAfter?: (user: UserRecord) => Member;
  /** Default: the groups as they are. */
  readonly groupsAfter?: Memberships;
}

/**
 * Who gains and who loses knowledge of which channels; channels for which nobody does are left out. Subscribers know theirs whatever
 * happens, and closed accounts nothing. (A channel's own change of kind needs no list: see `ChannelKind` in log/event.ts.)
 */
export function accessChanges(directory: Directory, amendment: AccessAmendment): readonly AccessChange[] {
  const users = [...amendment.users].filter((user) => user.isActive);
  const groups = amendment.groupsAfter ?? directory.groups;
  const changes: AccessChange[] = [];
  for (const channel of amendment.channels) {
    const gained: number[] = [];
    const lost: number[] = [];
    for (const user of users) {
      const before = knowsUnsubscribed(directory, user, channel);
      const after = showsItselfTo(amendment.userAfter?.(user) ?? user, channel, groups);
      if (before === after || directory.subscriptions.has(channel.id, user.id)) continue;
      (after ? gained : lost).push(user.id);
    }
    if (gained.length + lost.length > 0) changes.push({ channel, gained, lost });
  }
  return changes;
}

/** The private channels that reveal themselves to the group, by itself or as a part of another; also to what a deactivated one would be. */
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
