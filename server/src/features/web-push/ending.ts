import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../../db/schema.ts';
import type { Waiting } from './waiting.ts';

/**
 * Deletes the subscriptions of these notifications: they have ended or do not accept our key, says the push service. Index: the primary key.
 * @param reason what it said
 */
export async function endSubscriptions(
  db: Db,
  log: Logger,
  organizationId: number,
  gone: readonly Waiting[],
  reason: string,
): Promise<void> {
  if (gone.length === 0) return;
  await sql`
    DELETE FROM web_push_subscriptions s
     USING unnest(${gone.map(({ user_id }) => user_id)}::integer[], ${gone.map(({ subscription_id }) => subscription_id)}::bigint[])
        AS gone (user_id, id)
     WHERE s.organization_id = ${organizationId} AND s.user_id = gone.user_id AND s.id = gone.id`.execute(db);
  const subscriptions = new Set(gone.map(({ subscription_id }) => subscription_id)).size;
  log.info(
    { organization: organizationId, subscriptions, reason },
    'web push subscriptions are gone, says the push service',
  );
}
