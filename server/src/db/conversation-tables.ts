/** The tables of channels, direct conversations, and what is said in them: a part of `schema.ts`. */
import type { Generated } from 'kysely';

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
