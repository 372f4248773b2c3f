import { type Kysely, sql } from 'kysely';

/**
 * Finds the oldest waiting notifications of an organization without a look at those that devices show, and those of each organization for a push
 * service. Counts pushes that show nothing, of which browsers tolerate few.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX push_notifications_waiting ON push_notifications (organization_id, message_id) WHERE state = 'due'`.execute(
    db,
  );
  await sql`
    CREATE INDEX web_push_notifications_waiting ON web_push_notifications (organization_id, message_id)
     WHERE state = 'due'`.execute(db);
  await sql`
    CREATE INDEX web_push_notifications_by_turn ON web_push_notifications (host, organization_id, due_at)
     WHERE due_at IS NOT NULL`.execute(db);
  await sql`
    ALTER TABLE web_push_subscriptions
      ADD COLUMN silent_pushes integer NOT NULL DEFAULT 0,
      ADD COLUMN silent_at     timestamptz`.execute(db);
}
