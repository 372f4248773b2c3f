import { sql } from 'kysely';
import { executePrepared } from './prepared.ts';
import type { DbTransaction } from './schema.ts';

/**
 * Acquires an advisory lock per user until the end of the transaction, in ascending order of ids. It protects state of
 * a user that may not have a row to lock yet: read state and topic policies.
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
