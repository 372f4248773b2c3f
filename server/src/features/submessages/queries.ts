import { type RawBuilder, sql } from 'kysely';

/** What somebody attached to a message. */
export interface Submessage {
  /** Counted for each message by itself; what a message brings with it is 0. */
  readonly place: number;
  readonly senderId: number;
  /** `widget`, mostly. */
  readonly kind: string;
  /** JSON. */
  readonly content: string;
}

export type SubmessageRow = readonly [place: number, senderId: number, kind: string, content: string];

/** What one adds to an answer beside its content, in bytes, more or less. */
const WEIGHT = 120;

/** A message's, in their order, as one value. Index: the primary key. */
export function selectSubmessages(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT json_agg(json_build_array(place, sender_id, kind, content) ORDER BY place) FROM submessages
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

/** What they weigh in an answer. Index: the primary key. */
export function weighSubmessages(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT coalesce(sum(${WEIGHT} + octet_length(content)), 0) FROM submessages
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

export function submessagesOf(rows: readonly SubmessageRow[] | null): readonly Submessage[] {
  return (rows ?? []).map(([place, senderId, kind, content]) => ({ place, senderId, kind, content }));
}
