/** Adds the notifications that phones and browsers must show. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Missed } from '../notifications/missed.ts';

/** Waiting notifications per organization and kind of device. The oldest are dropped, because they are of no use any more. */
const MAX_WAITING_NOTIFICATIONS_PER_ORGANIZATION = 20_000;

/**
 * A user is notified of a message only once.
 * @returns how many were dropped
 */
export async function addForPhones(
  db: DbTransaction,
  organizationId: number,
  missed: readonly Missed[],
): Promise<number> {
  if (missed.length === 0) return 0;
  await sql`
    INSERT INTO push_notifications (organization_id, user_id, message_id, cause, group_id, state, due_at)
    SELECT ${organizationId}::integer, user_id, message_id, cause, group_id, 'due', now()
      FROM ${rowsOf(missed)}
    ON CONFLICT DO NOTHING`.execute(db);
  return dropExcess(db, organizationId, 'push_notifications');
}

/**
 * One row for each browser of the user. A message that is deleted by now needs none.
 * @returns how many were dropped
 */
export async function addForBrowsers(
  db: DbTransaction,
  organizationId: number,
  missed: readonly Missed[],
): Promise<number> {
  if (missed.length === 0) return 0;
  await sql`
    INSERT INTO web_push_notifications (organization_id, user_id, subscription_id, message_id, conversation, host, cause, group_id, state, due_at)
    SELECT ${organizationId}::integer, notices.user_id, s.id, m.id, ${CONVERSATION}, s.host, cause, group_id, 'due', now()
      FROM ${rowsOf(missed)}
      JOIN web_push_subscriptions s ON s.organization_id = ${organizationId} AND s.user_id = notices.user_id
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = notices.message_id
       -- A subscription that ends meanwhile waits for this lock, and then deletes the row.
       FOR KEY SHARE OF s
    ON CONFLICT DO NOTHING`.execute(db);
  return dropExcess(db, organizationId, 'web_push_notifications');
}

/** The key of the conversation of message `m`. It is equal for all spellings of a topic. */
export const CONVERSATION = sql<string>`
  coalesce('channel ' || m.channel_id || ' ' || lower(m.topic), 'direct ' || m.conversation_id)`;

function rowsOf(missed: readonly Missed[]) {
  return sql`unnest(${missed.map(({ userId }) => userId)}::integer[], ${missed.map(({ messageId }) => messageId)}::bigint[],
                  ${missed.map(({ cause }) => cause)}::text[], ${missed.map(({ groupId }) => groupId)}::integer[])
             AS notices (user_id, message_id, cause, group_id)`;
}

/** The number of dropped rows. An unavailable service must not make the table grow. Index: <table>_waiting. */
async function dropExcess(
  db: DbTransaction,
  organizationId: number,
  table: 'push_notifications' | 'web_push_notifications',
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM ${sql.table(table)}
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT ctid FROM ${sql.table(table)}
              WHERE organization_id = ${organizationId} AND state = 'due'
              ORDER BY message_id DESC OFFSET ${MAX_WAITING_NOTIFICATIONS_PER_ORGANIZATION}))`.execute(db);
  return Number(numAffectedRows);
}
