import type { Generated, GeneratedAlways, Insertable, Kysely, Selectable, Transaction } from 'kysely';

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
  messages: MessagesTable;
  message_flags: { organization_id: number; user_id: number; message_id: number; flags: number };
  reactions: ReactionsTable;
  custom_emoji: CustomEmojiTable;
  custom_emoji_pictures: { organization_id: number; emoji_id: number; picture: Buffer; still: Buffer | null };
  mass_mentions: { organization_id: number; message_id: number; first_user_id: number; user_bits: Buffer };
  message_edits: MessageEditsTable;
  queues: QueuesTable;
  saved_snippets: SavedSnippetsTable;
  drafts: DraftsTable;
  navigation_views: NavigationViewsTable;
  submessages: SubmessagesTable;
  user_statuses: UserStatusesTable;
  presences: PresencesTable;
  presence_heads: { organization_id: number; last_update_id: number };
  user_topics: UserTopicsTable;
  scheduled_messages: ScheduledMessagesTable;
  reminders: RemindersTable;
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
  password_hash: string | null;
  api_key_version: Generated<number>;
  /** Which of the server's own bots it is; null: none of them. */
  system_bot: Generated<string | null>;
  date_joined: Generated<Date>;
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

export interface ChannelsTable {
  organization_id: number;
  id: Generated<number>;
  recipient_id: Generated<number>;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_at: Generated<Date>;
  is_private: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  is_archived: Generated<boolean>;
  is_default: Generated<boolean>;
  message_retention_days: number | null;
  retention_changed_at: Generated<Date>;
  topics_policy: string;
  folder_id: number | null;
  first_message_id: number | null;
  is_recently_active: Generated<boolean>;
  group_settings: Record<string, unknown>;
}

export interface ChannelFoldersTable {
  organization_id: number;
  id: Generated<number>;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_at: Generated<Date>;
  is_archived: Generated<boolean>;
  /** From 0. */
  position: number;
}

export interface SubscriptionsTable {
  organization_id: number;
  user_id: number;
  channel_id: number;
  is_active: Generated<boolean>;
  since_event_id: number;
  since_message_id: number;
  read_through: number;
  color: string;
  is_muted: Generated<boolean>;
  pin_to_top: Generated<boolean>;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface SubscriptionIntervalsTable {
  organization_id: number;
  user_id: number;
  channel_id: number;
  since_event_id: number;
  until_event_id: number;
  since_message_id: number;
  until_message_id: number;
  /** Up to where everything was read when the subscription ended. */
  read_through: Generated<number>;
}

export interface DirectConversationsTable {
  organization_id: number;
  id: Generated<number>;
  recipient_id: Generated<number>;
  participants: number[];
  fingerprint: string;
}

export interface DirectParticipantsTable {
  organization_id: number;
  user_id: number;
  conversation_id: number;
  read_through: Generated<number>;
}

export interface MessagesTable {
  organization_id: number;
  id: number;
  sender_id: number;
  channel_id: number | null;
  conversation_id: number | null;
  topic: string;
  content: string;
  rendered_content: string;
  mentions_channel: boolean;
  is_me_message: boolean;
  client: string;
  sent_at: Date;
  /** This and the next two: null where the message was never moved between channels (access/unread-messages.ts). */
  home_channel_id: Generated<number | null>;
  /** The channels that it has been in, its home first and the present one last. */
  stay_channels: Generated<number[] | null>;
  /** The directory's position when it came into each; 0 for its home. */
  stay_since: Generated<number[] | null>;
  /** How often it was edited or moved. */
  edit_count: Generated<number>;
  /** When its text was last edited. */
  edited_at: Generated<Date | null>;
  /** When it was last moved; resolving its topic is no move. */
  moved_at: Generated<Date | null>;
  /** Whether there are rows of `reactions` for it. */
  has_reactions: Generated<boolean>;
  /** Whether there are rows of `submessages` for it. */
  has_submessages: Generated<boolean>;
}

/** What a message was before a change; null what the change left as it was. */
export interface MessageEditsTable {
  organization_id: number;
  message_id: number;
  /** From 1 to the message's `edit_count`. */
  number: number;
  user_id: number;
  edited_at: Date;
  prev_content: string | null;
  prev_rendered_content: string | null;
  prev_topic: string | null;
  /** After the change, as `channel_id` is. */
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

export interface ReactionsTable {
  organization_id: number;
  message_id: number;
  /** `unicode`, `custom` or `extra`. */
  emoji_kind: string;
  emoji_code: string;
  user_id: number;
  /** As it was when the first user reacted with it. */
  emoji_name: string;
  /** Whether the user was not subscribed to the message's channel. */
  by_outsider: boolean;
  /** In the order in which they were added. */
  id: Generated<number>;
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

export interface SubmessagesTable {
  organization_id: number;
  message_id: number;
  /** Counted for each message from 0. */
  place: number;
  sender_id: number;
  kind: string;
  /** JSON. */
  content: string;
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
