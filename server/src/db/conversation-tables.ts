/** The tables of channels, direct conversations and messages: a part of `schema.ts`. */
import type { PlainChannelSettings } from '@heddle/api/channel-settings.ts';
import type { SubscriptionSettings } from '@heddle/api/subscription-settings.ts';
import type { Generated, GeneratedAlways } from 'kysely';

/** With a column per plain setting (`api/src/channel-settings.ts`). */
export interface ChannelsTable extends PlainChannelSettings {
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
  retention_changed_at: Generated<Date>;
  first_message_id: number | null;
  is_recently_active: Generated<boolean>;
  /** When the server looks next whether a recently active channel has fallen silent. */
  activity_due_at: Generated<Date>;
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
  /** Counts from 0. */
  position: number;
}

/** With a column per setting (`api/src/subscription-settings.ts`). */
export interface SubscriptionsTable extends SubscriptionSettings {
  organization_id: number;
  user_id: number;
  channel_id: number;
  is_active: Generated<boolean>;
  since_event_id: number;
  since_message_id: number;
  read_through: number;
}

export interface SubscriptionIntervalsTable {
  organization_id: number;
  user_id: number;
  channel_id: number;
  since_event_id: number;
  until_event_id: number;
  since_message_id: number;
  until_message_id: number;
  /** The user's last read id when the subscription ended. */
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
  /** Null, like the next two, if the message was never moved between channels (`access/unread-messages.ts`). */
  home_channel_id: Generated<number | null>;
  /** The channels that it has been in: the original one first, the present one last. */
  stay_channels: Generated<number[] | null>;
  /** The position of the directory when it came into each; 0 for the original channel. */
  stay_since: Generated<number[] | null>;
  /** How often it was edited or moved. */
  edit_count: Generated<number>;
  /** When its text was last edited. */
  edited_at: Generated<Date | null>;
  /** When it was last moved. Resolving its topic does not count as a move. */
  moved_at: Generated<Date | null>;
  /** Whether `reactions` has rows for it. */
  has_reactions: Generated<boolean>;
  /** Whether `submessages` has rows for it. */
  has_submessages: Generated<boolean>;
}

/** What a message was before a change. Null: the change did not touch it. */
export interface MessageEditsTable {
  organization_id: number;
  message_id: number;
  /** Counts from 1 to the message's `edit_count`. */
  number: number;
  user_id: number;
  edited_at: Date;
  prev_content: string | null;
  prev_rendered_content: string | null;
  prev_topic: string | null;
  /** The topic after the change. `channel_id` is also the value after the change. */
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
  /** The name that the emoji had when the first user reacted with it. */
  emoji_name: string;
  /** Whether the user was not subscribed to the message's channel. */
  by_outsider: boolean;
  /** Gives the order in which reactions were added. */
  id: Generated<number>;
}

export interface SubmessagesTable {
  organization_id: number;
  message_id: number;
  /** Counts from 0 for each message. */
  place: number;
  sender_id: number;
  kind: string;
  /** JSON. */
  content: string;
}

export interface UserTopicsTable {
  organization_id: number;
  channel_id: number;
  /** In the last spelling that the user or a message gave it. */
  topic: string;
  /** In lower case. */
  topic_key: GeneratedAlways<string>;
  user_id: number;
  /** 1 muted, 2 unmuted, 3 followed. */
  policy: number;
  updated_at: Date;
}

export interface CustomEmojiTable {
  organization_id: number;
  id: Generated<number>;
  name: string;
  author_id: number;
  /** A random part of the pictures' address. */
  file: string;
  /** `png`, `gif` or `webp`. */
  extension: string;
  is_animated: boolean;
  is_deactivated: Generated<boolean>;
  created_at: Generated<Date>;
}
