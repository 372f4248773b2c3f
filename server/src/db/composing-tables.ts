/** The tables of what users write before they send it: a part of `schema.ts`. */
import type { Generated } from 'kysely';

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
  /** Only for a message to a channel. */
  channel_id: number | null;
  /** The other users of a direct message in ascending order, or only the user. Empty for a message to a channel. */
  recipients: number[];
  /** Empty for a direct message. */
  topic: string;
  content: string;
  edited_at: Date;
}

/** Goes either to a channel or to a direct conversation. */
export interface ScheduledMessagesTable {
  organization_id: number;
  /** The sender. */
  user_id: number;
  id: Generated<number>;
  channel_id: number | null;
  /** The users of the direct conversation in ascending order, with the sender. */
  participants: number[] | null;
  topic: string;
  content: string;
  /** Rendered when the message was scheduled or last edited. */
  rendered_content: string;
  client: string;
  read_by_sender: boolean;
  deliver_at: Date;
  failed: Generated<boolean>;
  /** Increases with each edit. */
  revision: Generated<number>;
}

export interface RemindersTable {
  organization_id: number;
  user_id: number;
  id: Generated<number>;
  message_id: number;
  /** Empty if the user gave no note. */
  note: string;
  /** The text of the reminder. It quotes the message, unless that was deleted. */
  content: string;
  rendered_content: string;
  deliver_at: Date;
  failed: Generated<boolean>;
}
