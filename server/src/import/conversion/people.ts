/** Gives users, channels and groups of another program ids, and names that are valid and unique here. */
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '@heddle/api/objects/channel.ts';
import { Role } from '../../directory/records.ts';
import { checkedChannelDescription, checkedChannelName } from '../../domain/channels/names.ts';
import { checkedEmail, checkedFullName } from '../../domain/users/names.ts';
import type { ImportReport } from '../report.ts';
import type { NeutralArchive, NeutralChannel, NeutralUser } from './neutral.ts';

export interface ConvertedUser extends Omit<NeutralUser, 'email'> {
  readonly id: number;
  readonly email: string;
}

export interface ConvertedChannel extends NeutralChannel {
  readonly id: number;
}

export interface People {
  readonly users: ReadonlyMap<string, ConvertedUser>;
  readonly channels: ReadonlyMap<string, ConvertedChannel>;
}

/** Users begin after the system bots. */
export const FIRST_USER_ID = 10;
const MAX_NAME_LENGTH = 100;

/** @param others senders of messages whom the archive does not describe */
export function convertPeople(archive: NeutralArchive, others: readonly NeutralUser[], report: ImportReport): People {
  const users = new Map<string, ConvertedUser>();
  const addresses = new Set<string>();
  for (const user of [...archive.users, ...others]) {
    if (users.has(user.key)) {
      report.skip('Users that the archive has twice', user.key);
      continue;
    }
    users.set(user.key, {
      ...user,
      id: FIRST_USER_ID + users.size,
      fullName: validName(user.fullName, user.key),
      email: addressOf(user, addresses, report),
    });
  }
  return { users: withOwner(users, report), channels: convertChannels(archive.channels, report) };
}

function validName(name: string, key: string): string {
  const cleaned = [
    ...name
      .replaceAll(/[*`\\>"@|]|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ];
  try {
    return checkedFullName(cleaned.slice(0, MAX_NAME_LENGTH).join(''));
  } catch {
    return `User ${key.replaceAll(/[^\w-]/g, '').slice(0, 50)}`;
  }
}

/** A user without an address gets one that no mail reaches. */
function addressOf({ key, email, isBot }: NeutralUser, addresses: Set<string>, report: ImportReport): string {
  let address = '';
  try {
    address = email === null ? '' : checkedEmail(email);
  } catch {
    report.skip('Addresses of users that are not valid: the users have a stand-in', String(email));
  }
  if (address !== '' && addresses.has(address.toLowerCase())) {
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
    address = `imported-${local}@users.invalid`;
    for (let number = 2; addresses.has(address); number += 1) address = `imported-${local}-${number}@users.invalid`;
  }
  addresses.add(address.toLowerCase());
  return address;
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
  const names = new Set<string>();
  for (const channel of channels) {
    if (converted.has(channel.key)) {
      report.skip('Channels that the archive has twice', channel.name);
      continue;
    }
    const name = uniqueName(validChannelName(channel.name, channel.key), names);
    if (name !== channel.name)
      report.skip('Channels with another name than in the archive', `${channel.name} is ${name}`);
    converted.set(channel.key, {
      ...channel,
      id: converted.size + 1,
      name,
      description: validDescription(channel.description),
    });
  }
  return converted;
}

function validChannelName(name: string, key: string): string {
  const cleaned = [...name.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ').trim()]
    .slice(0, MAX_CHANNEL_NAME_LENGTH - 6)
    .join('');
  try {
    return checkedChannelName(cleaned);
  } catch {
    return `channel ${key.replaceAll(/[^\w-]/g, '').slice(0, 40)}`;
  }
}

export function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number += 1) unique = `${name} (${number})`;
  taken.add(unique.toLowerCase());
  return unique;
}

function validDescription(description: string): string {
  const characters = [...description];
  return checkedChannelDescription(characters.slice(0, MAX_CHANNEL_DESCRIPTION_LENGTH).join(''));
}
