import { type RawBuilder, sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import { forgetReading, type SubscriptionChange } from './rows.ts';

export interface BegunSubscription extends SubscriptionChange {
  readonly color: string;
  /** The user has a row from an earlier subscription. */
  readonly isAgain: boolean;
}

/**
 * Begins subscriptions, new ones or again. All messages in the channel count as read, and earlier settings stay. For
 * moved messages, the dates decide (access/unread-messages.ts). Call it with the organization lock, so that `isAgain`
 * stays true.
 *
 * Only channels with moved messages need `forgetReading`: without a subscription, users cannot have marks on other
 * messages of a channel. Index: messages_moved_by_channel.
 * @param messageHead the last message before the subscriptions begin
 */
export async function beginSubscriptions(
  db: DbTransaction,
  organizationId: number,
  begun: readonly BegunSubscription[],
  messageHead: number,
): Promise<void> {
  const channelIds = [...new Set(begun.map((one) => one.channelId))];
  await sql`
    WITH begun AS MATERIALIZED (
      SELECT * FROM unnest(${begun.map((one) => one.userId)}::integer[],
                           ${begun.map((one) => one.channelId)}::integer[],
                           ${begun.map((one) => one.eventId)}::bigint[],
                           ${begun.map((one) => one.color)}::text[],
                           ${begun.map((one) => one.isAgain)}::boolean[])
                      AS begun (user_id, channel_id, event_id, color, is_again)
    ), with_moved AS MATERIALIZED (
      SELECT id FROM unnest(${channelIds}::integer[]) AS channel (id)
       WHERE EXISTS (SELECT FROM messages
                      WHERE organization_id = ${organizationId} AND channel_id = channel.id
                        AND home_channel_id IS NOT NULL)
    ), ${forgetReading(
      organizationId,
      sql`
        SELECT user_id, channel_id, ${messageHead}::bigint AS read_through
          FROM begun WHERE channel_id = ANY (ARRAY(SELECT id FROM with_moved))`,
    )}, again AS (
      ${inserted(organizationId, messageHead, sql`is_again`)}
          ON CONFLICT (organization_id, user_id, channel_id) DO UPDATE
         SET is_active = true,
             since_event_id = excluded.since_event_id,
             since_message_id = excluded.since_message_id,
             read_through = excluded.read_through
       WHERE NOT subscriptions.is_active
    ), anew AS (
      ${inserted(organizationId, messageHead, sql`NOT is_again`)}
    )
    SELECT`.execute(db);
}

/** Users with an earlier row and those without are separate, because `ON CONFLICT` makes an insert slower. */
function inserted(organizationId: number, messageHead: number, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO subscriptions (organization_id, user_id, channel_id, since_event_id, since_message_id, read_through, color)
    SELECT ${organizationId}, user_id, channel_id, event_id, ${messageHead}, ${messageHead}, color
      FROM begun WHERE ${which}`;
}
