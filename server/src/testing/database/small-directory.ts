import { plainFields, plainSettings } from '../../directory/channel-settings.ts';
import { MutableDirectory } from '../../directory/mutable-directory.ts';
import type { AnyPart } from '../../directory/part.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelRecord,
  type GroupRecord,
  Role,
  SystemGroup,
  type UserRecord,
} from '../../directory/records.ts';
import type { ServerRules } from '../../directory/server-rules.ts';

/**
 * A directory without a database, for tests of rules: of the organization with these stored settings, with its system
 * groups (ids from 1).
 */
export function smallDirectory(
  settings: Readonly<Record<string, unknown>> = {},
  server: Partial<ServerRules> = {},
  parts: readonly AnyPart[] = [],
): MutableDirectory {
  const organization = { id: 1, subdomain: '', name: 'Test', description: '', createdAt: 0, isDeactivated: false };
  const directory = new MutableDirectory(
    { ...organization, settings },
    0,
    0,
    {
      webPublicChannels: false,
      gravatar: true,
      bigBlueButton: false,
      hostOf: () => 'localhost',
      ...server,
    },
    parts,
  );
  for (const [index, name] of Object.values(SystemGroup).entries()) {
    putGroup(directory, index + 1, { name, isSystem: true });
  }
  return directory;
}

export function groupRecord(id: number, fields: Partial<GroupRecord> = {}): GroupRecord {
  return {
    id,
    name: `Group ${id}`,
    description: '',
    isSystem: false,
    creatorId: null,
    createdAt: 0,
    isDeactivated: false,
    ...fields,
  };
}

export function putGroup(directory: MutableDirectory, id: number, fields: Partial<GroupRecord> = {}): GroupRecord {
  const group = groupRecord(id, fields);
  directory.groups.put(group);
  return group;
}

/** A member by default. */
export function userRecord(id: number, fields: Partial<UserRecord> = {}): UserRecord {
  const email = `user${id}@example.com`;
  return {
    id,
    email,
    deliveryEmail: email,
    fullName: `User ${id}`,
    role: Role.member,
    isActive: true,
    isBot: false,
    botType: null,
    botOwnerId: null,
    timezone: '',
    avatarVersion: 1,
    apiKeyVersion: 1,
    joinedAt: 0,
    ...fields,
  };
}

export function putUser(
  directory: MutableDirectory,
  id: number,
  role: Role,
  fields: Partial<UserRecord> = {},
): UserRecord {
  const user = userRecord(id, { role, ...fields });
  directory.putUser(user);
  return user;
}

type Permissions = ChannelRecord['groupSettings'];

/** A channel with only the given permissions. */
export function channelRecord(
  id: number,
  nobody: number,
  fields: Partial<Omit<ChannelRecord, 'groupSettings'>> = {},
  grants: Partial<Permissions> = {},
): ChannelRecord {
  return {
    id,
    recipientId: id,
    name: `Channel ${id}`,
    description: '',
    renderedDescription: '',
    creatorId: null,
    createdAt: 0,
    isPrivate: false,
    isWebPublic: false,
    historyPublicToSubscribers: true,
    isArchived: false,
    isDefault: false,
    ...plainFields(plainSettings({})),
    firstMessageId: null,
    isRecentlyActive: true,
    groupSettings: Object.fromEntries(
      CHANNEL_GROUP_SETTINGS.map((name) => [name, grants[name] ?? nobody]),
    ) as Permissions,
    ...fields,
  };
}

export function putChannel(
  directory: MutableDirectory,
  id: number,
  fields: Partial<Omit<ChannelRecord, 'groupSettings'>> = {},
  grants: Partial<Permissions> = {},
): ChannelRecord {
  const channel = channelRecord(id, directory.groups.idOf(SystemGroup.nobody), fields, grants);
  directory.putChannel(channel);
  return channel;
}
