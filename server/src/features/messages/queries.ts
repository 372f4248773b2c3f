import { badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { isMentionedAmongMany } from '../../access/mass-mentions.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Reader } from '../../access/readable-messages.ts';
import { isUnreadAbove, wasReceived } from '../../access/unread-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import type { Directory } from '../../directory/directory.ts';
import { linksInTopic } from '../linkifiers/queries.ts';
import { type Reaction, type ReactionRow, reactionsOf, selectReactions, weighReactions } from '../reactions/queries.ts';
import { type SubmessageRow, selectSubmessages, submessagesOf, weighSubmessages } from '../submessages/queries.ts';
import { avatarOf } from '../users/queries.ts';
import { BESIDE_MESSAGE, type EditRow, editOf, type MessageEdit, selectEdits, weighEdits } from './edits.ts';
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
export type Chosen = { readonly finds: 'ids' | 'rows'; readonly query: RawBuilder<unknown> };

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
  recipient_id: number | null;
  participants: number[] | null;
  /** Null for none. */
  edit_count: number | null;
  edited_at: number | null;
  moved_at: number | null;
  edits: EditRow[] | null;
  reactions: ReactionRow[] | null;
  submessages: SubmessageRow[] | null;
}

/** What is told of a message and its reader by yes or no, above the bits of flags: to take a page's columns apart is half of what reading one costs. */
const Fact = { unread: 0x1_0000, received: 0x2_0000, mentionsChannel: 0x4_0000, isMe: 0x8_0000 } as const;
const FLAG_BITS = 0xffff;

/** Texts that one request may fetch, in bytes: serializing more would keep everybody waiting. Five thousand ordinary messages are a third of it. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The messages that are `chosen`, in ascending order: a query whose rows `fetchedMessages` reads. Whether the reader may read them is the
 * caller's concern. Indexes: the primary keys, a descent each for the message where its id alone is known, its
 * flags, a mention of many and the membership. A message of ten thousand characters can be hundreds of kilobytes of HTML: texts that are
 * too many to answer are weighed and not read. What messages were before is looked for only of those that were changed, and reactions only
 * of those that have any.
 */
export function selectMessages(
  directory: Directory,
  reader: Reader,
  chosen: Chosen,
  texts: Texts,
): RawBuilder<MessageRow> {
  const visibility = organizationSetting(directory, 'message_edit_history_visibility_policy');
  const history = { organizationId: reader.organizationId, visibility, bounds: BESIDE_MESSAGE };
  const isTold = sql`edit_count > 0 AND ${visibility !== 'none'}::boolean`;
  const bits = sql<number>`coalesce(f.flags, 0)`;
  const readThrough = sql`coalesce(s.read_through, p.read_through)`;
  const written = texts === 'as HTML' ? NOTHING : sql`m.content`;
  const rendered = texts === 'as written' ? NOTHING : sql`m.rendered_content`;
  const messages =
    chosen.finds === 'rows'
      ? sql`(${chosen.query}) AS m`
      : sql`(${chosen.query}) AS chosen (id) JOIN messages m ON m.organization_id = ${reader.organizationId} AND m.id = chosen.id`;
  return sql<MessageRow>`
    SELECT id, sender_id, channel_id, topic, client, sent_at, facts, recipient_id, participants, edit_count, edited_at, moved_at,
           CASE WHEN ${isTold} AND bytes <= ${MOST_BYTES}
                THEN ${selectEdits({ ...history, messageId: sql`found.id` })} END AS edits,
           CASE WHEN bytes <= ${MOST_BYTES} THEN written END AS content,
           CASE WHEN bytes <= ${MOST_BYTES} THEN rendered END AS rendered_content,
           CASE WHEN has_reactions AND bytes <= ${MOST_BYTES} THEN ${selectReactions(reader.organizationId, sql`found.id`)} END
             AS reactions,
           CASE WHEN has_submessages AND bytes <= ${MOST_BYTES} THEN ${selectSubmessages(reader.organizationId, sql`found.id`)} END
             AS submessages
      FROM (
    SELECT m.id, m.sender_id, m.channel_id, m.topic, m.client, m.has_reactions, m.has_submessages,
           ${written} AS written, ${rendered} AS rendered,
           sum(coalesce(octet_length(${written}), 0) + coalesce(octet_length(${rendered}), 0)
               + CASE WHEN m.has_reactions THEN ${weighReactions(reader.organizationId, sql`m.id`)} ELSE 0 END
               + CASE WHEN m.has_submessages THEN ${weighSubmessages(reader.organizationId, sql`m.id`)} ELSE 0 END
               + CASE WHEN ${isTold} THEN ${weighEdits({ ...history, messageId: sql`m.id` })} ELSE 0 END) OVER () AS bytes,
           nullif(m.edit_count, 0) AS edit_count, extract(epoch FROM m.edited_at)::bigint AS edited_at,
           extract(epoch FROM m.moved_at)::bigint AS moved_at,
           extract(epoch FROM m.sent_at)::bigint AS sent_at,
           ${bits}
             | CASE WHEN ${isMentionedAmongMany(reader)} THEN ${FlagBit.mentioned} ELSE 0 END
             | CASE WHEN ${readThrough} IS NOT NULL AND ${isUnreadAbove(reader, bits, readThrough)} THEN ${Fact.unread} ELSE 0 END
             | CASE WHEN m.conversation_id IS NOT NULL OR (m.home_channel_id IS NULL AND coalesce(s.since_message_id < m.id, false))
                           OR ${wasReceived(reader)} THEN ${Fact.received} ELSE 0 END
             | CASE WHEN m.mentions_channel THEN ${Fact.mentionsChannel} ELSE 0 END
             | CASE WHEN m.is_me_message THEN ${Fact.isMe} ELSE 0 END AS facts,
           c.recipient_id, c.participants
      FROM ${messages}
      LEFT JOIN message_flags f
        ON f.organization_id = m.organization_id AND f.user_id = ${reader.userId} AND f.message_id = m.id
      LEFT JOIN subscriptions s
        ON s.organization_id = m.organization_id AND s.user_id = ${reader.userId} AND s.channel_id = m.channel_id
       AND s.is_active
      LEFT JOIN direct_conversations c
        ON c.organization_id = m.organization_id AND c.id = m.conversation_id
      LEFT JOIN direct_participants p
        ON p.organization_id = m.organization_id AND p.user_id = ${reader.userId} AND p.conversation_id = m.conversation_id
     ) AS found
     ORDER BY id`;
}

const NOTHING = sql`NULL::text`;

/**
 * Of a row, or a join that found none.
 * @throws ApiError `BAD_REQUEST`: their texts are too many to answer
 */
export function fetchedMessages(directory: Directory, rows: readonly MessageRow[]): readonly FetchedMessage[] {
  const [first] = rows;
  if (first === undefined || first.id === null) return [];
  if (first.content === null && first.rendered_content === null) {
    throw badRequest('These messages are too large to fetch together; request fewer.');
  }
  return rows.map((row) => fetched(directory, row));
}

function fetched(directory: Directory, row: MessageRow): FetchedMessage {
  const facts: FlagFacts = {
    bits: row.facts & FLAG_BITS,
    isUnread: (row.facts & Fact.unread) !== 0,
    received: (row.facts & Fact.received) !== 0,
    mentionsChannel: (row.facts & Fact.mentionsChannel) !== 0,
  };
  return {
    id: row.id,
    content: contentOf(directory, row),
    flags: wireFlags(facts),
    reactions: reactionsOf(directory, row.reactions),
    editedAt: row.edited_at,
    movedAt: row.moved_at,
    edits: editsOf(directory, row),
  };
}

/** Who is told of moves alone knows that there were none. */
function editsOf(directory: Directory, { edit_count: count, edits }: MessageRow): readonly MessageEdit[] | null {
  if (edits !== null) return edits.map(editOf);
  const toldMoves = organizationSetting(directory, 'message_edit_history_visibility_policy') === 'moves';
  return count !== null && toldMoves ? [] : null;
}

function contentOf(directory: Directory, row: MessageRow): MessageContent {
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
    ...(row.submessages !== null && { submessages: submessagesOf(row.submessages) }),
  };
}

function linksOf(directory: Directory, topic: string): Pick<MessageContent, 'topicLinks'> {
  const links = linksInTopic(directory, topic);
  return links.length === 0 ? {} : { topicLinks: links };
}
