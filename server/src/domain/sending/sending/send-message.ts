/** Adds a new message to what a transaction appends: its rows and its events, in one statement with all others. */

import pg from 'pg';
import type { UserBits } from '../../../db/user-bits.ts';
import type { LogEntry } from '../../../log/entry.ts';
import type { NewEvent } from '../../../log/event.ts';
import { MESSAGE_ID, type RowOf, type RowWriter } from '../../../log/rows.ts';
import { fileLinks, type MessageFiles } from '../../uploads/links.ts';
import { contacts, type Introduction } from '../../users/accessible-users/actions.ts';

/** A message that is to be sent. It has no id yet: the append statement assigns it. */
export interface NewMessage {
  /** Its row in `messages`. */
  readonly row: Omit<RowOf<typeof messages.columns>, 'id' | 'sent_at'>;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  /** Rows of `message_flags`: users and their flag bits (db/flag-bits.ts). */
  readonly flags: readonly (readonly [userId: number, bits: number])[];
  /** The mentioned users, if there are too many for flag rows; else null. */
  readonly massMention: UserBits | null;
  /** The widget that the message is sent with, as JSON. Absent: it has none. */
  readonly widget?: string;
  /** The event that announces the message. */
  readonly event: NewEvent;
  /** The event that announces the channel's first message. Null if the directory already knows a message there. */
  readonly firstInChannel: NewEvent | null;
  /**
   * The event that announces that the channel is recently active again. Null if the directory says that it still is.
   */
  readonly revivesChannel: NewEvent | null;
  /** Absent if the message links to no uploaded file. */
  readonly files?: MessageFiles;
  /** Users who become visible to guests because of this message. Absent if the directory knows of none. */
  readonly introduction?: Introduction;
}

const messageColumns = {
  id: MESSAGE_ID,
  sender_id: 'integer',
  channel_id: 'integer',
  conversation_id: 'integer',
  topic: 'text',
  content: 'text',
  rendered_content: 'text',
  mentions_channel: 'boolean',
  is_me_message: 'boolean',
  client: 'text',
  sent_at: 'timestamptz',
  has_submessages: 'boolean',
} as const satisfies RowWriter['columns'];

/**
 * A direct message goes only to the conversation of its participants. The promotion of a standby can lose a conversation, and
 * another one can then get its id, which a process still knows.
 */
const CHECKED_CONVERSATION = `
  CASE WHEN new.conversation_id IS NOT NULL THEN coalesce(
    (SELECT id FROM direct_conversations
      WHERE organization_id = $1 AND id = new.conversation_id AND fingerprint = new.fingerprint),
    heddle_refuse_conversation()) END`;

const messages = {
  table: 'messages',
  columns: {
    ...messageColumns,
    /** Of the participants (`messages/conversations/actions.ts`); empty in a channel. */
    fingerprint: 'text',
  },
  write(rows: string) {
    const names = Object.keys(messageColumns);
    const values = names.map((name) => (name === 'conversation_id' ? CHECKED_CONVERSATION : `new.${name}`));
    return `INSERT INTO messages (organization_id, ${names.join(', ')}) SELECT $1, ${values.join(', ')} FROM ${rows}`;
  },
} as const satisfies RowWriter;

/** Whether an append failed because a message has the id of a conversation of others, or of none. Then nothing has happened. */
export function isLostConversation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'HD002';
}

const messageFlags = {
  table: 'message_flags',
  columns: { user_id: 'integer', message_id: MESSAGE_ID, flags: 'smallint' },
} as const satisfies RowWriter;

const massMentions = {
  table: 'mass_mentions',
  columns: { message_id: MESSAGE_ID, first_user_id: 'integer', user_bits: 'bytea' },
} as const satisfies RowWriter;

const widgets = {
  table: 'submessages',
  columns: { message_id: MESSAGE_ID, place: 'integer', sender_id: 'integer', kind: 'text', content: 'text' },
} as const satisfies RowWriter;

/** Channels that become recently active, or get their first message. Each appears once. */
const begunChannels = {
  table: 'channels',
  columns: { channel_id: 'integer', first_message_id: MESSAGE_ID },
  write: (rows: string) => `
    UPDATE channels
       SET first_message_id = coalesce(new.first_message_id, channels.first_message_id), is_recently_active = true
      FROM ${rows} WHERE channels.organization_id = $1 AND channels.id = new.channel_id`,
} as const satisfies RowWriter;

/**
 * Adds the message to the commit, with its flags and events. All messages of an entry must be prepared with the same
 * directory. Returns the position of the message in the entry, from 1.
 * @param numbered is called with the message's id after the commit
 */
export function sendMessage(entry: LogEntry, message: NewMessage, numbered?: (messageId: number) => void): number {
  const { row, sentAt, flags, massMention, widget, files } = message;
  introduce(entry, message);
  const id = entry.addMessage(numbered);
  entry.write(messages, [{ ...row, id, sent_at: new Date(sentAt * 1000).toISOString() }]);
  entry.write(
    messageFlags,
    flags.map(([user_id, bits]) => ({ user_id, message_id: id, flags: bits })),
  );
  if (massMention !== null) {
    entry.write(massMentions, [{ message_id: id, first_user_id: massMention.first, user_bits: massMention.bits }]);
  }
  if (widget !== undefined) {
    entry.write(widgets, [{ message_id: id, place: 0, sender_id: row.sender_id, kind: 'widget', content: widget }]);
  }
  entry.append(message.event, id);
  if (files !== undefined) {
    entry.write(
      fileLinks,
      files.attachmentIds.map((attachment_id) => ({ attachment_id, message_id: id })),
    );
    for (const event of files.events) entry.append(event, id);
  }
  beginChannel(entry, message, id);
  return id;
}

/** Several messages of the entry may begin the same conversation; the first of them introduces the users. */
function introduce(entry: LogEntry, { row, introduction }: NewMessage): void {
  if (introduction === undefined) return;
  if (entry.rowsOf(messages).some((earlier) => earlier.conversation_id === row.conversation_id)) return;
  entry.write(contacts, introduction.pairs);
  for (const event of introduction.events) entry.append(event);
}

function beginChannel(entry: LogEntry, { row, firstInChannel, revivesChannel }: NewMessage, id: number): void {
  const { channel_id } = row;
  if (channel_id === null || (firstInChannel === null && revivesChannel === null)) return;
  if (entry.rowsOf(begunChannels).some((earlier) => earlier.channel_id === channel_id)) return;
  entry.write(begunChannels, [{ channel_id, first_message_id: firstInChannel === null ? null : id }]);
  if (firstInChannel !== null) entry.append(firstInChannel, id);
  if (revivesChannel !== null) entry.append(revivesChannel);
}
