import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { type EditHistoryVisibility, organizationSetting } from '../../access/organization-settings.ts';
import type { Reader } from '../../access/readable-messages.ts';
import { FlagBit, READING_BITS } from '../../db/flag-bits.ts';
import { bitsHold } from '../../db/user-bits.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ReadMore } from '../../directory/organization.ts';
import { linksInTopic } from '../linkifiers/queries.ts';
import { type Reaction, reactionsOf } from '../reactions/queries.ts';
import { submessagesOf } from '../submessages/queries.ts';
import { avatarOf } from '../users/queries.ts';
import { type MessageDetails, NO_DETAILS, readDetails } from './details.ts';
import { editOf, type MessageEdit } from './edits.ts';
import { type FlagFacts, type WireFlag, wireFlags } from './flags.ts';
import type { MessageContent } from './message-body.ts';

export { type EditRow, editOf, type MessageEdit, selectEdits, WHOLE } from './edits.ts';
export { messageFor } from './seen-by-guests.ts';
export { messageForSpectators } from './seen-by-spectators.ts';

/** A message with its reader's flags. */
export interface FetchedMessage {
  readonly id: number;
  readonly content: MessageContent;
  readonly flags: readonly WireFlag[];
  /** When its text was last edited, and when it was last moved; seconds since the epoch. */
  readonly editedAt: number | null;
  readonly movedAt: number | null;
  /** Its newest changes that readers may know of, newest first; null where there is nothing to be told. */
  readonly edits: readonly MessageEdit[] | null;
  readonly reactions: readonly Reaction[];
}

/** Which messages are read: a query of their ids, in a column `id`, or of whole rows of `messages`. */
export interface Chosen {
  readonly finds: 'ids' | 'rows';
  readonly query: RawBuilder<unknown>;
  /** Whether some of them may be direct messages. */
  readonly among: 'all' | 'channel messages';
}

/** The message with this id, if there is one. */
export function messageWithId(id: number): Chosen {
  return { finds: 'ids', query: sql`SELECT ${id}::bigint`, among: 'all' };
}

/** Which of a message's two texts are read; one that is not is empty. */
export type Texts = 'as written' | 'as HTML' | 'both';

export interface MessageRow {
  id: number;
  sender_id: number;
  channel_id: number | null;
  topic: string;
  /** Null where it is not wanted; and both where the messages are too large to answer. */
  content: string | null;
  rendered_content: string | null;
  client: string;
  sent_at: number;
  /** The reader's bits, and `Fact`s. */
  facts: number;
  /** Both of direct messages only. */
  recipient_id?: number | null;
  participants?: number[] | null;
  /** Null for none. */
  edit_count: number | null;
  edited_at: number | null;
  moved_at: number | null;
}

/** What is told of a message and its reader by yes or no, above the bits of flags: to take a page's columns apart is half of what reading one costs. */
const Fact = {
  /** It is in a conversation of the reader's, or a channel to which they are subscribed. */
  isMember: 0x1_0000,
  isAboveWatermark: 0x2_0000,
  /** Whether it came while they were subscribed where it is; says nothing of one that was moved. */
  received: 0x4_0000,
  moved: 0x8_0000,
  mentionsChannel: 0x10_0000,
  isMe: 0x20_0000,
  hasReactions: 0x40_0000,
  hasSubmessages: 0x80_0000,
} as const;
const FLAG_BITS = 0xffff;

/** Texts that one request may fetch, in bytes: serializing more would keep everybody waiting. Five thousand ordinary messages are a third of it. */
const MOST_BYTES = 16 * 1024 * 1024;

const NOTHING = sql`NULL::text`;
const MOST = sql.lit(MOST_BYTES);

/** The facts that a row of `messages` has by itself. */
const ownFacts = sql`
             CASE WHEN m.home_channel_id IS NULL THEN 0 ELSE ${sql.lit(Fact.moved)} END
             | CASE WHEN m.mentions_channel THEN ${sql.lit(Fact.mentionsChannel)} ELSE 0 END
             | CASE WHEN m.is_me_message THEN ${sql.lit(Fact.isMe)} ELSE 0 END
             | CASE WHEN m.has_reactions THEN ${sql.lit(Fact.hasReactions)} ELSE 0 END
             | CASE WHEN m.has_submessages THEN ${sql.lit(Fact.hasSubmessages)} ELSE 0 END`;

/**
 * The messages that are `chosen`, in ascending order: a query whose rows `completeMessages` completes with what few messages have, which is
 * not looked for here: making a statement ready costs with all that it could do. Whether the reader may read them is the
 * caller's concern. Indexes: the primary keys. The reader's flags and mentions of many are found for all messages at once, as those of
 * one page are close together there: a descent for each message would be half of all that a page costs. They are joined in full, though
 * there are none but of these messages: such a join PostgreSQL never makes by going through one side for each row of the other, however few it
 * expects. A message of ten thousand characters can be hundreds of kilobytes of HTML: texts that are too many to answer are weighed and not read.
 */
export function selectMessages(reader: Reader, chosen: Chosen, texts: Texts): RawBuilder<MessageRow> {
  const { organizationId, userId } = reader;
  const written = texts === 'as HTML' ? NOTHING : sql`m.content`;
  const rendered = texts === 'as written' ? NOTHING : sql`m.rendered_content`;
  const messages =
    chosen.finds === 'rows'
      ? sql`(${chosen.query}) AS m`
      : sql`(${chosen.query}) AS chosen (id) JOIN messages m ON m.organization_id = ${organizationId} AND m.id = chosen.id`;
  const { shown, readThrough, joined } = chosen.among === 'all' ? withConversations(reader) : channelsAlone;
  const massMention = { first: sql`mass.first_user_id`, bits: sql`mass.user_bits` };
  const fits = sql`(SELECT bytes FROM whole) <= ${MOST}`;
  const amongThem = sql`message_id = ANY ((SELECT ids FROM whole)::bigint[])`;
  return sql<MessageRow>`
    WITH chosen_messages AS MATERIALIZED (
      SELECT m.id, m.organization_id, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.client, m.sent_at, m.edit_count, m.edited_at,
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
             | CASE WHEN ${readThrough} IS NULL THEN 0
                    WHEN m.id > ${readThrough} THEN ${sql.lit(Fact.isMember | Fact.isAboveWatermark)} ELSE ${sql.lit(Fact.isMember)} END
             | CASE WHEN m.conversation_id IS NOT NULL OR s.since_message_id < m.id THEN ${sql.lit(Fact.received)} ELSE 0 END AS facts
      FROM chosen_messages m
      FULL JOIN (SELECT message_id, flags FROM message_flags
                  WHERE organization_id = ${organizationId} AND user_id = ${userId} AND ${amongThem}) AS f
        ON f.message_id = m.id
      FULL JOIN (SELECT message_id, first_user_id, user_bits FROM mass_mentions
                  WHERE organization_id = ${organizationId} AND ${amongThem}) AS mass
        ON mass.message_id = m.id
      LEFT JOIN subscriptions s
        ON s.organization_id = m.organization_id AND s.user_id = ${userId} AND s.channel_id = m.channel_id
       AND s.is_active${joined}
     ORDER BY m.id`;
}

/** What the statement has where direct messages may be among those chosen, and where not. */
const channelsAlone = { shown: sql``, readThrough: sql`s.read_through`, joined: sql`` };

function withConversations({ userId }: Reader): typeof channelsAlone {
  return {
    shown: sql`, c.recipient_id, c.participants`,
    readThrough: sql`coalesce(s.read_through, p.read_through)`,
    joined: sql`
      LEFT JOIN direct_conversations c
        ON c.organization_id = m.organization_id AND c.id = m.conversation_id
      LEFT JOIN direct_participants p
        ON p.organization_id = m.organization_id AND p.user_id = ${userId} AND p.conversation_id = m.conversation_id`,
  };
}

/**
 * The messages of rows of `selectMessages`, or of a join that found none, with what else they have.
 * @throws ApiError `BAD_REQUEST`: their texts are too many to answer
 * @throws ReadApartError one was changed meanwhile: what is read of it may be another place's, which the reader need not know
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
    mostBytes: MOST_BYTES - rows.reduce((bytes, row) => bytes + bytesOf(row), 0),
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

/** Whether there is more to know of a message than its row tells. */
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

/** The rule of `access/unread-messages.ts`. */
function flagFacts(facts: number, details: MessageDetails): FlagFacts {
  const isMoved = (facts & Fact.moved) !== 0;
  const bits = isMoved ? (facts & FLAG_BITS & ~READING_BITS) | details.readingBits : facts & FLAG_BITS;
  const isUnmarkedUnread = isMoved ? details.isMovedUnread : (facts & Fact.isAboveWatermark) !== 0;
  const isUnread = (bits & READING_BITS) === 0 ? isUnmarkedUnread : (bits & FlagBit.unread) !== 0;
  return {
    bits,
    isUnread: (facts & Fact.isMember) !== 0 && isUnread,
    received: details.received || (!isMoved && (facts & Fact.received) !== 0),
    mentionsChannel: (facts & Fact.mentionsChannel) !== 0,
  };
}

/** Who is told of moves alone knows that there were none. */
function editsOf(
  directory: Directory,
  { edit_count: count }: MessageRow,
  { edits }: MessageDetails,
): readonly MessageEdit[] | null {
  if (edits !== null) return edits.map(editOf);
  const toldMoves = organizationSetting(directory, 'message_edit_history_visibility_policy') === 'moves';
  return count !== null && toldMoves ? [] : null;
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
