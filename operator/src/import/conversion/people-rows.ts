/** Rows of users, groups, folders and channels. */
import { eachChannelSetting } from '@heddle/api/channel-settings.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '@heddle/api/objects/channel.ts';
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, type Permission, SystemGroup } from '@heddle/api/permissions.ts';
import { type GroupSetting, Role } from '@heddle/server/directory/records.ts';
import { checkedChannelDescription } from '@heddle/server/domain/channels/names.ts';
import { SYSTEM_GROUPS } from '@heddle/server/domain/joining/founding/system-groups.ts';
import { SYSTEM_BOTS } from '@heddle/server/domain/users/users/system-bots.ts';
import { mendedFolderName } from '../mended-names.ts';
import type { ImportReport } from '../report.ts';
import type { SourceRow } from '../source.ts';
import type { ConvertedChannel, ConvertedGroup, ConvertedUser, People } from './converted.ts';
import { UniqueNames } from './names.ts';
import type { NeutralFolder, NeutralGroupSetting } from './neutral.ts';
import { systemGroupId } from './people.ts';

const GENERIC_BOT_TYPE = 1;
const MAX_DESCRIPTION_LENGTH = 1000;
const CUT_DESCRIPTIONS = 'Descriptions that are too long: they are cut';

export function systemBotRows(): readonly SourceRow[] {
  return Object.entries(SYSTEM_BOTS).map(([kind, { email, fullName }], index) => ({
    ...{ id: index + 1, email, delivery_email: email, full_name: fullName, role: Role.member, is_active: true },
    ...{
      is_bot: true,
      bot_type: GENERIC_BOT_TYPE,
      system_bot: kind,
      timezone: '',
      date_joined: new Date(0),
      address_is_confirmed: true,
      own_settings: {},
      bot_owner_id: null,
      avatar_file: null,
    },
  }));
}

/** @param avatarFile the name of the picture in addresses; null if there is none */
export function userRow(user: ConvertedUser, people: People, avatarFile: string | null): SourceRow {
  const { id, email, fullName, role, isActive, isBot, joinedAt, timezone = '', owner, settings = {} } = user;
  const ownerRow = owner === undefined || !isBot ? undefined : people.users.get(owner);
  return {
    id,
    email,
    delivery_email: email,
    full_name: fullName,
    role,
    is_active: isActive,
    is_bot: isBot,
    bot_type: isBot ? GENERIC_BOT_TYPE : null,
    bot_owner_id: ownerRow === undefined || ownerRow.isBot ? null : ownerRow.id,
    timezone,
    date_joined: joinedAt ?? new Date(0),
    system_bot: null,
    address_is_confirmed: !email.endsWith('.invalid'),
    avatar_file: avatarFile,
    own_settings: settings,
  };
}

export function systemGroupRows(): readonly SourceRow[] {
  return SYSTEM_GROUPS.map(({ name, description }, index) => ({
    id: index + 1,
    name,
    description,
    is_system: true,
    creator_id: null,
    created_at: new Date(0),
    deactivated_at: null,
    permissions: {},
  }));
}

const GROUPS: Readonly<Record<string, Permission | undefined>> = GROUP_PERMISSIONS;

export function groupRow(people: People, group: ConvertedGroup, report: ImportReport): SourceRow {
  const { id, name, description, creator, createdAt, isDeactivated, permissions = {} } = group;
  const creatorId = creator === undefined ? null : (people.users.get(creator)?.id ?? null);
  const cut = [...description].slice(0, MAX_DESCRIPTION_LENGTH).join('');
  if (cut !== description) report.skip(CUT_DESCRIPTIONS, name);
  const known = Object.entries(permissions).flatMap(([permission, setting]) => {
    const value = permittedSetting(people, GROUPS[permission], setting);
    if (value === undefined)
      report.skip('Permissions of groups that are not known: they have their defaults', permission);
    return value === undefined ? [] : [[permission, value] as const];
  });
  return {
    id,
    name,
    description: cut,
    is_system: false,
    creator_id: creatorId,
    created_at: createdAt ?? new Date(0),
    deactivated_at: isDeactivated === true ? (createdAt ?? new Date(0)) : null,
    permissions: Object.fromEntries(known),
  };
}

/** The ids of a group, or of the users and groups that have a permission. Unknown users are left out. */
export function groupSetting(people: People, setting: NeutralGroupSetting): GroupSetting | undefined {
  if (typeof setting === 'string') return groupIdOf(people, setting);
  return {
    directMembers: idsOf(setting.users, (key) => people.users.get(key)?.id),
    directSubgroups: idsOf(setting.groups, (key) => groupIdOf(people, key)),
  };
}

/** Undefined: the permission is not known, or does not accept the value. */
export function permittedSetting(
  people: People,
  permission: Permission | undefined,
  given: NeutralGroupSetting,
): GroupSetting | undefined {
  const value = permission === undefined ? undefined : groupSetting(people, given);
  if (permission === undefined || value === undefined) return undefined;
  const name = typeof value === 'number' ? SYSTEM_GROUPS[value - 1]?.name : undefined;
  const { onlySystemGroups, allowsNobody, allowsEveryone } = permission;
  if (onlySystemGroups !== null) return name !== undefined && onlySystemGroups.includes(name) ? value : undefined;
  if (name === SystemGroup.internet || (name === SystemGroup.nobody && !allowsNobody)) return undefined;
  return name === SystemGroup.everyone && !allowsEveryone ? undefined : value;
}

export function groupIdOf(people: People, key: string): number | undefined {
  return people.systemGroups.get(key) ?? people.groups.get(key)?.id;
}

function idsOf(keys: readonly string[], idOf: (key: string) => number | undefined): readonly number[] {
  return [...new Set(keys.flatMap((key) => idOf(key) ?? []))].sort((a, b) => a - b);
}

/** Nesting without cycles: a group that contains itself would have no end. */
export function subgroupRows(people: People, report: ImportReport): readonly SourceRow[] {
  const nesting = new Map<number, Set<number>>();
  for (const { name, holds } of SYSTEM_GROUPS) {
    if (holds !== undefined) nesting.set(systemGroupId(name), new Set([systemGroupId(holds)]));
  }
  for (const { id, name, subgroups = [] } of people.groups.values()) {
    for (const key of subgroups) {
      const subgroup = groupIdOf(people, key);
      if (subgroup === undefined) report.skip('Groups in groups that are unknown', `${key} in ${name}`);
      else if (contains(nesting, subgroup, id)) report.skip('Groups that would contain themselves', name);
      else nesting.set(id, (nesting.get(id) ?? new Set()).add(subgroup));
    }
  }
  return [...nesting].flatMap(([group, subgroups]) =>
    [...subgroups].map((subgroup) => ({ group_id: group, subgroup_id: subgroup })),
  );
}

function contains(nesting: ReadonlyMap<number, ReadonlySet<number>>, group: number, sought: number): boolean {
  const pending = [group];
  const seen = new Set<number>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === sought) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...(nesting.get(next) ?? []));
  }
  return false;
}

export function* groupMemberRows(people: People, report: ImportReport): Generator<SourceRow> {
  for (const { id, members, name } of people.groups.values()) {
    for (const key of new Set(members)) {
      const user = people.users.get(key);
      if (user === undefined) report.skip('Members of groups who are unknown', `${key} in ${name}`);
      else yield { group_id: id, user_id: user.id };
    }
  }
}

export function folderRows(
  folders: readonly NeutralFolder[],
  people: People,
  render: (text: string) => string,
): readonly SourceRow[] {
  const names = new UniqueNames();
  return folders.map(({ name, description, isArchived, creator, createdAt }, index) => {
    const text = [...description.replaceAll(/[\0\p{Cs}]/gu, '')].slice(0, MAX_DESCRIPTION_LENGTH).join('');
    return {
      id: index + 1,
      name: names.add(mendedFolderName(name, 'Folder')),
      description: text,
      rendered_description: render(text),
      creator_id: creator === undefined ? null : (people.users.get(creator)?.id ?? null),
      created_at: createdAt ?? new Date(0),
      is_archived: isArchived,
      position: index,
    };
  });
}

export interface ChannelContext {
  readonly people: People;
  readonly folders: readonly NeutralFolder[];
  readonly firstMessage: number | undefined;
  /** Converts the markup of the program. */
  readonly markdown: (text: string) => string;
  readonly render: (markdown: string) => string;
  readonly report: ImportReport;
}

export function channelRow(channel: ConvertedChannel, context: ChannelContext): SourceRow {
  const { id, name, isPrivate, isArchived, isDefault, createdAt, creator } = channel;
  const { people, folders, firstMessage, markdown, render } = context;
  const whole = markdown(channel.description);
  const description = validDescription(whole);
  if ([...whole].length > MAX_CHANNEL_DESCRIPTION_LENGTH) context.report.skip(CUT_DESCRIPTIONS, name);
  const creatorId = creator === undefined ? undefined : people.users.get(creator)?.id;
  const folder = channel.folder === undefined ? -1 : folders.findIndex(({ key }) => key === channel.folder);
  return {
    id,
    recipient_id: id,
    name,
    description,
    rendered_description: description === '' ? '' : render(description),
    creator_id: creatorId ?? null,
    created_at: createdAt ?? new Date(0),
    is_private: isPrivate,
    is_web_public: channel.isWebPublic === true && !isPrivate,
    history_public_to_subscribers: channel.isHistoryProtected !== true || !isPrivate,
    is_archived: isArchived,
    is_default: isDefault && !isPrivate && !isArchived,
    ...eachChannelSetting('default'),
    ...(channel.retentionDays !== undefined && { message_retention_days: channel.retentionDays }),
    ...(channel.topicsPolicy !== undefined && { topics_policy: channel.topicsPolicy }),
    folder_id: folder < 0 ? null : folder + 1,
    first_message_id: firstMessage ?? null,
    group_settings: channelPermissions(channel, creatorId, context),
  };
}

function channelPermissions(
  { permissions = {} }: ConvertedChannel,
  creatorId: number | undefined,
  { people, report }: ChannelContext,
): object {
  return Object.fromEntries(
    Object.entries(CHANNEL_PERMISSIONS).map(([name, permission]) => {
      const group = permission.default;
      const creators =
        creatorId === undefined
          ? systemGroupId(SystemGroup.nobody)
          : { directMembers: [creatorId], directSubgroups: [] };
      const given = permissions[name];
      const own = given === undefined ? undefined : permittedSetting(people, permission, given);
      if (given !== undefined && own === undefined)
        report.skip('Permissions of channels that are not known: they have their defaults', name);
      return [name.slice(0, -'_group'.length), own ?? (group === 'creator' ? creators : systemGroupId(group))];
    }),
  );
}

function validDescription(description: string): string {
  const characters = [...description];
  return checkedChannelDescription(characters.slice(0, MAX_CHANNEL_DESCRIPTION_LENGTH).join(''));
}
