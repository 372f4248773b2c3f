/**
 * Mentions of many users at once: a bit set with the message (db/user-bits.ts) instead of a flag row for each user.
 * Rows for 10,000 users would hold the organization lock for 250 to 450 ms; a bit set takes 1 ms. Code that reads the mention
 * bits of flag rows must read these sets too.
 */
import { type RawBuilder, sql } from 'kysely';
import { FlagBit } from '../db/flag-bits.ts';
import { bitsHold } from '../db/user-bits.ts';
import { bitsOf, type Whose, wasReceived } from './unread-messages.ts';

/** Up to this many mentioned users get flag rows; more become a bit set. */
export const MAX_MENTIONS_BY_ROWS = 100;

/** Whether the bit set of message `m` contains the user. Index: the primary key. */
export function isMentionedAmongMany({ organizationId, userId }: Whose): RawBuilder<boolean> {
  return sql`coalesce((
    SELECT ${includes(userId)} FROM mass_mentions AS mass
     WHERE mass.organization_id = ${organizationId} AND mass.message_id = m.id), false)`;
}

/** Whether message `m` mentions the user: by name, by a group, or with everyone who received it. Indexes: the primary keys. */
export function isMentioned(whose: Whose): RawBuilder<boolean> {
  return sql`(${bitsOf(whose)} & ${sql.lit(FlagBit.mentioned | FlagBit.topicMentioned)} <> 0 OR ${isMentionedAmongMany(whose)}
    OR (m.mentions_channel AND (m.conversation_id IS NOT NULL OR ${wasReceived(whose)})))`;
}

/** Whether the row `mass` of `mass_mentions` contains the user. */
export function includes(userId: Whose['userId']): RawBuilder<boolean> {
  return bitsHold({ first: sql`mass.first_user_id`, bits: sql`mass.user_bits` }, userId);
}
