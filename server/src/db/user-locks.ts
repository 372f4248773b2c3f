import { sql } from 'kysely';
import { executePrepared } from './prepared.ts';
import type { DbTransaction } from './schema.ts';

/**
 * Lets one change at a time work on what is a user's own where there may be no row to lock yet: read state, policies of topics. To the end
 * of the transaction; always in the order of ids.
 */
export async function lockUsers(db: DbTransaction, organizationId: number, userIds: readonly number[]): Promise<void> {
  const ordered = [...new Set(userIds)].sort((a, b) => a - b);
  await executePrepared(
    db,
    'lock users',
    sql`
    SELECT pg_advisory_xact_lock(${organizationId}::integer, user_id)
      FROM unnest(${ordered}::integer[]) AS user_id`,
  );
}
