import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { type EditHistoryVisibility, organizationSetting } from '../../../access/organization-settings.ts';
import type { Reader } from '../../../access/readable-messages.ts';
import { isUnreadWith } from '../../../access/unread-messages.ts';
import { FlagBit, READING_BITS } from '../../../db/flag-bits.ts';
import { bitsHold } from '../../../db/user-bits.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ReadMore } from '../../../directory/reading.ts';
import { linksInTopic } from '../../texts/linkifiers/queries.ts';
import { avatarOf } from '../../users/users/avatars.ts';
import { reactionsOf } from '../reactions/queries.ts';
import { submessagesOf } from '../submessages/queries.ts';
import { type MessageDetails, NO_DETAILS, readDetails } from './details.ts';
import { editOf, type MessageEdit } from './edits.ts';
import type { FetchedMessage } from './fetched-message.ts';
import { type FlagFacts, wireFlags } from './flags.ts';
import type { MessageContent } from './message-body.ts';

/** Which messages to read: a query of their ids, in a column `id`, or of whole rows of `messages`. */
export interface Chosen {
  readonly finds: 'ids' | 'rows';
  readonly query: RawBuilder<unknown>;
  /** `all` if direct messages can be among them. */
  readonly among: 'all' | 'channel messages';
}

/** The message with this id, if it exists. */
export function messageWithId(id: number): Chosen {
  return { finds: 'ids', query: sql`SELECT ${id}::bigint`, among: 'all' };
}

/** Which of a message's two texts to read. The other one is empty. */
export type Texts = 'as written' | 'as HTML' | 'both';

export interface MessageRow {
  id: number;
  sender_id: number;
  channel_id: number | null;
  topic: string;
  /** Null if it was not requested. Both are null if the messages are too large for one response. */
  content: string | null;
  rendered_content: string | null;
  client: string;
  sent_at: number;
  /** The bits of the reader's flags, and the bits of `Fact`. */
  facts: number;
  /** Both only for direct messages. */
  recipient_id?: number | null;
  participants?: number[] | null;
  /** Null for none. */
  edit_count: number | null;
  edited_at: number | null;
  moved_at: number | null;
}

/**
 * The yes-or-no facts about a message and its reader, as bits above those of the flags. One integer instead of many
 * columns, because parsing the columns is half of the cost of reading a page.
 */
const Fact = {
  /** It is in a conversation of the reader, or in a channel to which the reader is subscribed. */
  isMember: 0x1_0000,
  isAboveWatermark: 0x2_0000,
  /**
   * Whether it was sent while the reader was subscribed to its channel. Without meaning for a message that was moved.
   */
  received: 0x4_0000,
  moved: 0x8_0000,
  mentionsChannel: 0x10_0000,
  isMe: 0x20_0000,
  hasReactions: 0x40_0000,
  hasSubmessages: 0x80_0000,
} as const;
const FLAGS_MASK = 0xffff;

/**
 * Bytes of texts per request. Serializing more would block the process for all others. Five thousand ordinary messages
 * are a third of it.
 */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const NOTHING = sql`NULL::text`;
const MAX_TEXT_BYTES_SQL = sql.lit(MAX_TEXT_BYTES);

/** The facts that need no other table than `messages`. */
const ownFacts = sql`
             CASE WHEN m.home_channel_id IS NULL THEN 0 ELSE ${sql.lit(Fact.moved)} END
             | CASE WHEN m.mentions_channel THEN ${sql.lit(Fact.mentionsChannel)} ELSE 0 END
             | CASE WHEN m.is_me_message THEN ${sql.lit(Fact.isMe)} ELSE 0 END
             | CASE WHEN m.has_reactions THEN ${sql.lit(Fact.hasReactions)} ELSE 0 END
             | CASE WHEN m.has_submessages THEN ${sql.lit(Fact.hasSubmessages)} ELSE 0 END`;

/**
 * Selects the messages that are `chosen`, in ascending order. The caller decides whether the reader can read them.
 * `completeMessages` adds what only few messages have: a larger statement would take longer to plan for every page.
 * Indexes: the primary keys.
 *
 * One lookup fetches the reader's flags and mass mentions for all messages, because the rows of one page are close
 * together. A lookup per message would be half of the cost of a page. The joins are `FULL JOIN`, although every row
 * matches a message: PostgreSQL never runs these as nested loops, however few rows it expects.
 *
 * A message of ten thousand characters can be hundreds of kilobytes of HTML. So the statement measures the texts first,
 * and does not read them if they are too large.
 */
export function selectMessages(reader: Reader, chosen: Chosen, texts: Texts): RawBuilder<MessageRow> {
  const { organizationId, userId } = reader;
  const written = texts === 'as HTML' ? NOTHING : sql`m.content`;
  const rendered = texts === 'as written' ? NOTHING : sql`m.rendered_content`;
  const messages =
    chosen.finds === 'rows'
      ? sql`(${chosen.query}) AS m`
      : sql`(${chosen.query}) AS chosen (id) JOIN messages m ON m.organization_id = ${organizationId} AND m.id = chosen.id`;
  const { shown, lastReadId, joined } = chosen.among === 'all' ? withConversations(reader) : channelsAlone;
  const massMention = { first: sql`mass.first_user_id`, bits: sql`mass.user_bits` };
  const fits = sql`(SELECT bytes FROM whole) <= ${MAX_TEXT_BYTES_SQL}`;
  const amongThem = sql`message_id = ANY ((SELECT ids FROM whole)::bigint[])`;
  return sql<MessageRow>`
    WITH chosen_messages AS MATERIALIZED (
      SELECT m.id, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.client, m.sent_at, m.edit_count, m.edited_at,
             m.moved_at, ${ownFacts} AS facts, ${written} AS written, ${rendered} AS rendered
        FROM ${messages}
    ), whole AS MATERIALIZED (
      SELECT array_agg(id) AS ids, sum(coalesce(octet_length(written), 0) + coalesce(octet_length(rendered), 0)) AS bytes FROM chosen_messages
    )
    SELECT m.id, m.sender_id, m.channel_id, m.topic, m.client, extract(epoch FROM m.sent_at)::bigint AS sent_at,
           nullif(m.edit_count, 0) AS edit_count, extract(epoch FROM m.edited_at)::bigint AS edited_at,
           extract(epoch FROM m.moved_at)::bigint AS moved_at${shown},
           CASE WHEN ${fits} THEN written END AS content, CASE WHEN ${fits} THEN rendered END AS rendered_content,
           m.facts | coalesce(f.flags, 0)
             | CASE WHEN ${bitsHold(massMention, userId)} THEN ${sql.lit(FlagBit.mentioned)} ELSE 0 END
             | CASE WHEN ${lastReadId} IS NULL THEN 0
                    WHEN m.id > ${lastReadId} THEN ${sql.lit(Fact.isMember | Fact.isAboveWatermark)} ELSE ${sql.lit(Fact.isMember)} END
             | CASE WHEN m.conversation_id IS NOT NULL OR s.since_message_id < m.id THEN ${sql.lit(Fact.received)} ELSE 0 END AS facts
      FROM chosen_messages m
      FULL JOIN (SELECT message_id, flags FROM message_flags
                  WHERE organization_id = ${organizationId} AND user_id = ${userId} AND ${amongThem}) AS f
        ON f.message_id = m.id
      FULL JOIN (SELECT message_id, first_user_id, user_bits FROM mass_mentions
                  WHERE organization_id = ${organizationId} AND ${amongThem}) AS mass
        ON mass.message_id = m.id
      LEFT JOIN LATERAL (SELECT read_through, since_message_id FROM subscriptions
                          WHERE organization_id = ${organizationId} AND user_id = ${userId} AND channel_id = m.channel_id
                            AND is_active OFFSET 0) AS s ON true${joined}
     ORDER BY m.id`;
}

/** The parts of the statement that depend on whether direct messages can be among those chosen. */
const channelsAlone = { shown: sql``, lastReadId: sql`s.read_through`, joined: sql`` };

function withConversations({ organizationId, userId }: Reader): typeof channelsAlone {
  return {
    shown: sql`, c.recipient_id, c.participants`,
    lastReadId: sql`coalesce(s.read_through, p.read_through)`,
    joined: sql`
      LEFT JOIN LATERAL (SELECT recipient_id, participants FROM direct_conversations
                          WHERE organization_id = ${organizationId} AND id = m.conversation_id OFFSET 0) AS c ON true
      LEFT JOIN LATERAL (SELECT read_through FROM direct_participants
                          WHERE organization_id = ${organizationId} AND user_id = ${userId}
                            AND conversation_id = m.conversation_id OFFSET 0) AS p ON true`,
  };
}

/**
 * Converts rows of `selectMessages` into messages and adds their details. A row of a join that found no message is
 * ignored.
 * @throws ApiError `BAD_REQUEST`: the texts are too large for one response
 * @throws ReadApartError a message was changed since. Its details may belong to another channel that the reader cannot
 * access.
 */
export async function completeMessages(
  read: ReadMore,
  directory: Directory,
  reader: Reader,
  rows: readonly MessageRow[],
): Promise<readonly FetchedMessage[]> {
  const [first] = rows;
  if (first === undefined || first.id === null) return [];
  if (first.content === null && first.rendered_content === null) throw tooLarge();
  const visibility = organizationSetting(directory, 'message_edit_history_visibility_policy');
  const withDetails = rows.filter((row) => hasDetails(row, visibility));
  if (withDetails.length === 0) return rows.map((row) => fetched(directory, row, NO_DETAILS));
  const details = await readDetails(read, reader, {
    messages: withDetails,
    visibility,
    maxBytes: MAX_TEXT_BYTES - rows.reduce((bytes, row) => bytes + bytesOf(row), 0),
  });
  if (details === 'too large') throw tooLarge();
  return rows.map((row) => fetched(directory, row, details.get(row.id) ?? NO_DETAILS));
}

function tooLarge(): ApiError {
  return badRequest('These messages are too large to fetch together; request fewer.');
}

function bytesOf({ content, rendered_content: html }: MessageRow): number {
  return Buffer.byteLength(content ?? '') + Buffer.byteLength(html ?? '');
}

/** Whether a message needs more than its row. */
function hasDetails({ facts, edit_count: edits }: MessageRow, visibility: EditHistoryVisibility): boolean {
  const isPlain = (facts & (Fact.received | Fact.moved | Fact.hasReactions | Fact.hasSubmessages)) === Fact.received;
  return !isPlain || (edits !== null && visibility !== 'none');
}

function fetched(directory: Directory, row: MessageRow, details: MessageDetails): FetchedMessage {
  return {
    id: row.id,
    content: contentOf(directory, row, details),
    flags: wireFlags(flagFacts(row.facts, details)),
    reactions: reactionsOf(directory, details.reactions),
    editedAt: row.edited_at,
    movedAt: row.moved_at,
    edits: editsOf(directory, row, details),
  };
}

function flagFacts(facts: number, details: MessageDetails): FlagFacts {
  const isMoved = (facts & Fact.moved) !== 0;
  const bits = isMoved ? (facts & FLAGS_MASK & ~READING_BITS) | details.readingBits : facts & FLAGS_MASK;
  const isUnmarkedUnread = isMoved ? details.isMovedUnread : (facts & Fact.isAboveWatermark) !== 0;
  return {
    bits,
    isUnread: (facts & Fact.isMember) !== 0 && isUnreadWith(bits, isUnmarkedUnread),
    received: details.received || (!isMoved && (facts & Fact.received) !== 0),
    mentionsChannel: (facts & Fact.mentionsChannel) !== 0,
  };
}

/** If users see only moves, an empty list means that a changed message never moved. */
function editsOf(
  directory: Directory,
  { edit_count: count }: MessageRow,
  { edits }: MessageDetails,
): readonly MessageEdit[] | null {
  if (edits !== null) return edits.map(editOf);
  const showsMovesOnly = organizationSetting(directory, 'message_edit_history_visibility_policy') === 'moves';
  return count !== null && showsMovesOnly ? [] : null;
}

function contentOf(directory: Directory, row: MessageRow, { submessages }: MessageDetails): MessageContent {
  const sender = directory.correspondent(row.sender_id);
  if (sender === undefined) throw new Error(`message ${row.id} has an unknown sender`);
  const channel = row.channel_id === null ? null : (directory.channel(row.channel_id) ?? null);
  return {
    sender: { id: sender.id, email: sender.email, fullName: sender.fullName, avatar: avatarOf(directory, sender) },
    subdomain: directory.organization.subdomain,
    recipientId: row.recipient_id ?? channel?.recipientId ?? 0,
    channel: channel && { id: channel.id, name: channel.name },
    participants: (row.participants ?? []).flatMap((id) => {
      const user = directory.correspondent(id);
      return user === undefined ? [] : { id, email: user.email, fullName: user.fullName };
    }),
    topic: row.topic,
    ...(channel !== null && linksOf(directory, row.topic)),
    content: row.content ?? '',
    renderedContent: row.rendered_content ?? '',
    sentAt: row.sent_at,
    client: row.client,
    isMeMessage: (row.facts & Fact.isMe) !== 0,
    ...(submessages !== null && { submessages: submessagesOf(submessages) }),
  };
}

function linksOf(directory: Directory, topic: string): Pick<MessageContent, 'topicLinks'> {
  const links = linksInTopic(directory, topic);
  return links.length === 0 ? {} : { topicLinks: links };
}
