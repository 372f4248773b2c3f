import { type RawBuilder, sql } from 'kysely';
import type { EditHistoryVisibility } from '../../../access/organization-settings.ts';

/** One change of a message, with the former values of what it changed. */
export interface MessageEdit {
  /** Counts the message's changes from 1. */
  readonly number: number;
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Before the change. */
  readonly content: { readonly text: string; readonly html: string } | null;
  readonly topic: { readonly before: string; readonly after: string } | null;
  readonly channel: { readonly before: number; readonly after: number } | null;
}

/** How much of a message's history is read: a maximum of changes, from the newest on, and of bytes of their texts. */
export interface EditBounds {
  readonly changes: number;
  readonly bytes: number;
}

/**
 * The history beside the message itself. Clients can request the rest. Long histories must not make a page of messages
 * fail.
 */
export const BESIDE_MESSAGE: EditBounds = { changes: 20, bytes: 64 * 1024 };

/** The response to a request for the history of one message. A move deletes older entries that contain no text. */
export const WHOLE: EditBounds = { changes: 100, bytes: 1024 * 1024 };

/** In the form that `selectEdits` reads. */
export type EditRow = [
  number: number,
  userId: number,
  at: number,
  text: string | null,
  html: string | null,
  topicBefore: string | null,
  topicAfter: string | null,
  channelBefore: number | null,
  channelAfter: number | null,
];

interface OfMessage {
  readonly organizationId: number;
  readonly messageId: RawBuilder<unknown>;
  readonly visibility: EditHistoryVisibility;
  readonly bounds: EditBounds;
}

/** The changes of a message that its readers can see, newest first, as JSON; null for none. Index: the primary key. */
export function selectEdits(of: OfMessage): RawBuilder<EditRow[] | null> {
  return sql`(
    SELECT json_agg(json_build_array(number, user_id, extract(epoch FROM edited_at)::bigint, text, html, prev_topic, topic,
                                     prev_channel_id, channel_id) ORDER BY number DESC)
      FROM ${newest(of)} AS edit
  )`;
}

/** The bytes of these texts. The statement measures the texts and does not read them. */
export function weighEdits(of: OfMessage): RawBuilder<number> {
  return sql`(SELECT coalesce(sum(bytes), 0) FROM ${newest(of)} AS edit)`;
}

function newest({ organizationId, messageId, visibility, bounds }: OfMessage): RawBuilder<unknown> {
  const withTexts = visibility === 'all';
  return sql`(
    SELECT * FROM (
      SELECT *, sum(bytes) OVER (ORDER BY number DESC) AS bytes_through FROM (
        SELECT number, user_id, edited_at, prev_topic, topic, prev_channel_id, channel_id,
               CASE WHEN ${withTexts}::boolean THEN prev_content END AS text,
               CASE WHEN ${withTexts}::boolean THEN prev_rendered_content END AS html,
               CASE WHEN ${withTexts}::boolean AND prev_content IS NOT NULL
                    THEN octet_length(prev_content) + octet_length(prev_rendered_content) ELSE 0 END AS bytes
          FROM message_edits
         WHERE organization_id = ${organizationId} AND message_id = ${messageId}
           AND (${withTexts}::boolean OR prev_topic IS NOT NULL OR prev_channel_id IS NOT NULL)
         ORDER BY number DESC LIMIT ${bounds.changes}
      ) AS one
    ) AS known
     WHERE bytes_through <= ${bounds.bytes}
  )`;
}

export function editOf(row: EditRow): MessageEdit {
  const [number, userId, at, text, html, topicBefore, topicAfter, channelBefore, channelAfter] = row;
  return {
    number,
    userId,
    at,
    content: text === null || html === null ? null : { text, html },
    topic: topicBefore === null || topicAfter === null ? null : { before: topicBefore, after: topicAfter },
    channel: channelBefore === null || channelAfter === null ? null : { before: channelBefore, after: channelAfter },
  };
}
