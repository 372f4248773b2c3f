import { MAX_PINNED_MESSAGES, MAX_PINS_IN_TOPICS, type pinnedMessage } from '@heddle/api/objects/pinned-message.ts';
import { type Generated, sql } from 'kysely';
import type { Static } from 'typebox';
import { accessChannel } from '../../access/channels.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import type { Reading } from '../../directory/reading.ts';

const MAX_LISTED_PINS = MAX_PINNED_MESSAGES + MAX_PINS_IN_TOPICS;

/**
 * The pinned messages of a channel and its topics that the caller can read, the last pinned first.
 * @throws ApiError `BAD_REQUEST`: the caller cannot read such a channel
 */
export async function listPins(
  { db, directory, caller }: Reading,
  channelId: number,
): Promise<Static<typeof pinnedMessage>[]> {
  const channel = accessChannel(directory, caller, channelId, 'read');
  const { rows } = await sql<Static<typeof pinnedMessage>>`
    SELECT m.id AS message_id, m.topic, p.place, p.user_id AS pinned_by,
           extract(epoch FROM p.pinned_at)::bigint AS date_pinned
      FROM pinned_messages p JOIN messages m ON m.organization_id = p.organization_id AND m.id = p.message_id AND m.channel_id = p.channel_id
     WHERE p.organization_id = ${directory.organization.id} AND p.channel_id = ${channel.id}
       AND ${mayRead(readerOf(directory, caller))}
     ORDER BY p.pinned_at DESC, m.id DESC LIMIT ${MAX_LISTED_PINS}`.execute(db);
  return rows;
}

/** A pinned message. `channel_id` is the channel of the message. */
interface PinnedMessagesTable {
  organization_id: number;
  message_id: number;
  channel_id: number;
  place: 'channel' | 'topic';
  /** Who pinned it. */
  user_id: number;
  pinned_at: Generated<Date>;
}

declare module '../../db/schema.ts' {
  interface Database {
    pinned_messages: PinnedMessagesTable;
  }
}
