import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../db/schema.ts';
import { SNAPSHOT_TIMEOUTS } from '../db/timeouts.ts';
import { allow } from '../db/transaction.ts';
import { plainFields } from './channel-settings.ts';
import type { Directory } from './directory.ts';
import { MutableDirectory } from './mutable-directory.ts';
import type { AnyPart } from './part.ts';
import {
  type BotSettings,
  type ChannelGroupSettings,
  type ChannelRecord,
  type GroupPermissions,
  type GroupRecord,
  NO_MEMBERS_ROLE,
  type OrganizationPictures,
  type OrganizationRecord,
  type SystemBot,
  type UserRecord,
} from './records.ts';
import type { ServerRules } from './server-rules.ts';
import type { StateDelta } from './state-deltas.ts';
import { heldSettings } from './user-settings.ts';

const PAGE_SIZE_ROWS = 50_000;

/**
 * Loads the organization's directory with the parts of features from one snapshot, as of the log's head in that snapshot. Reads every user,
 * channel, group and active subscription of the organization. With a million subscriptions this takes seconds, hence the timeouts of `SNAPSHOT_TIMEOUTS`.
 */
export async function loadDirectory(
  db: Db,
  organizationId: number,
  parts: readonly AnyPart[],
  server?: ServerRules,
): Promise<MutableDirectory | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await allow(snapshot, SNAPSHOT_TIMEOUTS);
      return loadIfPresent(snapshot, organizationId, parts, server);
    });
}

/** The same from the caller's open snapshot. */
export async function loadDirectoryFrom(
  snapshot: DbTransaction,
  organizationId: number,
  parts: readonly AnyPart[],
): Promise<Directory> {
  const directory = await loadIfPresent(snapshot, organizationId, parts);
  if (directory === undefined) throw new Error(`there is no organization ${organizationId}`);
  return directory;
}

async function loadIfPresent(
  snapshot: DbTransaction,
  organizationId: number,
  parts: readonly AnyPart[],
  server?: ServerRules,
): Promise<MutableDirectory | undefined> {
  const organization = await snapshot
    .selectFrom('organizations')
    .innerJoin('logs', 'logs.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select(['logs.head', 'logs.directory_head', 'logs.trimmed_through'])
    .where('organizations.id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined) return undefined;
  const directory = new MutableDirectory(
    organizationRecord(organization),
    organization.head,
    organization.directory_head,
    server,
    parts,
  );
  await loadUsers(snapshot, directory);
  await loadChannels(snapshot, directory);
  await loadGroups(snapshot, directory);
  for (const part of parts) await part.load(directory.indexOf(part), snapshot, organizationId);
  await loadSubscriptions(snapshot, directory);
  await loadEndedSubscriptions(snapshot, directory, organization.trimmed_through);
  await loadContacts(snapshot, directory);
  await loadAccessHistory(snapshot, directory, organization.trimmed_through);
  return directory;
}

async function loadUsers(snapshot: DbTransaction, directory: MutableDirectory): Promise<void> {
  const rows = await snapshot
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('organization_id', '=', directory.organization.id)
    .orderBy('id')
    .execute();
  for (const row of rows) directory.putUser(userRecord(row));
}

async function loadChannels(snapshot: DbTransaction, directory: MutableDirectory): Promise<void> {
  const rows = await snapshot
    .selectFrom('channels')
    .selectAll()
    .where('organization_id', '=', directory.organization.id)
    .orderBy('id')
    .execute();
  for (const row of rows) directory.putChannel(channelRecord(row));
}

async function loadGroups(snapshot: DbTransaction, directory: MutableDirectory): Promise<void> {
  const organizationId = directory.organization.id;
  const rows = await snapshot
    .selectFrom('user_groups')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  for (const row of rows) directory.groups.put(groupRecord(row));
  const members = await snapshot
    .selectFrom('user_group_members')
    .select(['group_id', 'user_id'])
    .where('organization_id', '=', organizationId)
    .orderBy('group_id')
    .orderBy('user_id')
    .execute();
  // Members first, then subgroups. Otherwise the full membership would be computed twice.
  for (const [groupId, rows] of Map.groupBy(members, (row) => row.group_id)) {
    directory.groups.addMembers(
      groupId,
      rows.map((row) => row.user_id),
    );
  }
  const nested = await snapshot
    .selectFrom('user_group_subgroups')
    .select(['group_id', 'subgroup_id'])
    .where('organization_id', '=', organizationId)
    .orderBy('group_id')
    .orderBy('subgroup_id')
    .execute();
  for (const [groupId, rows] of Map.groupBy(nested, (row) => row.group_id)) {
    directory.groups.addSubgroups(
      groupId,
      rows.map((row) => row.subgroup_id),
    );
  }
}

/** Reads in pages along the primary key, so that a million rows are not in memory twice. */
async function loadSubscriptions(snapshot: DbTransaction, directory: MutableDirectory): Promise<void> {
  let after = { user_id: 0, channel_id: 0 };
  for (;;) {
    const { rows } = await sql<{ user_id: number; channel_id: number; since_event_id: number }>`
      SELECT user_id, channel_id, since_event_id
        FROM subscriptions
       WHERE organization_id = ${directory.organization.id} AND is_active
         AND (user_id, channel_id) > (${after.user_id}, ${after.channel_id})
       ORDER BY user_id, channel_id
       LIMIT ${PAGE_SIZE_ROWS}`.execute(snapshot);
    for (const row of rows) directory.subscriptions.add(row.channel_id, row.user_id, row.since_event_id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE_ROWS) return;
    after = last;
  }
}

async function loadEndedSubscriptions(
  snapshot: DbTransaction,
  directory: MutableDirectory,
  after: number,
): Promise<void> {
  const rows = await snapshot
    .selectFrom('subscription_intervals')
    .select(['channel_id', 'user_id', 'since_event_id', 'until_event_id'])
    .where('organization_id', '=', directory.organization.id)
    .where('until_event_id', '>', after)
    .execute();
  for (const row of rows) {
    const ended = { userId: row.user_id, since: row.since_event_id, until: row.until_event_id };
    directory.subscriptions.addEnded(row.channel_id, ended);
  }
}

/** The access starts at event 0 unless the log says when it began. Index: the primary key. */
async function loadContacts(snapshot: DbTransaction, directory: MutableDirectory): Promise<void> {
  if (!directory.hidesPeople) return;
  const rows = await snapshot
    .selectFrom('acquaintances')
    .select(['guest_id', 'user_id'])
    .where('organization_id', '=', directory.organization.id)
    .orderBy('guest_id')
    .execute();
  for (const row of rows) directory.contacts.add(row.guest_id, [row.user_id], 0);
}

/**
 * Replays the deltas with a previous value, a change of a group's members, a new acquaintance or a queue reset. Index:
 * events_with_deltas.
 */
async function loadAccessHistory(snapshot: DbTransaction, directory: MutableDirectory, after: number): Promise<void> {
  // The patterns cannot match user text, because JSON escapes its quotes.
  const { rows } = await sql<{ id: number; deltas: string }>`
    SELECT id, deltas
      FROM events
     WHERE organization_id = ${directory.organization.id} AND id > ${after} AND deltas IS NOT NULL
       AND (deltas LIKE '%"was":%' OR deltas LIKE '%"delta":"group-%' OR deltas LIKE '%"delta":"acquainted"%'
            OR deltas LIKE '%"delta":"queues_reset"%')
     ORDER BY id`.execute(snapshot);
  for (const row of rows) {
    for (const delta of JSON.parse(row.deltas) as StateDelta[]) {
      if (delta.delta === 'acquainted') directory.contacts.date(delta.userId, delta.others, row.id);
      else directory.history.note(delta, row.id);
    }
  }
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

function organizationRecord(row: Row<'organizations'>): OrganizationRecord {
  return {
    id: row.id,
    subdomain: row.subdomain,
    name: row.name,
    description: row.description,
    settings: row.settings,
    ...(row.pictures !== null && { pictures: row.pictures as OrganizationPictures }),
    ...(Object.keys(row.user_settings_defaults).length > 0 && { userSettingsDefaults: row.user_settings_defaults }),
    ...(row.full_members_joined_through !== null && {
      fullMembersJoinedThrough: seconds(row.full_members_joined_through),
    }),
    ...(row.last_linkifier_id > 0 && { linkifiers: row.linkifiers }),
    ...(row.last_playground_id > 0 && { playgrounds: row.playgrounds }),
    createdAt: seconds(row.created_at),
    isDeactivated: row.deactivated_at !== null,
  };
}

/** The columns of a user record: all except those that only login needs. */
const USER_COLUMNS = [
  'id',
  'email',
  'delivery_email',
  'full_name',
  'role',
  'is_active',
  'is_bot',
  'bot_type',
  'bot_owner_id',
  'timezone',
  'own_settings',
  'avatar_version',
  'avatar_file',
  'bot_settings',
  'api_key_version',
  'date_joined',
  'system_bot',
] as const;

export function userRecord(row: Pick<Row<'users'>, (typeof USER_COLUMNS)[number]>): UserRecord {
  const settings = heldSettings(row.own_settings);
  return {
    id: row.id,
    email: row.email,
    // Share one string where the two are equal, as they usually are.
    deliveryEmail: row.delivery_email === row.email ? row.email : row.delivery_email,
    fullName: row.full_name,
    role: row.system_bot === null ? row.role : NO_MEMBERS_ROLE,
    isActive: row.is_active,
    isBot: row.is_bot,
    botType: row.bot_type,
    botOwnerId: row.bot_owner_id,
    timezone: row.timezone,
    avatarVersion: row.avatar_version,
    ...(row.avatar_file !== null && { avatarFile: row.avatar_file }),
    apiKeyVersion: row.api_key_version,
    joinedAt: seconds(row.date_joined),
    ...(row.bot_settings !== null && { bot: row.bot_settings as BotSettings }),
    ...(settings !== undefined && { settings }),
    ...(row.system_bot !== null && { systemBot: row.system_bot as SystemBot }),
  };
}

export function channelRecord(row: Row<'channels'>): ChannelRecord {
  return {
    id: row.id,
    recipientId: row.recipient_id,
    name: row.name,
    description: row.description,
    renderedDescription: row.rendered_description,
    creatorId: row.creator_id,
    createdAt: seconds(row.created_at),
    isPrivate: row.is_private,
    isWebPublic: row.is_web_public,
    historyPublicToSubscribers: row.history_public_to_subscribers,
    isArchived: row.is_archived,
    isDefault: row.is_default,
    ...plainFields(row),
    firstMessageId: row.first_message_id,
    isRecentlyActive: row.is_recently_active,
    groupSettings: row.group_settings as ChannelGroupSettings,
  };
}

export function groupRecord(row: Row<'user_groups'>): GroupRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isSystem: row.is_system,
    creatorId: row.creator_id,
    createdAt: seconds(row.created_at),
    isDeactivated: row.deactivated_at !== null,
    permissions: row.permissions as GroupPermissions,
  };
}
