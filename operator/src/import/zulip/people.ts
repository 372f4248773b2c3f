/** Users, groups, channels and subscriptions of the reference server. */
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, SystemGroup } from '@heddle/api/permissions.ts';
import { Role } from '@heddle/server/directory/records.ts';
import type {
  NeutralChannel,
  NeutralFolder,
  NeutralGroup,
  NeutralGroupSetting,
  NeutralPermissions,
  NeutralSubscription,
  NeutralUser,
} from '../conversion/neutral.ts';
import { checkCount } from '../conversion/people.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { dateOf, isTrue, type Json, keyIn, numberIn, textIn } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import type { ImportReport } from '../report.ts';
import { OF_CHANNELS, policiesOf } from './old-policies.ts';
import { choiceForUsers, UserSettings } from './user-settings.ts';

const ROLES = new Set<number>(Object.values(Role));

/** Before version 3, users had these fields in place of a role. Administrators had all rights. */
function oldRoleOf(row: Json): number {
  if (isTrue(row, 'is_realm_admin')) return Role.owner; // wire name: its column
  return isTrue(row, 'is_guest') ? Role.guest : Role.member;
}

/** The table of such users has those who did not agree to an export, and senders of older archives. */
const WITHOUT_ACCOUNT = 'Users whom the export has only as senders: their accounts are deactivated';

/** @param avatars paths of pictures by the ids of users */
export function usersOf(
  rows: RowStore,
  avatars: ReadonlyMap<string, string>,
  report: ImportReport,
): readonly NeutralUser[] {
  const tables = ['zerver_userprofile', 'zerver_userprofile_mirrordummy'];
  checkCount(
    'users',
    tables.reduce((sum, table) => sum + rows.count(table), 0),
    LIMITS.users,
  );
  const settings = new UserSettings(report);
  const [organization = {}] = [...rows.of('zerver_realm')];
  const choice = choiceForUsers(organization);
  const users: NeutralUser[] = [];
  for (const table of tables) {
    for (const row of rows.of(table)) {
      const key = keyIn(row, 'id');
      const role = numberIn(row, 'role') ?? oldRoleOf(row);
      if (key === undefined) continue;
      if (table !== 'zerver_userprofile') report.skip(WITHOUT_ACCOUNT, textIn(row, 'full_name') ?? key);
      if (!ROLES.has(role)) report.skip('Roles that are not known: the users are members', key);
      users.push({
        key,
        email: textIn(row, 'delivery_email') ?? textIn(row, 'email') ?? null,
        fullName: textIn(row, 'full_name') ?? '',
        role: ROLES.has(role) ? role : Role.member,
        isActive: table === 'zerver_userprofile' && isTrue(row, 'is_active'),
        isBot: isTrue(row, 'is_bot'),
        owner: keyIn(row, 'bot_owner'),
        joinedAt: dateOf(row.date_joined),
        timezone: textIn(row, 'timezone'),
        avatar: textIn(row, 'avatar_source') === 'U' ? avatars.get(key) : undefined,
        settings: settings.valid({ ...choice, ...row }),
      });
    }
  }
  // Messages of the bots of the server itself.
  for (const row of rows.of('zerver_userprofile_crossrealm')) {
    const key = keyIn(row, 'id');
    const fullName = (textIn(row, 'email') ?? '').split('@')[0]?.replaceAll('-', ' ') ?? '';
    if (key !== undefined) users.push({ key, email: null, fullName, role: Role.member, isActive: false, isBot: true });
  }
  return users;
}

const CHANNEL_RECIPIENT_TYPE = 2;
const PERSONAL_RECIPIENT_TYPE = 1;

/** Recipients of messages. */
export interface Recipients {
  /** The channel of a recipient, by its id. */
  readonly channels: ReadonlyMap<string, string>;
  /** The users of a recipient of direct messages, by its id. For two users, only the other one. */
  readonly direct: ReadonlyMap<string, readonly string[]>;
}

export function recipientsOf(rows: RowStore): Recipients {
  const channels = new Map<string, string>();
  const direct = new Map<string, string[]>();
  for (const row of rows.of('zerver_recipient')) {
    const [key, of] = [keyIn(row, 'id'), keyIn(row, 'type_id')];
    if (key === undefined || of === undefined) continue;
    const type = numberIn(row, 'type');
    if (type === CHANNEL_RECIPIENT_TYPE) channels.set(key, of);
    else direct.set(key, type === PERSONAL_RECIPIENT_TYPE ? [of] : []);
  }
  checkCount('channels and direct conversations', channels.size + direct.size, LIMITS.conversations);
  let count = 0;
  for (const row of rows.of('zerver_subscription')) {
    const [recipient, user] = [keyIn(row, 'recipient') ?? '', keyIn(row, 'user_profile')];
    const users = direct.get(recipient);
    if (users === undefined || user === undefined) continue;
    count += 1;
    checkCount('participants of direct conversations', count, LIMITS.subscriptions);
    if (!users.includes(user) || users.length > MAX_COMPARED_MEMBERS) users.push(user);
  }
  return { channels, direct };
}

/** Larger conversations have no conversation with oneself. */
const MAX_COMPARED_MEMBERS = 3;

const TOPICS_POLICIES: Readonly<Record<number, string>> = {
  1: 'inherit',
  2: 'allow_empty_topic',
  3: 'disable_empty_topic',
  4: 'empty_topic_only',
};

export function channelsOf(rows: RowStore, sets: GroupSets): readonly NeutralChannel[] {
  checkCount('channels', rows.count('zerver_stream'), LIMITS.channels);
  const defaults = new Set([...rows.of('zerver_defaultstream')].map((row) => keyIn(row, 'stream')));
  return [...rows.of('zerver_stream')].flatMap((row): readonly NeutralChannel[] => {
    const [key, name] = [keyIn(row, 'id'), textIn(row, 'name')];
    if (key === undefined || name === undefined) return [];
    return [
      {
        key,
        name: name.replace(/^!DEACTIVATED:/, ''),
        description: textIn(row, 'description') ?? '',
        isPrivate: isTrue(row, 'invite_only'),
        isWebPublic: isTrue(row, 'is_web_public'),
        isHistoryProtected: isTrue(row, 'invite_only') && row.history_public_to_subscribers === false,
        isArchived: isTrue(row, 'deactivated'),
        isDefault: defaults.has(key),
        createdAt: dateOf(row.date_created),
        creator: keyIn(row, 'creator'),
        folder: keyIn(row, 'folder'),
        retentionDays: retentionOf(row.message_retention_days),
        topicsPolicy: TOPICS_POLICIES[numberIn(row, 'topics_policy') ?? 1] ?? 'inherit',
        permissions: {
          ...policiesOf(row, OF_CHANNELS),
          ...sets.permissions(row, Object.keys(CHANNEL_PERMISSIONS)),
        },
      },
    ];
  });
}

/** Null: as the organization; -1: forever. */
function retentionOf(days: unknown): number | null {
  return typeof days === 'number' && Number.isInteger(days) && (days === -1 || (days > 0 && days < 2 ** 31))
    ? days
    : null;
}

export function foldersOf(rows: RowStore): readonly NeutralFolder[] {
  const folders = [...rows.of('zerver_channelfolder')].slice(0, MAX_FOLDERS + 1);
  checkCount('channel folders', folders.length, MAX_FOLDERS);
  return folders
    .toSorted((a, b) => (numberIn(a, 'order') ?? 0) - (numberIn(b, 'order') ?? 0))
    .flatMap((row): readonly NeutralFolder[] => {
      const [key, name] = [keyIn(row, 'id'), textIn(row, 'name')];
      if (key === undefined || name === undefined) return [];
      return [
        {
          ...{ key, name, description: textIn(row, 'description') ?? '', isArchived: isTrue(row, 'is_archived') },
          ...{ creator: keyIn(row, 'creator'), createdAt: dateOf(row.date_created) },
        },
      ];
    });
}

const MAX_FOLDERS = 10_000;

export function* subscriptionsOf(
  rows: RowStore,
  { channels }: Recipients,
  report?: ImportReport,
): Generator<NeutralSubscription> {
  for (const row of rows.of('zerver_subscription')) {
    const channel = channels.get(keyIn(row, 'recipient') ?? '');
    const user = keyIn(row, 'user_profile');
    if (channel === undefined || user === undefined) continue;
    if (row.active === false) {
      report?.skip('Ended subscriptions: these users are not subscribed');
      continue;
    }
    yield {
      ...{ user, channel, color: textIn(row, 'color'), pinToTop: isTrue(row, 'pin_to_top') },
      isMuted: isTrue(row, 'is_muted') || row.in_home_view === false,
      notifications: {
        desktop_notifications: choiceIn(row, 'desktop_notifications'),
        audible_notifications: choiceIn(row, 'audible_notifications'),
        push_notifications: choiceIn(row, 'push_notifications'),
        email_notifications: choiceIn(row, 'email_notifications'),
        wildcard_mentions_notify: choiceIn(row, 'wildcard_mentions_notify'),
      },
    };
  }
}

function choiceIn(row: Json, name: string): boolean | null {
  const value = row[name];
  return typeof value === 'boolean' ? value : null;
}

const SYSTEM_NAMES = new Set<string>(Object.values(SystemGroup));

/** Groups with names, and sets of users and groups without a name, which permissions refer to. */
export class GroupSets {
  readonly named: readonly NeutralGroup[];
  readonly system = new Map<string, SystemGroup>();
  readonly #names = new Set<string>();
  readonly #byName: ReadonlyMap<string, string>;
  readonly #members = new Map<string, string[]>();
  readonly #subgroups = new Map<string, string[]>();

  constructor(rows: RowStore, report: ImportReport) {
    const named = ['zerver_namedusergroup', 'zerver_usergroup'].flatMap((table) =>
      this.#namedRows(rows, table, report),
    );
    let count = 0;
    const add = (lists: Map<string, string[]>, group: string | undefined, member: string | undefined) => {
      // The members of system groups follow from their roles.
      if (group === undefined || member === undefined || this.system.has(group)) return;
      count += 1;
      checkCount('members of groups', count, LIMITS.groupMembers);
      const list = lists.get(group);
      if (list === undefined) lists.set(group, [member]);
      else list.push(member);
    };
    for (const row of rows.of('zerver_usergroupmembership'))
      add(this.#members, keyIn(row, 'user_group'), keyIn(row, 'user_profile'));
    for (const row of rows.of('zerver_groupgroupmembership'))
      add(this.#subgroups, keyIn(row, 'supergroup'), keyIn(row, 'subgroup'));
    this.named = named.map(({ key, row }) => this.#group(key, row));
    // Old versions have policies in place of permissions, and no rows of these groups.
    for (const name of Object.values(SystemGroup)) this.system.set(name, name);
    this.#byName = new Map(this.named.map(({ name, key }) => [name, key]));
  }

  #namedRows(
    rows: RowStore,
    table: string,
    report: ImportReport,
  ): readonly { readonly key: string; readonly row: Json }[] {
    checkCount('groups', rows.count(table), LIMITS.groups * 20);
    const found: { readonly key: string; readonly row: Json }[] = [];
    for (const row of rows.of(table)) {
      const [key, given] = [keyIn(row, 'usergroup_ptr') ?? keyIn(row, 'id'), textIn(row, 'name')];
      if (key === undefined || given === undefined || this.#names.has(key)) continue;
      this.#names.add(key);
      // The names of system groups began with @ in old versions.
      const name = isTrue(row, 'is_system_group') ? given.replace(/^@/, '') : given;
      if (SYSTEM_NAMES.has(name)) this.system.set(key, name as SystemGroup);
      else if (isTrue(row, 'is_system_group')) report.skip('System groups that this version does not know', name);
      else found.push({ key, row });
    }
    return found;
  }

  #group(key: string, row: Json): NeutralGroup {
    return {
      ...{ key, name: textIn(row, 'name') ?? '', description: textIn(row, 'description') ?? '' },
      members: this.#members.get(key) ?? [],
      subgroups: this.#subgroups.get(key) ?? [],
      creator: keyIn(row, 'creator'),
      createdAt: dateOf(row.date_created),
      isDeactivated: isTrue(row, 'deactivated'),
      permissions: this.permissions(row, Object.keys(GROUP_PERMISSIONS)),
    };
  }

  /** The permissions that the fields of a row grant. */
  permissions(row: Json, names: readonly string[]): NeutralPermissions {
    return Object.fromEntries(
      names.flatMap((name) => {
        const key = keyIn(row, name);
        return key === undefined ? [] : [[name, this.setting(key)] as const];
      }),
    );
  }

  /** The key of the group with a name. */
  keyOf(name: string): string | undefined {
    return this.#byName.get(name);
  }

  setting(key: string): NeutralGroupSetting {
    if (this.#names.has(key)) return key;
    return { users: this.#members.get(key) ?? [], groups: this.#subgroups.get(key) ?? [] };
  }
}
