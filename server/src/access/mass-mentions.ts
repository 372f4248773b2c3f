/**
 * Mentions of many: a set of bits with the message (db/user-bits.ts) instead of a flag row for each, which would hold the log for
 * hundreds of milliseconds where a group is large. Whoever asks for the mention bits of flag rows asks here as well.
 */
import { type RawBuilder, sql } from 'kysely';
import { bitsHold } from '../db/user-bits.ts';
import type { Whose } from './unread-messages.ts';

/** Up to so many are mentioned by their flag rows. */
export const MOST_BY_ROWS = 100;

/** Whether message `m` mentions the user as one of many. Index: the primary key. */
export function isMentionedAmongMany({ organizationId, userId }: Whose): RawBuilder<boolean> {
  return sql`coalesce((
    SELECT ${includes(userId)} FROM mass_mentions AS mass
     WHERE mass.organization_id = ${organizationId} AND mass.message_id = m.id), false)`;
}

/** Whether the row `mass` of `mass_mentions` includes the user. */
export function includes(userId: Whose['userId']): RawBuilder<boolean> {
  return bitsHold({ first: sql`mass.first_user_id`, bits: sql`mass.user_bits` }, userId);
}
