import type { Directory } from './directory.ts';
import { membersAmong } from './members-among.ts';
import type { Member, Memberships } from './memberships.ts';
import { type ChannelRecord, type GroupSetting, REVEALING_SETTINGS, Role, type UserRecord } from './records.ts';
import { type Bits, isEmpty, join, UserBits, without } from './user-bits.ts';
import { grantsMetadataAccess, hasMetadataAccessUnsubscribed } from './visibility.ts';

/** The users who gain or lose metadata access to a channel through one change. */
export interface AccessChange {
  readonly channel: ChannelRecord;
  readonly gained: readonly number[];
  readonly lost: readonly number[];
}

/** A change of roles that has not happened yet, with every user and channel that it can affect. */
export interface RoleAmendment {
  readonly users: Iterable<UserRecord>;
  readonly channels: Iterable<ChannelRecord>;
  readonly userAfter: (user: UserRecord) => Member;
}

/**
 * Lists which users gain and which lose metadata access, by channel. Channels without such users are left out.
 * Subscribers keep metadata access whatever changes, and closed accounts have none. A change of the channel itself
 * needs no list: see `ChannelKind` in log/event.ts.
 */
export function accessChanges(directory: Directory, amendment: RoleAmendment): readonly AccessChange[] {
  const users = [...amendment.users].filter((user) => user.isActive);
  const changes: AccessChange[] = [];
  for (const channel of amendment.channels) {
    const gained: number[] = [];
    const lost: number[] = [];
    for (const user of users) {
      const before = hasMetadataAccessUnsubscribed(directory, user, channel);
      const after = grantsMetadataAccess(amendment.userAfter(user), channel, directory.groups);
      if (before === after || directory.subscriptions.has(channel.id, user.id)) continue;
      (after ? gained : lost).push(user.id);
    }
    if (gained.length + lost.length > 0) changes.push({ channel, gained, lost });
  }
  return changes;
}

/** A change of one group that has not happened yet. */
export interface GroupAmendment {
  readonly groupId: number;
  /** Every user whom it can affect. */
  readonly users: Iterable<UserRecord>;
  /** Of `channelsRevealedTo`. */
  readonly channels: readonly ChannelRecord[];
  readonly groupsAfter: Memberships;
}

/**
 * The same for a change of a group. It can affect thousands of users and thousands of channels, whose permissions can name many groups. So it
 * looks at each group once and not for each channel.
 */
export function accessChangesThrough(
  directory: Directory,
  { groupId, channels, users, groupsAfter }: GroupAmendment,
): readonly AccessChange[] {
  const concerned = [...users].filter((user) => user.isActive && needsPermission(user));
  const ids = concerned.map(({ id }) => id);
  const [all, userBits, holders] = [new Set(ids), new UserBits(ids), groupsRevealing(directory, groupId)];
  const before = remembered((id) => userBits.of(membersAmong(directory, id, all)));
  const after = remembered((id) => {
    if (!holders.has(id)) return before(id);
    return userBits.of(concerned.flatMap((user) => (groupsAfter.includes(id, user) ? user.id : [])));
  });
  const changes: AccessChange[] = [];
  for (const channel of channels) {
    if (channel.isWebPublic) continue;
    const [had, has] = [grantedIn(channel, userBits, before), grantedIn(channel, userBits, after)];
    const differing = [without(has, had), without(had, has)];
    if (differing.every(isEmpty)) continue;
    const subscribers = userBits.of(directory.subscriptions.of(channel.id).keys());
    const [gained = [], lost = []] = differing.map((bits) => userBits.listOf(without(bits, subscribers)));
    if (gained.length + lost.length > 0) changes.push({ channel, gained, lost });
  }
  return changes;
}

/** Administrators know all private channels, and guests only their own. */
function needsPermission({ role }: UserRecord): boolean {
  return role > Role.administrator && role !== Role.guest;
}

/** Those of the users to whom the permissions of the channel give metadata access. */
function grantedIn(channel: ChannelRecord, users: UserBits, membersOf: (groupId: number) => Bits): Bits {
  const granted = users.none();
  for (const name of REVEALING_SETTINGS) {
    const setting = channel.groupSettings[name];
    if (typeof setting === 'number') {
      join(granted, membersOf(setting));
      continue;
    }
    users.add(granted, setting.directMembers);
    for (const id of setting.directSubgroups) join(granted, membersOf(id));
  }
  return granted;
}

function remembered(compute: (groupId: number) => Bits): (groupId: number) => Bits {
  const known = new Map<number, Bits>();
  return (groupId) => {
    const bits = known.get(groupId) ?? compute(groupId);
    known.set(groupId, bits);
    return bits;
  };
}

/**
 * The private channels whose permissions name the group or a group that contains it. Counts the group even while it is
 * deactivated.
 */
export function channelsRevealedTo(directory: Directory, groupId: number): readonly ChannelRecord[] {
  const groups = groupsRevealing(directory, groupId);
  const names = (setting: GroupSetting) =>
    typeof setting === 'number' ? groups.has(setting) : setting.directSubgroups.some((id) => groups.has(id));
  return [...directory.channels.values()].filter(
    (channel) => channel.isPrivate && REVEALING_SETTINGS.some((name) => names(channel.groupSettings[name])),
  );
}

/** The group, and all groups that contain it. */
function groupsRevealing({ groups }: Directory, groupId: number): ReadonlySet<number> {
  const found = new Set([groupId]);
  for (const supergroupId of groups.supergroupsOf(groupId)) {
    for (const holder of groups.groupsHolding(supergroupId)) found.add(holder);
  }
  return found;
}
