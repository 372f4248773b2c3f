import { badRequest } from '@heddle/api/errors.ts';
import { MAX_PINNED_MESSAGES, MAX_PINS_IN_TOPICS } from '@heddle/api/objects/pinned-message.ts';
import { sql } from 'kysely';
import { accessChannel } from '../../access/channels.ts';
import { accessMessages, type SeenMessage } from '../../access/message-door.ts';
import { mayPin } from '../../access/pins.ts';
import type { MovedMessages } from '../../directory/change.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { pinsChanged } from './events.ts';

export type Place = 'channel' | 'topic';

interface ChannelMessage extends SeenMessage {
  readonly channelId: number;
}

/**
 * Pins a message, or moves its pin to the other place.
 * @throws ApiError `BAD_REQUEST`: the user cannot read such a message, may not pin there, or too many messages are pinned
 */
export async function pin(change: OptimisticChange, user: UserRecord, messageId: number, place: Place): Promise<void> {
  const { db, directory } = change;
  const message = await pinnable(change, user, messageId);
  const { id: organizationId } = directory.organization;
  await lockTotals(change, message.channelId);
  const { rows } = await sql<{ place: Place; in_topic: boolean; own: boolean; count: number }>`
    SELECT p.place, lower(m.topic) = lower(${message.topic}) AS in_topic,
           p.message_id = ${message.id} AS own, count(*) AS count
      FROM pinned_messages p JOIN messages m ON m.organization_id = p.organization_id AND m.id = p.message_id
     WHERE p.organization_id = ${organizationId} AND p.channel_id = ${message.channelId}
     GROUP BY 1, 2, 3`.execute(db);
  if (rows.some((row) => row.own && row.place === place)) return;
  const count = (isCounted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isCounted).reduce((sum, row) => sum + row.count, 0);
  const here = count((row) => row.place === place && (place === 'channel' || row.in_topic));
  if (here >= MAX_PINNED_MESSAGES) {
    throw badRequest(`There are ${MAX_PINNED_MESSAGES} pinned messages here already. Unpin one of them first.`);
  }
  if (place === 'topic' && count((row) => row.place === 'topic') >= MAX_PINS_IN_TOPICS) {
    throw badRequest(`The topics of this channel have ${MAX_PINS_IN_TOPICS} pinned messages already.`);
  }
  await sql`
    INSERT INTO pinned_messages (organization_id, message_id, channel_id, place, user_id)
    VALUES (${organizationId}, ${message.id}, ${message.channelId}, ${place}, ${user.id})
        ON CONFLICT (organization_id, message_id)
        DO UPDATE SET place = excluded.place, user_id = excluded.user_id, pinned_at = now()`.execute(db);
  change.append(pinsChanged(message.channelId));
}

/**
 * Unpins a message. Does nothing if it is not pinned.
 * @throws ApiError `BAD_REQUEST`: the user cannot read such a message, or may not unpin there
 */
export async function unpin(change: OptimisticChange, user: UserRecord, messageId: number): Promise<void> {
  const message = await pinnable(change, user, messageId);
  announce(change, await deletePins(change, [message.id]));
}

/** A message in a channel where the user may pin and unpin. */
async function pinnable(
  { db, directory }: OptimisticChange,
  user: UserRecord,
  messageId: number,
): Promise<ChannelMessage> {
  const [message] = await accessMessages(db, directory, user, [messageId], 'react', 'change');
  if (message === undefined || message.channelId === null) {
    throw badRequest('Only messages of channels can be pinned.');
  }
  const { channelId } = message;
  const channel = accessChannel(directory, user, channelId, 'know');
  if (!mayPin(directory, user, channel)) throw badRequest('Insufficient permission');
  return { ...message, channelId };
}

/**
 * Locks the numbers of pins in a channel until the commit, so that no two transactions count at the same time. A transaction locks the messages
 * first that it pins or moves.
 */
async function lockTotals({ db, directory }: OptimisticChange, channelId: number): Promise<void> {
  const { id } = directory.organization;
  const name = `pinned messages ${channelId}`;
  await sql`SELECT pg_advisory_xact_lock(${id}::integer, hashtext(${name}))`.execute(db);
}

/** A deleted message leaves the lists. */
export async function dropPins(change: OptimisticChange, messageIds: readonly number[]): Promise<void> {
  announce(change, await deletePins(change, messageIds));
}

/** @returns the channels where they were pinned */
async function deletePins({ db, directory }: OptimisticChange, messageIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ channel_id: number }>`
    DELETE FROM pinned_messages
     WHERE organization_id = ${directory.organization.id} AND message_id = ANY (${messageIds}::bigint[])
    RETURNING channel_id`.execute(db);
  return rows.map((row) => row.channel_id);
}

/**
 * A pin of a topic goes where its message goes. If the new topic or the topics of the new channel then have too many, the last pinned ones
 * stay. A pin of a channel ends when its message leaves the channel.
 */
export async function carryPins(change: OptimisticChange, move: MovedMessages): Promise<void> {
  const { db, directory } = change;
  const { id: organizationId } = directory.organization;
  const { messageIds, fromChannelId, toChannelId, topic } = move;
  const isSame = fromChannelId === toChannelId;
  const { rows } = await sql<{ place: Place }>`
    WITH left_behind AS (
      DELETE FROM pinned_messages
       WHERE organization_id = ${organizationId} AND message_id = ANY (${messageIds}::bigint[]) AND place = 'channel'
         AND NOT ${isSame}::boolean
      RETURNING place
    ), carried AS (
      UPDATE pinned_messages SET channel_id = ${toChannelId}
       WHERE organization_id = ${organizationId} AND message_id = ANY (${messageIds}::bigint[])
         AND (place = 'topic' OR ${isSame}::boolean)
      RETURNING place
    )
    SELECT place FROM left_behind UNION ALL SELECT place FROM carried`.execute(db);
  if (rows.length === 0) return;
  await lockTotals(change, toChannelId);
  await sql`
    DELETE FROM pinned_messages WHERE organization_id = ${organizationId} AND message_id = ANY (ARRAY(
      SELECT p.message_id FROM pinned_messages p JOIN messages m ON m.organization_id = p.organization_id AND m.id = p.message_id
       WHERE p.organization_id = ${organizationId} AND p.channel_id = ${toChannelId} AND p.place = 'topic'
         AND lower(m.topic) = lower(${topic})
       ORDER BY p.pinned_at DESC, p.message_id DESC OFFSET ${MAX_PINNED_MESSAGES}))`.execute(db);
  if (!isSame) {
    await sql`
      DELETE FROM pinned_messages WHERE organization_id = ${organizationId} AND message_id = ANY (ARRAY(
        SELECT message_id FROM pinned_messages
         WHERE organization_id = ${organizationId} AND channel_id = ${toChannelId} AND place = 'topic'
         ORDER BY pinned_at DESC, message_id DESC OFFSET ${MAX_PINS_IN_TOPICS}))`.execute(db);
  }
  announce(change, [fromChannelId, toChannelId]);
}

function announce({ append }: OptimisticChange, channelIds: readonly number[]): void {
  for (const channelId of new Set(channelIds)) append(pinsChanged(channelId));
}
