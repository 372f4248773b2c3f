import { type RawBuilder, sql } from 'kysely';

/** A submessage that a user attached to a message. */
export interface Submessage {
  /** The number of the submessage within its message. The message's own widget has the number 0. */
  readonly place: number;
  readonly senderId: number;
  /** Usually `widget`. */
  readonly kind: string;
  /** JSON. */
  readonly content: string;
}

export type SubmessageRow = readonly [place: number, senderId: number, kind: string, content: string];

/** The approximate size of a submessage in a response besides its content, in bytes. */
const SUBMESSAGE_OVERHEAD_BYTES = 120;

/** A message's submessages in order, as one value. Index: the primary key. */
export function selectSubmessages(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT json_agg(json_build_array(place, sender_id, kind, content) ORDER BY place) FROM submessages
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

/** Their size in a response, in bytes. Index: the primary key. */
export function weighSubmessages(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT coalesce(sum(${SUBMESSAGE_OVERHEAD_BYTES} + octet_length(content)), 0) FROM submessages
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

export function submessagesOf(rows: readonly SubmessageRow[] | null): readonly Submessage[] {
  return (rows ?? []).map(([place, senderId, kind, content]) => ({ place, senderId, kind, content }));
}
