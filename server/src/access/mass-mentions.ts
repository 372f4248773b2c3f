/**
 * Mentions of many users at once: a bit set with the message (db/user-bits.ts) instead of a flag row for each user.
 * Rows for a large group would hold the organization lock for hundreds of milliseconds. Code that reads the mention
 * bits of flag rows must read these sets too.
 */
import { type RawBuilder, sql } from 'kysely';
import { bitsHold } from '../db/user-bits.ts';
import type { Whose } from './unread-messages.ts';

/** Up to this many mentioned users get flag rows; more become a bit set. */
export const MOST_BY_ROWS = 100;

/** Whether the bit set of message `m` contains the user. Index: the primary key. */
export function isMentionedAmongMany({ organizationId, userId }: Whose): RawBuilder<boolean> {
  return sql`coalesce((
    SELECT ${includes(userId)} FROM mass_mentions AS mass
     WHERE mass.organization_id = ${organizationId} AND mass.message_id = m.id), false)`;
}

/** Whether the row `mass` of `mass_mentions` contains the user. */
export function includes(userId: Whose['userId']): RawBuilder<boolean> {
  return bitsHold({ first: sql`mass.first_user_id`, bits: sql`mass.user_bits` }, userId);
}
