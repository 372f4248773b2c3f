import { sql } from 'kysely';
import { READING_BITS } from '../../db/flag-bits.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { SETTINGS_COLUMNS, type SettingsRow } from './settings.ts';

/** A row that there is already: the subscription holds, or held once. */
export type SubscriptionRow = SettingsRow & {
  readonly user_id: number;
  readonly channel_id: number;
  readonly is_active: boolean;
};

/** Who begins or ends a subscription to what, and which event says so. */
export interface SubscriptionChange {
  readonly userId: number;
  readonly channelId: number;
  readonly eventId: number;
}

/** The rows of these users in these channels. Index: the primary key. */
export function rowsOf(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
  channelIds: readonly number[],
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscriptions')
    .select(['user_id', 'channel_id', 'is_active', ...SETTINGS_COLUMNS])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', sql<number>`ANY(${userIds}::integer[])`)
    .where('channel_id', '=', sql<number>`ANY(${channelIds}::integer[])`)
    .execute();
}

/** The colours that each of these users has given away. Index: the primary key. */
export async function colorsOf(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<Map<number, Set<string>>> {
  const { rows } = await sql<{ user_id: number; colors: string[] }>`
    SELECT user_id, array_agg(DISTINCT color) AS colors
      FROM subscriptions
     WHERE organization_id = ${organizationId} AND user_id = ANY(${userIds}::integer[])
     GROUP BY user_id`.execute(db);
  return new Map(rows.map((row) => [row.user_id, new Set(row.colors)]));
}

/**
 * Begins subscriptions, anew or again: what was sent before counts as read, and the settings of an earlier subscription stay.
 * @param messageHead the last message before the subscriptions begin
 */
export async function beginSubscriptions(
  db: DbTransaction,
  organizationId: number,
  begun: readonly (SubscriptionChange & { readonly color: string })[],
  messageHead: number,
): Promise<void> {
  await sql`
    INSERT INTO subscriptions (organization_id, user_id, channel_id, since_event_id, since_message_id, read_through, color)
    SELECT ${organizationId}, begun.user_id, begun.channel_id, begun.event_id, ${messageHead}, ${messageHead}, begun.color
      FROM unnest(${begun.map((one) => one.userId)}::integer[],
                  ${begun.map((one) => one.channelId)}::integer[],
                  ${begun.map((one) => one.eventId)}::bigint[],
                  ${begun.map((one) => one.color)}::text[]) AS begun (user_id, channel_id, event_id, color)
        ON CONFLICT (organization_id, user_id, channel_id) DO UPDATE
       SET is_active = true,
           since_event_id = excluded.since_event_id,
           since_message_id = excluded.since_message_id,
           read_through = excluded.read_through
     WHERE NOT subscriptions.is_active`.execute(db);
}

/**
 * Ends subscriptions: the rows keep their settings, the spans go to the intervals, and everything counts as read.
 * @param messageHead the last message before the subscriptions end
 */
export async function endSubscriptions(
  db: DbTransaction,
  organizationId: number,
  ended: readonly SubscriptionChange[],
  messageHead: number,
): Promise<void> {
  await sql`
    WITH ended AS (
      UPDATE subscriptions
         SET is_active = false, read_through = ${messageHead}
        FROM unnest(${ended.map((one) => one.userId)}::integer[],
                    ${ended.map((one) => one.channelId)}::integer[],
                    ${ended.map((one) => one.eventId)}::bigint[]) AS gone (user_id, channel_id, event_id)
       WHERE subscriptions.organization_id = ${organizationId}
         AND subscriptions.user_id = gone.user_id
         AND subscriptions.channel_id = gone.channel_id
         AND subscriptions.is_active
      RETURNING gone.user_id, gone.channel_id, gone.event_id,
                subscriptions.since_event_id, subscriptions.since_message_id
    )
    INSERT INTO subscription_intervals
           (organization_id, user_id, channel_id, since_event_id, until_event_id, since_message_id, until_message_id)
    SELECT ${organizationId}, user_id, channel_id, since_event_id, event_id, since_message_id, ${messageHead}
      FROM ended`.execute(db);
}

/**
 * Forgets which messages of channels were read or unread by exception: with the subscription the rule ends that they are exceptions of.
 * Index: the primary key of message_flags.
 */
export async function forgetReading(
  db: DbTransaction,
  organizationId: number,
  ended: readonly Pick<SubscriptionChange, 'userId' | 'channelId'>[],
): Promise<void> {
  const exceptions = sql`
    message_flags.organization_id = ${organizationId}
    AND message_flags.user_id = gone.user_id
    AND message_flags.flags & ${READING_BITS}::smallint <> 0
    AND messages.organization_id = message_flags.organization_id
    AND messages.id = message_flags.message_id
    AND messages.channel_id = gone.channel_id`;
  const gone = sql`
    unnest(${ended.map((one) => one.userId)}::integer[],
           ${ended.map((one) => one.channelId)}::integer[]) AS gone (user_id, channel_id)`;
  await sql`
    DELETE FROM message_flags
     USING ${gone}, messages
     WHERE ${exceptions} AND message_flags.flags & ~${READING_BITS}::smallint = 0`.execute(db);
  await sql`
    UPDATE message_flags
       SET flags = message_flags.flags & ~${READING_BITS}::smallint
      FROM ${gone}, messages
     WHERE ${exceptions}`.execute(db);
}
