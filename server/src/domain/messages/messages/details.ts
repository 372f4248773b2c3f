import { type RawBuilder, sql } from 'kysely';
import type { EditHistoryVisibility } from '../../../access/organization-settings.ts';
import type { Reader } from '../../../access/readable-messages.ts';
import { bitsOf, isMovedUnread, wasReceived } from '../../../access/unread-messages.ts';
import { READING_BITS } from '../../../db/flag-bits.ts';
import { ReadApartError, type ReadMore } from '../../../directory/reading.ts';
import { type ReactionRow, selectReactions, weighReactions } from '../reactions/queries.ts';
import { type SubmessageRow, selectSubmessages, weighSubmessages } from '../submessages/queries.ts';
import { BESIDE_MESSAGE, type EditRow, selectEdits, weighEdits } from './edits.ts';

/**
 * What only few messages of a page have, and what must be computed for messages that were moved, or that the reader did
 * not receive in their present channel.
 */
export interface MessageDetails {
  readonly edits: EditRow[] | null;
  readonly reactions: ReactionRow[] | null;
  readonly submessages: SubmessageRow[] | null;
  /** True only for a message that was moved and that its reader has not marked. */
  readonly isMovedUnread: boolean;
  /**
   * The reader's bits for `read` and `unread`, from the same snapshot as `isMovedUnread`. Marking other messages can
   * move the state of this one from one field to the other.
   */
  readonly readingBits: number;
  readonly received: boolean;
}

export const NO_DETAILS: MessageDetails = {
  edits: null,
  reactions: null,
  submessages: null,
  isMovedUnread: false,
  readingBits: 0,
  received: false,
};

interface Wanted {
  /** With the number of changes of each message; null for none. */
  readonly messages: readonly { readonly id: number; readonly edit_count: number | null }[];
  readonly visibility: EditHistoryVisibility;
  /** The bytes that the details may add to a response. */
  readonly maxBytes: number;
}

/**
 * Returns the details of the messages, by id. The statement reads former versions only for messages that were changed,
 * and reactions only for messages that have some. If the details are too large, it measures and does not read them.
 * Indexes: the primary keys.
 * @throws ReadApartError if a message was changed, moved or deleted since the page was read
 */
export async function readDetails(
  read: ReadMore,
  reader: Reader,
  wanted: Wanted,
): Promise<ReadonlyMap<number, MessageDetails> | 'too large'> {
  const rows = await read(selectDetails(reader, wanted));
  if (rows[0]?.isTooLarge) return 'too large';
  const details = new Map(rows.map((row) => [row.id, row]));
  for (const { id, edit_count: changes } of wanted.messages) {
    if (details.get(id)?.changes !== (changes ?? 0)) throw new ReadApartError(`message ${id} has changed`);
  }
  return details;
}

interface DetailsRow extends MessageDetails {
  readonly id: number;
  readonly changes: number;
  readonly isTooLarge: boolean;
}

function selectDetails(reader: Reader, { messages, visibility, maxBytes }: Wanted): RawBuilder<DetailsRow> {
  const { organizationId } = reader;
  const history = { organizationId, visibility, bounds: BESIDE_MESSAGE };
  const isShown = sql`edit_count > 0 AND ${visibility !== 'none'}::boolean`;
  const fits = sql`bytes <= ${maxBytes}`;
  return sql<DetailsRow>`
    SELECT id, edit_count AS changes, received, is_moved_unread AS "isMovedUnread", reading_bits AS "readingBits", NOT (${fits}) AS "isTooLarge",
           CASE WHEN ${isShown} AND ${fits} THEN ${selectEdits({ ...history, messageId: sql`found.id` })} END AS edits,
           CASE WHEN has_reactions AND ${fits} THEN ${selectReactions(organizationId, sql`found.id`)} END AS reactions,
           CASE WHEN has_submessages AND ${fits} THEN ${selectSubmessages(organizationId, sql`found.id`)} END AS submessages
      FROM (
    SELECT m.id, m.edit_count, m.has_reactions, m.has_submessages,
           m.channel_id IS NULL OR ${wasReceived(reader)} AS received,
           m.home_channel_id IS NOT NULL AND ${isMovedUnread(reader)} AS is_moved_unread,
           ${bitsOf(reader)} & ${sql.lit(READING_BITS)} AS reading_bits,
           sum(CASE WHEN m.has_reactions THEN ${weighReactions(organizationId, sql`m.id`)} ELSE 0 END
               + CASE WHEN m.has_submessages THEN ${weighSubmessages(organizationId, sql`m.id`)} ELSE 0 END
               + CASE WHEN ${isShown} THEN ${weighEdits({ ...history, messageId: sql`m.id` })} ELSE 0 END) OVER () AS bytes
      FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ANY (${messages.map(({ id }) => id)}::bigint[])
     ) AS found`;
}
