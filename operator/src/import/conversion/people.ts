/** Gives users, channels and groups of another program ids, and names that are valid and unique here. */
import type { SystemGroup } from '@heddle/api/permissions.ts';
import { Role } from '@heddle/server/directory/records.ts';
import { SYSTEM_GROUPS } from '@heddle/server/domain/joining/founding/system-groups.ts';
import { checkedEmail } from '@heddle/server/domain/users/users/names.ts';
import { SYSTEM_BOTS } from '@heddle/server/domain/users/users/system-bots.ts';
import { LIMITS } from '../limits.ts';
import { mendedChannelName, mendedFullName, mendedGroupName } from '../mended-names.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import type { ConvertedChannel, ConvertedGroup, ConvertedUser, People } from './converted.ts';
import { UniqueNames } from './names.ts';
import type { NeutralChannel, NeutralGroup, NeutralUser } from './neutral.ts';
import type { NeutralArchive } from './neutral-archive.ts';

/** Users begin after the system bots, and groups after the system groups. */
export const FIRST_USER_ID = 10;
export const FIRST_GROUP_ID = 20;

/** @param others senders of messages whom the archive does not describe */
export function convertPeople(archive: NeutralArchive, others: readonly NeutralUser[], report: ImportReport): People {
  checkCount('users', archive.users.length + others.length, LIMITS.users);
  checkCount('channels', archive.channels.length, LIMITS.channels);
  checkCount('groups', archive.groups.length, LIMITS.groups);
  const users = new Map<string, ConvertedUser>();
  const addresses = new UniqueNames();
  for (const { email } of Object.values(SYSTEM_BOTS)) addresses.add(email);
  for (const user of [...archive.users, ...others]) {
    if (users.has(user.key)) {
      report.skip('Users that the archive has twice', user.key);
      continue;
    }
    users.set(user.key, {
      ...user,
      id: FIRST_USER_ID + users.size,
      fullName: nameOf(user, report),
      email: addressOf(user, addresses, report),
    });
  }
  const channels = convertChannels(archive.channels, report);
  const withOwners = withOwner(users, report);
  return {
    users: withOwners,
    channels,
    groups: convertGroups(archive.groups, report),
    systemGroups: new Map([...(archive.systemGroups ?? [])].map(([key, name]) => [key, systemGroupId(name)])),
    members: membersOf(archive, { users: withOwners, channels }),
  };
}

export function systemGroupId(name: SystemGroup): number {
  return SYSTEM_GROUPS.findIndex((group) => group.name === name) + 1;
}

/** @throws ImportError the archive has more subscriptions than a server can hold in memory */
function membersOf(archive: NeutralArchive, { users, channels }: Pick<People, 'users' | 'channels'>) {
  const members = new Map<number, Set<number>>();
  let count = 0;
  for (const { user, channel } of archive.subscriptions()) {
    count += 1;
    checkCount('subscriptions', count, LIMITS.subscriptions);
    const [userId, channelId] = [users.get(user)?.id, channels.get(channel)?.id];
    if (userId === undefined || channelId === undefined) continue;
    const set = members.get(channelId);
    if (set === undefined) members.set(channelId, new Set([userId]));
    else set.add(userId);
  }
  return members;
}

/** The ids of the users who are known, ascending. */
export function sortedIds({ users }: Pick<People, 'users'>, keys: readonly string[]): readonly number[] {
  return [...new Set(keys.flatMap((key) => users.get(key)?.id ?? []))].sort((a, b) => a - b);
}

/** @throws ImportError */
export function checkCount(what: string, count: number, limit: number): void {
  if (count > limit) throw new ImportError(`The archive has more than ${limit} ${what}, which is the limit.`);
}

function convertGroups(groups: readonly NeutralGroup[], report: ImportReport): ReadonlyMap<string, ConvertedGroup> {
  const converted = new Map<string, ConvertedGroup>();
  const names = new UniqueNames();
  for (const group of groups) {
    if (converted.has(group.key)) {
      report.skip('Groups that the archive has twice', group.name);
      continue;
    }
    // Asterisks end mentions.
    const name = names.add(mendedGroupName(group.name.replaceAll(/[@*]|\p{Cf}/gu, ' ').trim(), 'group'));
    if (name !== group.name) report.skip('Groups with another name than in the archive', `${group.name} is ${name}`);
    converted.set(group.key, { ...group, id: FIRST_GROUP_ID + converted.size, name });
  }
  return converted;
}

function nameOf({ fullName, key }: NeutralUser, report: ImportReport): string {
  const name = mendedFullName(fullName, `User ${plainKey(key)}`);
  if (name !== fullName.trim().normalize('NFC'))
    report.skip('Users with another name than in the archive', `${fullName} is ${name}`);
  return name;
}

function plainKey(key: string): string {
  return key.replaceAll(/[^\w-]/g, '').slice(0, 40);
}

/** A user without an address gets one that no mail reaches. */
function addressOf({ key, email, isBot }: NeutralUser, addresses: UniqueNames, report: ImportReport): string {
  let address = '';
  try {
    address = email === null ? '' : checkedEmail(email);
  } catch {
    report.skip('Addresses of users that are not valid: the users have a stand-in', String(email));
  }
  if (address !== '' && addresses.has(address)) {
    report.skip('Addresses that several users have: all but the first have a stand-in', address);
    address = '';
  } else if (address === '' && email === null && !isBot) {
    report.skip('Users without an address: an administrator must set one before they can log in', key);
  }
  if (address === '') {
    const local = key
      .toLowerCase()
      .replaceAll(/[^a-z\d._-]/g, '-')
      .slice(0, 100);
    return addresses.add(`imported-${local}@users.invalid`, (number) => `imported-${local}-${number}@users.invalid`);
  }
  return addresses.add(address);
}

/** An organization needs an owner. If the archive names none, the first administrator or user becomes one. */
function withOwner(users: Map<string, ConvertedUser>, report: ImportReport): ReadonlyMap<string, ConvertedUser> {
  const people = [...users.values()].filter(({ isActive, isBot }) => isActive && !isBot);
  if (people.length === 0 || people.some(({ role }) => role === Role.owner)) return users;
  const chosen = people.find(({ role }) => role === Role.administrator) ?? people[0];
  if (chosen === undefined) return users;
  report.skip('Archives without an owner: this user becomes the owner', chosen.email);
  users.set(chosen.key, { ...chosen, role: Role.owner });
  return users;
}

function convertChannels(
  channels: readonly NeutralChannel[],
  report: ImportReport,
): ReadonlyMap<string, ConvertedChannel> {
  const converted = new Map<string, ConvertedChannel>();
  const names = new UniqueNames();
  for (const channel of channels) {
    if (converted.has(channel.key)) {
      report.skip('Channels that the archive has twice', channel.name);
      continue;
    }
    const name = names.add(mendedChannelName(channel.name, `channel ${plainKey(channel.key)}`));
    if (name !== channel.name)
      report.skip('Channels with another name than in the archive', `${channel.name} is ${name}`);
    converted.set(channel.key, { ...channel, id: converted.size + 1, name });
  }
  return converted;
}
