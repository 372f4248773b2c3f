import type { Generated, GeneratedAlways, Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { ServerIdentity } from '../version.ts';
import type {
  JobsTable,
  OutgoingRequestsTable,
  PushDevicesTable,
  PushNotificationsTable,
  WebPushNotificationsTable,
  WebPushSubscriptionsTable,
} from './background-tables.ts';
import type { ServerProcessesTable } from './cluster-tables.ts';
import type { DraftsTable, RemindersTable, SavedSnippetsTable, ScheduledMessagesTable } from './composing-tables.ts';
import type {
  ChannelFoldersTable,
  ChannelsTable,
  CustomEmojiTable,
  DirectConversationsTable,
  DirectParticipantsTable,
  MessageEditsTable,
  MessagesTable,
  ReactionsTable,
  SubmessagesTable,
  SubscriptionIntervalsTable,
  SubscriptionsTable,
  UserTopicsTable,
} from './conversation-tables.ts';
import type { AttachmentScheduledMessagesTable, AttachmentsTable, ResumableUploadsTable } from './file-tables.ts';
import type {
  AccountLinksTable,
  AddressConfirmationsTable,
  AttemptWindowsTable,
  DesktopLoginsTable,
  InvitationsTable,
  LoginNoticesTable,
  SessionsTable,
} from './login-tables.ts';
import type {
  MutedUsersTable,
  NavigationViewsTable,
  PresencesTable,
  ProfileFieldsTable,
  ProfileValuesTable,
  UserGroupsTable,
  UserStatusesTable,
  UsersTable,
} from './user-tables.ts';

/**
 * The tables, as Kysely sees them. `int8` columns arrive as numbers (see `pool.ts`), and JSON columns as parsed values.
 * The SQL files in `migrations/0001-initial/` say what each table is for.
 *
 * A feature adds its own tables in its own folder, by declaration merging: `declare module '../../db/schema.ts' { interface Database { … } }`.
 */
export interface Database {
  server_facts: { key: string; value: string };
  attempt_windows: AttemptWindowsTable;
  server_processes: ServerProcessesTable;
  organizations: OrganizationsTable;
  logs: LogsTable;
  events: EventsTable;
  log_cursors: { organization_id: number; consumer: string; position: number };
  users: UsersTable;
  user_groups: UserGroupsTable;
  user_group_members: { organization_id: number; group_id: number; user_id: number };
  user_group_subgroups: { organization_id: number; group_id: number; subgroup_id: number };
  channels: ChannelsTable;
  channel_folders: ChannelFoldersTable;
  subscriptions: SubscriptionsTable;
  subscription_intervals: SubscriptionIntervalsTable;
  direct_conversations: DirectConversationsTable;
  direct_participants: DirectParticipantsTable;
  acquaintances: { organization_id: number; guest_id: number; user_id: number };
  messages: MessagesTable;
  message_flags: { organization_id: number; user_id: number; message_id: number; flags: number };
  reactions: ReactionsTable;
  custom_emoji: CustomEmojiTable;
  custom_emoji_pictures: { organization_id: number; emoji_id: number; picture: Buffer; still: Buffer | null };
  avatar_pictures: { organization_id: number; user_id: number; picture: Buffer; medium: Buffer };
  organization_pictures: { organization_id: number; kind: string; picture: Buffer };
  bot_storage: { organization_id: number; user_id: number; key: string; value: string };
  mass_mentions: { organization_id: number; message_id: number; first_user_id: number; user_bits: Buffer };
  message_edits: MessageEditsTable;
  queues: QueuesTable;
  saved_snippets: SavedSnippetsTable;
  alert_words: { organization_id: number; user_id: number; words: string[] };
  onboarding_steps: { organization_id: number; user_id: number; shown: string[] };
  muted_users: MutedUsersTable;
  drafts: DraftsTable;
  profile_fields: ProfileFieldsTable;
  profile_values: ProfileValuesTable;
  navigation_views: NavigationViewsTable;
  submessages: SubmessagesTable;
  user_statuses: UserStatusesTable;
  presences: PresencesTable;
  presence_heads: { organization_id: number; last_update_id: number };
  /** Covers the messages up to `indexed_messages.through`. Only SQL uses the third column, `words`. */
  message_words: { organization_id: number; message_id: number };
  counted_logs: { organization_id: number; head: number };
  indexed_messages: { organization_id: number; through: number; old_words_through: Generated<number> };
  user_topics: UserTopicsTable;
  scheduled_messages: ScheduledMessagesTable;
  delivered_scheduled_messages: {
    organization_id: number;
    user_id: number;
    id: number;
    delivered_at: Generated<Date>;
  };
  reminders: RemindersTable;
  invitations: InvitationsTable;
  organization_domains: {
    organization_id: number;
    id: GeneratedAlways<number>;
    domain: string;
    allows_subdomains: boolean;
  };
  sessions: SessionsTable;
  account_links: AccountLinksTable;
  address_confirmations: AddressConfirmationsTable;
  desktop_logins: DesktopLoginsTable;
  login_notices: LoginNoticesTable;
  outgoing_requests: OutgoingRequestsTable;
  push_devices: PushDevicesTable;
  client_devices: { organization_id: number; user_id: number; id: Generated<number> };
  push_notifications: PushNotificationsTable;
  web_push_subscriptions: WebPushSubscriptionsTable;
  web_push_notifications: WebPushNotificationsTable;
  attachments: AttachmentsTable;
  attachment_messages: { organization_id: number; attachment_id: number; message_id: number };
  attachment_scheduled_messages: AttachmentScheduledMessagesTable;
  resumable_uploads: ResumableUploadsTable;
  upload_space: { organization_id: number; bytes: number };
  storage_leftovers: { key: string; due_at: Date };
  jobs: JobsTable;
  imports: ImportsTable;
}

export interface OrganizationsTable {
  id: Generated<number>;
  subdomain: string;
  name: string;
  description: Generated<string>;
  settings: Generated<Record<string, unknown>>;
  /** `OrganizationPictures` in `directory/records.ts`. */
  pictures: Generated<object | null>;
  /** The settings that new accounts begin with; see `users.own_settings`. */
  user_settings_defaults: Generated<Record<string, unknown>>;
  /** Members who joined after this time are not full members yet; null: all are. In whole seconds. */
  full_members_joined_through: Generated<Date | null>;
  /** In the order in which they are tried. */
  linkifiers: Generated<{ id: number; pattern: string; urlTemplate: string }[]>;
  last_linkifier_id: Generated<number>;
  playgrounds: Generated<{ id: number; name: string; language: string; urlTemplate: string }[]>;
  last_playground_id: Generated<number>;
  /** When `message_retention_days` in the settings was last changed. */
  retention_changed_at: Generated<Date>;
  /** The id up to which no direct message is left to expire. */
  direct_expired_through: Generated<number>;
  /** The server version that the server last announced to clients. */
  told_server: Generated<ServerIdentity | null>;
  /** No user gets a digest before this time. On the last day of digests, there was nothing new. */
  digest_due_at: Generated<Date>;
  created_at: Generated<Date>;
  deactivated_at: Date | null;
}

export interface ImportsTable {
  organization_id: number;
  /** Where the organization will be. */
  subdomain: string;
  /** Recognizes the archive. */
  source: string;
  /** The number of rows by table. */
  progress: Generated<Record<string, number>>;
  started_at: Generated<Date>;
}

export interface LogsTable {
  organization_id: number;
  head: Generated<number>;
  directory_head: Generated<number>;
  message_head: Generated<number>;
  trimmed_through: Generated<number>;
  epoch: Generated<string>;
  timeline: Generated<string | null>;
}

export interface EventsTable {
  organization_id: number;
  id: number;
  type: string;
  audience: string;
  body: string;
  deltas: string | null;
  message_id: number | null;
  ephemeral: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface QueuesTable {
  organization_id: number;
  id: string;
  user_id: number;
  client: string;
  settings: string;
  epoch: string | null;
  starts_after: Generated<number>;
  acknowledged_id: number;
  registered_at: Generated<Date>;
  last_fetched_at: Generated<Date>;
}

export type Db = Kysely<Database>;
export type DbTransaction = Transaction<Database>;
export type Row<Table extends keyof Database> = Selectable<Database[Table]>;
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>;
