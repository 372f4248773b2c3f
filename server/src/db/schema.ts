import type { Generated, GeneratedAlways, Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { ServerIdentity } from '../version.ts';
import type {
  ChannelFoldersTable,
  ChannelsTable,
  DirectConversationsTable,
  DirectParticipantsTable,
  MessageEditsTable,
  MessagesTable,
  ReactionsTable,
  SubmessagesTable,
  SubscriptionIntervalsTable,
  SubscriptionsTable,
} from './conversation-tables.ts';
import type {
  AccountLinksTable,
  AddressConfirmationsTable,
  DesktopLoginsTable,
  LoginNoticesTable,
  SessionsTable,
} from './login-tables.ts';

/** The tables, as Kysely sees them. int8 columns arrive as numbers (see pool.ts); json columns as parsed values. */
export interface Database {
  server_facts: { key: string; value: string };
  organizations: OrganizationsTable;
  logs: LogsTable;
  events: EventsTable;
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
  /** Of messages up to `indexed_messages.through`; a third column is for PostgreSQL alone. */
  message_words: { organization_id: number; message_id: number };
  counted_logs: { organization_id: number; head: number };
  indexed_messages: { organization_id: number; through: number };
  user_topics: UserTopicsTable;
  scheduled_messages: ScheduledMessagesTable;
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
  outgoing_cursors: { organization_id: number; read_through: number };
  outgoing_requests: OutgoingRequestsTable;
  push_devices: PushDevicesTable;
  client_devices: { organization_id: number; user_id: number; id: Generated<number> };
  push_cursors: { organization_id: number; read_through: number };
  push_notifications: PushNotificationsTable;
  attachments: AttachmentsTable;
  attachment_messages: { organization_id: number; attachment_id: number; message_id: number };
  attachment_scheduled_messages: AttachmentScheduledMessagesTable;
  resumable_uploads: ResumableUploadsTable;
  upload_space: { organization_id: number; bytes: number };
  storage_leftovers: { key: string; due_at: Date };
  jobs: JobsTable;
}

export interface OrganizationsTable {
  id: Generated<number>;
  subdomain: string;
  name: string;
  description: Generated<string>;
  settings: Generated<Record<string, unknown>>;
  /** `OrganizationPictures` in directory/records.ts. */
  pictures: Generated<object | null>;
  /** What new accounts begin with, as far as it was decided; see `users.own_settings`. */
  user_settings_defaults: Generated<Record<string, unknown>>;
  /** Members who joined later are no full members yet; null: all are. Whole seconds. */
  full_members_joined_through: Generated<Date | null>;
  /** In their order. */
  linkifiers: Generated<{ id: number; pattern: string; urlTemplate: string }[]>;
  last_linkifier_id: Generated<number>;
  playgrounds: Generated<{ id: number; name: string; language: string; urlTemplate: string }[]>;
  last_playground_id: Generated<number>;
  /** When `message_retention_days` in the settings was last changed. */
  retention_changed_at: Generated<Date>;
  /** Of messages up to here no direct one is left. */
  direct_expired_through: Generated<number>;
  /** The server that clients were told of last. */
  told_server: Generated<ServerIdentity | null>;
  created_at: Generated<Date>;
  deactivated_at: Date | null;
}

export interface LogsTable {
  organization_id: number;
  head: Generated<number>;
  directory_head: Generated<number>;
  message_head: Generated<number>;
  trimmed_through: Generated<number>;
  epoch: Generated<string>;
}

export interface EventsTable {
  organization_id: number;
  id: number;
  type: string;
  audience: string;
  body: string;
  facts: string | null;
  message_id: number | null;
  ephemeral: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface UsersTable {
  organization_id: number;
  id: Generated<number>;
  email: string;
  delivery_email: string;
  full_name: string;
  role: number;
  is_active: Generated<boolean>;
  is_bot: Generated<boolean>;
  bot_type: number | null;
  bot_owner_id: number | null;
  timezone: Generated<string>;
  /** By the wire's names; what is not there is as the server has it. */
  own_settings: Generated<Record<string, unknown>>;
  avatar_version: Generated<number>;
  /** Of the picture in `avatar_pictures`: a part of its address. */
  avatar_file: Generated<string | null>;
  /** `BotSettings` in directory/records.ts; of bots alone. */
  bot_settings: Generated<object | null>;
  password_hash: string | null;
  address_is_confirmed: Generated<boolean>;
  api_key_version: Generated<number>;
  /** Which of the server's own bots it is; null: none of them. */
  system_bot: Generated<string | null>;
  date_joined: Generated<Date>;
  /** These two only the operator of the server gives. */
  can_create_users: Generated<boolean>;
  can_change_user_emails: Generated<boolean>;
}

export interface ProfileFieldsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  name: string;
  type: number;
  hint: string;
  /** JSON, or empty. */
  data: string;
  position: number;
  is_required: boolean;
  is_editable_by_user: boolean;
  is_in_summary: boolean;
  /** Set: it is no more, but for values that are still to be removed. */
  deleted_at: Generated<Date | null>;
}

export interface ProfileValuesTable {
  organization_id: number;
  field_id: number;
  user_id: number;
  value: string;
  /** Of types that have markup. */
  html: string | null;
}

export interface InvitationsTable {
  organization_id: number;
  id: GeneratedAlways<number>;
  inviter_id: number;
  /** null: a link for whoever has it, good until it ends. */
  email: string | null;
  role: number;
  channel_ids: number[];
  group_ids: number[];
  with_defaults: boolean;
  tells_inviter: boolean;
  /** null: the organization's own text; '': none. */
  welcome_text: string | null;
  nonce: Buffer;
  key_hash: Buffer;
  created_at: Generated<Date>;
  /** null: never. */
  expires_at: Date | null;
  /** Every time that a mail was caused. */
  mailed_at: Generated<Date[]>;
  ended_at: Date | null;
  ending: 'used' | 'revoked' | null;
}

export interface UserGroupsTable {
  organization_id: number;
  id: Generated<number>;
  name: string;
  description: Generated<string>;
  is_system: Generated<boolean>;
  creator_id: number | null;
  created_at: Generated<Date>;
  deactivated_at: Date | null;
  permissions: Generated<Record<string, unknown>>;
}

export interface CustomEmojiTable {
  organization_id: number;
  id: Generated<number>;
  name: string;
  author_id: number;
  /** Random: the pictures' address, which nobody can guess. */
  file: string;
  /** `png`, `gif` or `webp`. */
  extension: string;
  is_animated: boolean;
  is_deactivated: Generated<boolean>;
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

export interface SavedSnippetsTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  title: string;
  content: string;
  created_at: Generated<Date>;
}

export interface MutedUsersTable {
  organization_id: number;
  user_id: number;
  muted_user_id: number;
  muted_at: Generated<Date>;
}

export interface DraftsTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  /** Null but for channels. */
  channel_id: number | null;
  /** Of a direct message: the others, ascending, or the user alone. Empty but for direct messages. */
  recipients: number[];
  /** Empty but for channels. */
  topic: string;
  content: string;
  edited_at: Date;
}

export interface NavigationViewsTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  fragment: string;
  is_pinned: boolean;
  /** Null for built-in views. */
  name: string | null;
}

export interface UserStatusesTable {
  organization_id: number;
  user_id: number;
  status_text: string;
  /** Null: no emoji. */
  emoji_kind: string | null;
  emoji_code: string;
  emoji_name: string;
}

export interface PresencesTable {
  organization_id: number;
  user_id: number;
  /** Counts what is told of the organization's users; 0: nothing is told of this one. */
  update_id: number;
  connected_at: Date | null;
  active_at: Date | null;
  /** When the user last did something, to half a day; nobody is told. */
  seen_at: Date | null;
}

export interface UserTopicsTable {
  organization_id: number;
  channel_id: number;
  /** As its user or message last spelled it. */
  topic: string;
  /** In lower case. */
  topic_key: GeneratedAlways<string>;
  user_id: number;
  /** 1 muted, 2 unmuted, 3 followed. */
  policy: number;
  updated_at: Date;
}

/** Either of a channel or of a direct conversation. */
export interface ScheduledMessagesTable {
  organization_id: number;
  /** The sender. */
  user_id: number;
  id: Generated<number>;
  channel_id: number | null;
  /** Of the direct conversation: ascending, the sender included. */
  participants: number[] | null;
  topic: string;
  content: string;
  /** As of when it was scheduled or last edited. */
  rendered_content: string;
  client: string;
  read_by_sender: boolean;
  deliver_at: Date;
  failed: Generated<boolean>;
  /** Rises with each edit. */
  revision: Generated<number>;
}

export interface RemindersTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  message_id: number;
  /** Empty without one. */
  note: string;
  /** What the user was told then: it quotes the message, unless that is deleted. */
  content: string;
  rendered_content: string;
  deliver_at: Date;
  failed: Generated<boolean>;
}

export interface OutgoingRequestsTable {
  organization_id: number;
  bot_id: number;
  message_id: number;
  /** Why the bot's service is told, in the wire's word: `mention` or `direct_message`. */
  trigger: string;
  attempts: Generated<number>;
  due_at: Generated<Date>;
}

/** Either of an encrypted registration, or of a token without one. */
export interface PushDevicesTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  /** `apns` or `fcm`. */
  kind: string;
  /** 64 bits: read as text. */
  push_account_id: string | null;
  /** An X25519 public key of 32 bytes, or a byte that names a cryptosystem and its key. */
  push_key: Buffer | null;
  /** What the push service calls it. */
  service_device_id: number | null;
  token: string | null;
  /** Its kind and a hash. */
  token_key: string | null;
  ios_app_id: string | null;
  /** `pending`, `active`, `failed` or `leaving`. */
  state: string;
  error_code: string | null;
  /** What the push service is to be told of an encrypted one; null once it knows. */
  registration: unknown;
  registered_at: Generated<Date>;
  attempts: Generated<number>;
  /** When to speak with the push service about it; null: not at all. */
  due_at: Date | null;
}

export interface PushNotificationsTable {
  organization_id: number;
  user_id: number;
  message_id: number;
  /** Why the user is told. */
  cause: string;
  /** The user group that is mentioned. */
  group_id: number | null;
  /** `due`, `shown` or `leaving`. */
  state: string;
  attempts: Generated<number>;
  /** When to send it, or its removal; null: phones show it. */
  due_at: Date | null;
  added_at: Generated<Date>;
}

export interface AttachmentsTable {
  organization_id: number;
  id: Generated<number>;
  owner_id: number;
  /** Its address below `/user_uploads/`; a part of it nobody can guess. */
  path_id: string;
  /** Where its content lies in the storage. */
  storage_key: string;
  name: string;
  content_type: string;
  size: number;
  /** `StoredPicture` (features/uploads/picture.ts); null where it is none that can be drawn. */
  picture: unknown;
  created_at: Generated<Date>;
  /** Null while a message, or a scheduled one, links to it. */
  unlinked_since: Generated<Date | null>;
}

export interface AttachmentScheduledMessagesTable {
  organization_id: number;
  attachment_id: number;
  user_id: number;
  scheduled_message_id: number;
}

export interface ResumableUploadsTable {
  organization_id: number;
  user_id: number;
  /** Under which it is stored, and its address. */
  key: string;
  /** Bytes that it is to have. */
  size: number;
  /** What the client said of it, by the protocol's names. */
  metadata: unknown;
  created_at: Generated<Date>;
  /** The request that works on it, while `held_until` is to come. */
  holder: string | null;
  held_until: Date | null;
  /** Whether another request waits for it. */
  is_awaited: Generated<boolean>;
}

export interface JobsTable {
  id: Generated<number>;
  /** null: the server's. */
  organization_id: number | null;
  kind: string;
  key: string | null;
  payload: unknown;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  added_at: Generated<Date>;
  failed_at: Date | null;
  last_error: string | null;
}

export type Db = Kysely<Database>;
export type DbTransaction = Transaction<Database>;
export type Row<Table extends keyof Database> = Selectable<Database[Table]>;
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>;
