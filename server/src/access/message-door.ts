/**
 * The single entry point for messages that a request names: which of them a user may see, and what the user may do with
 * them (public reference: "Restrict message editing and deletion", "Restrict moving messages"). It also works for many
 * users at once.
 */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { FlagBit } from '../db/flag-bits.ts';
import { executePrepared } from '../db/prepared.ts';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { Directory } from '../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../directory/records.ts';
import { type ContentAccess, contentAccess, hasChannelPermission, isProtected } from './channels.ts';
import { isMentionedAmongMany } from './mass-mentions.ts';
import { hasPermission, organizationSetting } from './organization-settings.ts';
import { isMovedUnread, isUnreadWith, membershipOf, subscribedOnArrival, wasReceived } from './unread-messages.ts';

/** What a request wants to do with a message. message-moves.ts decides about moves. */
export type MessageNeed = 'read' | 'react' | 'edit-content' | 'delete';

/**
 * How the messages are locked. `look`: not at all. `change` and `delete`: until the end of the transaction, in the
 * order of ids.
 */
export type Hold = 'look' | 'change' | 'delete';

export interface AskedMessage {
  readonly user: UserRecord;
  readonly messageId: number;
}

/** A message that a user may see, with the user's state of it. */
export interface SeenMessage {
  readonly id: number;
  readonly senderId: number;
  /** Null for direct messages, which have a conversation instead. */
  readonly channelId: number | null;
  readonly conversationId: number | null;
  readonly topic: string;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  /** Whether it was ever moved between channels. */
  readonly wasMoved: boolean;
  /** The flags of the user's flag row. */
  readonly bits: number;
  /** The user's last read id in the channel or conversation; null if the user is not a member. */
  readonly lastReadId: number | null;
  readonly isUnread: boolean;
  /** Whether it mentions the user, by name or with everyone. */
  readonly isMentioned: boolean;
}

interface Row {
  place: number;
  sender_id: number;
  channel_id: number | null;
  conversation_id: number | null;
  topic: string;
  sent_at: number;
  /** The flags of the user's flag row, and the bits of `Fact`. */
  facts: number;
  read_through: number | null;
}

/**
 * Booleans about a message and its user, as bits above the flags. One column is faster than several: each column of
 * thousands of rows takes time to decode.
 */
const Fact = {
  wasMoved: 0x1_0000,
  mentionsChannel: 0x2_0000,
  mentionedAmongMany: 0x4_0000,
  /** Computed only if it matters. */
  received: 0x8_0000,
  subscribedOnArrival: 0x10_0000,
  movedUnread: 0x20_0000,
} as const;
const FLAGS_MASK = 0xffff;

/**
 * Returns the message that each item asks for, in the same order. Undefined: the message does not exist or the user may
 * not see it. One statement; indexes: the primary keys.
 */
export async function seeMessages(
  db: Db | DbTransaction,
  directory: Directory,
  asked: readonly AskedMessage[],
  hold: Hold,
): Promise<readonly (SeenMessage | undefined)[]> {
  const organizationId = directory.organization.id;
  const whose = { organizationId, userId: sql.ref('asked.user_id') };
  const places = asked.map((_, place) => place).sort((a, b) => (asked[a]?.messageId ?? 0) - (asked[b]?.messageId ?? 0));
  const inOrder = places.flatMap((place) => asked[place] ?? []);
  const lock = { look: sql``, change: sql`FOR NO KEY UPDATE`, delete: sql`FOR UPDATE` }[hold];
  // `OFFSET 0` makes the planner look each message up separately, also with wrong statistics.
  const rows = await executePrepared(
    db,
    `see messages: ${hold}`,
    sql<Row>`
    SELECT asked.place::integer, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.sent_at,
           member.read_through,
           coalesce(f.flags, 0)
             | CASE WHEN m.home_channel_id IS NULL THEN 0 ELSE ${sql.lit(Fact.wasMoved)}
                 | CASE WHEN ${subscribedOnArrival(whose)} THEN ${sql.lit(Fact.subscribedOnArrival)} ELSE 0 END
                 | CASE WHEN ${isMovedUnread(whose)} THEN ${sql.lit(Fact.movedUnread)} ELSE 0 END END
             | CASE WHEN m.mentions_channel THEN ${sql.lit(Fact.mentionsChannel)} ELSE 0 END
             | CASE WHEN ${isMentionedAmongMany(whose)} THEN ${sql.lit(Fact.mentionedAmongMany)} ELSE 0 END
             | CASE WHEN (m.mentions_channel OR m.channel_id = ANY (${protectedChannels(directory)}::integer[]))
                     AND ${wasReceived(whose)} THEN ${sql.lit(Fact.received)} ELSE 0 END AS facts
      FROM unnest(${inOrder.map(({ user }) => user.id)}::integer[], ${inOrder.map(({ messageId }) => messageId)}::bigint[],
                  ${places}::integer[]) AS asked (user_id, message_id, place)
     CROSS JOIN LATERAL (
             SELECT id, sender_id, channel_id, conversation_id, topic, extract(epoch FROM sent_at)::bigint AS sent_at,
                    mentions_channel, home_channel_id, stay_channels, stay_since
               FROM messages
              WHERE organization_id = ${organizationId} AND id = asked.message_id
             OFFSET 0 ${lock}
           ) AS m
      LEFT JOIN LATERAL ${membershipOf(whose)} AS member ON true
      LEFT JOIN LATERAL (
             SELECT flags FROM message_flags
              WHERE organization_id = ${organizationId} AND user_id = asked.user_id AND message_id = asked.message_id
             OFFSET 0
           ) AS f ON true`,
  );
  const seen: (SeenMessage | undefined)[] = new Array(asked.length).fill(undefined);
  const access = rememberedAccess(directory);
  for (const row of rows) {
    const { user, messageId } = asked[row.place] as AskedMessage;
    if (isVisible(row, user, access)) seen[row.place] = seenMessage(messageId, row);
  }
  return seen;
}

/**
 * Returns the messages, if the user may do that with all of them.
 * @throws ApiError `BAD_REQUEST`, with the same message for one that does not exist and one that is hidden from the
 * user
 */
export async function accessMessages(
  db: Db | DbTransaction,
  directory: Directory,
  user: UserRecord,
  messageIds: readonly number[],
  need: MessageNeed,
  hold: Hold,
): Promise<readonly SeenMessage[]> {
  const asked = messageIds.map((messageId) => ({ user, messageId }));
  const now = Date.now() / 1000;
  return (await seeMessages(db, directory, asked, hold)).map((message) => {
    const refusal = message === undefined ? noSuchMessage() : messageRefusal(directory, user, message, need, now);
    if (message === undefined || refusal !== undefined) throw refusal;
    return message;
  });
}

/** The error for a message that does not exist, and for one that is hidden from the user. */
export function noSuchMessage(): ApiError {
  return badRequest('Invalid message(s)');
}

/** The channels with protected history. */
export function protectedChannels(directory: Directory): number[] {
  const ids: number[] = [];
  for (const channel of directory.channels.values()) if (isProtected(channel)) ids.push(channel.id);
  return ids;
}

type AccessTo = (user: UserRecord, channelId: number) => ContentAccess;

/** Computes `contentAccess` once for each user and channel. */
function rememberedAccess(directory: Directory): AccessTo {
  const known = new Map<UserRecord, Map<number, ContentAccess>>();
  return (user, channelId) => {
    const ofUser = known.get(user) ?? new Map<number, ContentAccess>();
    known.set(user, ofUser);
    const channel = directory.channel(channelId);
    const access = ofUser.get(channelId) ?? (channel ? contentAccess(directory, user, channel) : 'none');
    ofUser.set(channelId, access);
    return access;
  };
}

function isVisible(row: Row, user: UserRecord, access: AccessTo): boolean {
  if (row.channel_id === null) return row.read_through !== null;
  const content = access(user, row.channel_id);
  return (
    content === 'all' || (content === 'received' && (row.facts & (Fact.received | Fact.subscribedOnArrival)) !== 0)
  );
}

function seenMessage(id: number, row: Row): SeenMessage {
  const { facts, read_through: lastReadId } = row;
  const bits = facts & FLAGS_MASK;
  const wasMoved = (facts & Fact.wasMoved) !== 0;
  const isReceived = row.channel_id === null || (facts & Fact.received) !== 0;
  return {
    id,
    senderId: row.sender_id,
    channelId: row.channel_id,
    conversationId: row.conversation_id,
    topic: row.topic,
    sentAt: row.sent_at,
    wasMoved,
    bits,
    lastReadId,
    isUnread: lastReadId !== null && isUnreadWith(bits, wasMoved ? (facts & Fact.movedUnread) !== 0 : id > lastReadId),
    isMentioned:
      (bits & (FlagBit.mentioned | FlagBit.topicMentioned)) !== 0 ||
      (facts & Fact.mentionedAmongMany) !== 0 ||
      ((facts & Fact.mentionsChannel) !== 0 && isReceived),
  };
}

/**
 * Returns why a user may not do that with a message that they see; undefined if they may.
 * @param now seconds since the epoch
 */
export function messageRefusal(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  need: MessageNeed,
  now: number,
): ApiError | undefined {
  if (need === 'read') return undefined;
  const channel = message.channelId === null ? undefined : directory.channel(message.channelId);
  if (channel?.isArchived) return noSuchMessage();
  switch (need) {
    case 'react':
      return undefined;
    case 'edit-content':
      return editRefusal(directory, user, message, now);
    case 'delete':
      return deleteRefusal(directory, user, channel, message, now);
  }
}

function editRefusal(directory: Directory, user: UserRecord, message: SeenMessage, now: number): ApiError | undefined {
  if (!organizationSetting(directory, 'allow_message_editing')) {
    return badRequest('Your organization has turned off message editing');
  }
  if (message.senderId !== user.id) return badRequest("You don't have permission to edit this message");
  const limit = organizationSetting(directory, 'message_content_edit_limit_seconds');
  if (isPast(message, limit, now - GRACE_SECONDS))
    return badRequest('The time limit for editing this message has passed');
  return undefined;
}

function deleteRefusal(
  directory: Directory,
  user: UserRecord,
  channel: ChannelRecord | undefined,
  message: SeenMessage,
  now: number,
): ApiError | undefined {
  const granted = (setting: 'can_delete_any_message' | 'can_delete_own_message') =>
    channel !== undefined && hasChannelPermission(directory, user, channel, setting);
  if (hasPermission(directory, user, 'can_delete_any_message_group') || granted('can_delete_any_message'))
    return undefined;
  const mayDeleteOwn =
    hasPermission(directory, user, 'can_delete_own_message_group') || granted('can_delete_own_message');
  const isOwn = message.senderId === user.id || directory.user(message.senderId)?.botOwnerId === user.id;
  if (!isOwn || !mayDeleteOwn) {
    return badRequest("You don't have permission to delete this message");
  }
  const limit = organizationSetting(directory, 'message_content_delete_limit_seconds');
  return isPast(message, limit, now) ? badRequest('The time limit for deleting this message has passed') : undefined;
}

/** Extra seconds after a time limit, because clients let users finish an edit that they began in time. */
const GRACE_SECONDS = 20;

/** @param limit in seconds; null for none */
export function isPast({ sentAt }: SeenMessage, limit: number | null, now: number): boolean {
  return limit !== null && now - sentAt > limit;
}
