import {
  SUBSCRIPTION_SETTING_NAMES,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSettings,
} from '@heddle/api/subscription-settings.ts';
import { type RawBuilder, sql } from 'kysely';
import { FlagBit, READING_BITS } from '../../../db/flag-bits.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Member } from '../../channels/subscription-event.ts';
import { loggedSettings } from '../../channels/subscription-settings.ts';
import { type GivenColors, NO_COLORS_MASK, SUBSCRIPTION_COLORS, type UsedColors } from './colors.ts';

/** The row of a current or ended subscription. */
export type SubscriptionRow = SubscriptionSettings & {
  readonly user_id: number;
  readonly channel_id: number;
  readonly is_active: boolean;
};

/** A subscription that begins or ends, and the event that announces it. */
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
    .select(['user_id', 'channel_id', 'is_active', ...SUBSCRIPTION_SETTING_NAMES])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', sql<number>`ANY(${userIds}::integer[])`)
    .where('channel_id', '=', sql<number>`ANY(${channelIds}::integer[])`)
    .execute();
}

/** Whether a row has a setting other than the color that is not the default. */
const IS_CHANGED = sql.raw(
  SUBSCRIPTION_SETTING_NAMES.filter((name) => name !== 'color')
    .map((name) => `${name} IS DISTINCT FROM ${SUBSCRIPTION_SETTINGS[name].default}`)
    .join(' OR '),
);

/**
 * All subscribers of a channel with their settings. Most users changed nothing but the color, so the query returns no
 * other settings for them. Index: subscriptions_by_channel.
 */
export async function membersOf(db: DbTransaction, organizationId: number, channelId: number): Promise<Member[]> {
  const { rows } = await sql<{ user_id: number; color: string; kept: SubscriptionSettings | null }>`
    SELECT user_id, color, CASE WHEN ${IS_CHANGED} THEN to_jsonb(subscriptions) END AS kept
      FROM subscriptions
     WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND is_active`.execute(db);
  return rows.map(({ user_id: userId, color, kept }) => {
    return kept === null ? [userId, color] : [userId, color, loggedSettings(kept)];
  });
}

/** The palette colors that each user has assigned. Reads all their subscriptions. Index: the primary key. */
export async function colorsOf(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<GivenColors> {
  const { rows } = await sql<{ user_id: number; colors: UsedColors }>`
    SELECT user_id, bit_or(1 << (palette.place - 1)::integer) AS colors
      FROM subscriptions
      JOIN unnest(${SUBSCRIPTION_COLORS}::text[]) WITH ORDINALITY AS palette (color, place) USING (color)
     WHERE organization_id = ${organizationId} AND user_id = ANY(${userIds}::integer[])
     GROUP BY user_id`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row.colors]));
}

/**
 * Adds the colors of users who are not in `colors` yet. Call it before the organization lock, because it reads all
 * their subscriptions.
 */
export async function readColors(
  db: DbTransaction,
  organizationId: number,
  colors: GivenColors,
  userIds: readonly number[],
): Promise<void> {
  const unknown = userIds.filter((userId) => !colors.has(userId));
  if (unknown.length === 0) return;
  const found = await colorsOf(db, organizationId, unknown);
  for (const userId of unknown) colors.set(userId, found.get(userId) ?? NO_COLORS_MASK);
}

/** A user who left a channel that may have had unread messages. */
export interface LeftUnread {
  readonly userId: number;
  readonly channelId: number;
  /** The last read id of the subscription. */
  readonly lastReadId: number;
  /** Messages up to the last read id that were marked as unread. */
  readonly markedUnread: readonly number[];
}

/** Bounds the messages marked as unread that one request announces. The newest are chosen. */
const MAX_MARKED_UNREAD_MESSAGES = 10_000;

/** How many ended periods of a user in a channel are kept. Otherwise a script that adds and removes a person would make their reads slow. */
const KEPT_PERIODS_PER_SUBSCRIPTION = 100;
/** From so many on, the excess goes. One by one would take longer, because each time all periods are compared. */
const MAX_PERIODS_PER_SUBSCRIPTION = 125;
/** For how many users the excess goes in one commit. For each it takes almost a millisecond. The others follow when they leave again. */
const MAX_SHORTENED_SUBSCRIPTIONS = 20;

/**
 * Ends subscriptions. The rows keep their settings. The ended periods go to `subscription_intervals` with their last
 * read id, which still applies to messages that were moved away before. All messages in the channel count as read.
 * Indexes: the primary keys, messages_by_channel and messages_moved_by_channel, one step per channel. For users with too
 * many periods also messages_moved_by_home, two steps per period.
 * @param messageHead the last message before the subscriptions end
 * @returns the users for whom messages may have become read
 */
export async function endSubscriptions(
  db: DbTransaction,
  organizationId: number,
  ended: readonly SubscriptionChange[],
  messageHead: number,
): Promise<readonly LeftUnread[]> {
  const { rows } = await sql<{ user_id: number; channel_id: number; read_through: number; marked: number | null }>`
    WITH ended AS (
      UPDATE subscriptions
         SET is_active = false
        FROM unnest(${ended.map((one) => one.userId)}::integer[],
                    ${ended.map((one) => one.channelId)}::integer[],
                    ${ended.map((one) => one.eventId)}::bigint[]) AS gone (user_id, channel_id, event_id)
       WHERE subscriptions.organization_id = ${organizationId}
         AND subscriptions.user_id = gone.user_id
         AND subscriptions.channel_id = gone.channel_id
         AND subscriptions.is_active
      RETURNING gone.user_id, gone.channel_id, gone.event_id,
                subscriptions.since_event_id, subscriptions.since_message_id, subscriptions.read_through
    ), ${forgetReading(organizationId, sql`SELECT user_id, channel_id, read_through FROM ended`)}, kept_spans AS (
      INSERT INTO subscription_intervals
             (organization_id, user_id, channel_id, since_event_id, until_event_id, since_message_id, until_message_id,
              read_through)
      SELECT ${organizationId}, user_id, channel_id, since_event_id, event_id, since_message_id, ${messageHead}, read_through
        FROM ended
    ), excess_spans AS (
      DELETE FROM subscription_intervals
       WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(${excessSpans(organizationId)}))
    ), held AS MATERIALIZED (
      SELECT channel_id, (
               SELECT max(id) FROM messages WHERE organization_id = ${organizationId} AND channel_id = one.channel_id
             ) AS newest, EXISTS (
               SELECT FROM messages
                WHERE organization_id = ${organizationId} AND channel_id = one.channel_id AND home_channel_id IS NOT NULL
             ) AS has_moved
        FROM (SELECT DISTINCT channel_id FROM ended) AS one
    )
    SELECT user_id, channel_id, read_through, NULL::bigint AS marked
      FROM ended JOIN held USING (channel_id)
     WHERE newest > read_through OR has_moved
    UNION ALL
    (SELECT user_id, channel_id, ended.read_through, message_id
       FROM marked JOIN ended USING (user_id, channel_id)
      WHERE flags & ${FlagBit.unread} <> 0
      ORDER BY message_id DESC LIMIT ${MAX_MARKED_UNREAD_MESSAGES})`.execute(db);
  return [...Map.groupBy(rows, (row) => `${row.user_id} ${row.channel_id}`).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (first === undefined) return [];
    const markedUnread = ofOne.flatMap(({ marked }) => marked ?? []);
    return { userId: first.user_id, channelId: first.channel_id, lastReadId: first.read_through, markedUnread };
  });
}

/**
 * The former periods that go because users of `ended` have too many. They are the oldest in which no message was sent to the channel, then
 * the oldest of all. Periods are never joined, because the user would gain access to what was sent between them.
 */
function excessSpans(organizationId: number): RawBuilder<unknown> {
  const during = sql`m.organization_id = ${organizationId}
                     AND span.since_message_id < m.id AND m.id <= span.until_message_id ORDER BY m.id LIMIT 1`;
  return sql`
    SELECT excess.ctid FROM (
      SELECT user_id, channel_id FROM ended
       WHERE EXISTS (
         SELECT FROM subscription_intervals AS span
          WHERE span.organization_id = ${organizationId} AND span.user_id = ended.user_id
            AND span.channel_id = ended.channel_id
         OFFSET ${MAX_PERIODS_PER_SUBSCRIPTION - 1})
       LIMIT ${MAX_SHORTENED_SUBSCRIPTIONS}
    ) AS shortened, LATERAL (
      SELECT span.ctid FROM subscription_intervals AS span
       WHERE span.organization_id = ${organizationId} AND span.user_id = shortened.user_id
         AND span.channel_id = shortened.channel_id
       ORDER BY coalesce(
                  (SELECT m.id FROM messages m
                    WHERE m.channel_id = shortened.channel_id AND m.home_channel_id IS NULL AND ${during}),
                  (SELECT m.id FROM messages m WHERE m.home_channel_id = shortened.channel_id AND ${during})) IS NULL,
                since_event_id DESC
      OFFSET ${KEPT_PERIODS_PER_SUBSCRIPTION - 1}
    ) AS excess`;
}

/** Messages of a channel, ascending. */
export interface ChannelMessages {
  readonly channelId: number;
  /** After the given last read id. */
  readonly above: readonly number[];
  /** Messages that were moved to the channel, whatever their id. */
  readonly moved: readonly number[];
}

/**
 * Returns the newest messages after the given last read id of each channel. Indexes: messages_by_channel,
 * messages_moved_by_channel.
 */
export async function messagesAbove(
  db: DbTransaction,
  organizationId: number,
  channels: readonly { readonly channelId: number; readonly lastReadId: number }[],
  maxOfEach: number,
): Promise<readonly ChannelMessages[]> {
  const { rows } = await sql<{ channel_id: number; above: string; moved: string }>`
    SELECT channel_id, array_to_string(ARRAY(
             SELECT id FROM messages
              WHERE organization_id = ${organizationId} AND channel_id = asked.channel_id AND id > asked.read_through
              ORDER BY id DESC LIMIT ${maxOfEach}), ',') AS above, array_to_string(ARRAY(
             SELECT id FROM messages
              WHERE organization_id = ${organizationId} AND channel_id = asked.channel_id AND home_channel_id IS NOT NULL
              ORDER BY id DESC LIMIT ${maxOfEach}), ',') AS moved
      FROM unnest(${channels.map(({ channelId }) => channelId)}::integer[],
                  ${channels.map(({ lastReadId }) => lastReadId)}::bigint[]) AS asked (channel_id, read_through)`.execute(
    db,
  );
  const ascending = (list: string): number[] => (JSON.parse(`[${list}]`) as number[]).reverse();
  return rows.map(({ channel_id: channelId, above, moved }) => {
    return { channelId, above: ascending(above), moved: ascending(moved) };
  });
}

/**
 * Parts of a statement that clear read and unread marks on messages that are in the channels now. When a subscription
 * begins or ends, all of them are read. They visit each user's unread marks, and the read marks after the last read id.
 * Indexes: message_flags_unread and the primary keys.
 * @param changed selects `user_id`, `channel_id` and `read_through`
 */
export function forgetReading(organizationId: number, changed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    changed AS MATERIALIZED (
      ${changed}
    ), members AS MATERIALIZED (
      SELECT user_id, min(read_through) AS read_through FROM changed GROUP BY user_id
    ), marked AS MATERIALIZED (
      SELECT flag.ctid, flag.flags, flag.message_id, members.user_id, message.channel_id
        FROM members, LATERAL (
               SELECT ctid, flags, message_id FROM message_flags
                WHERE organization_id = ${organizationId} AND user_id = members.user_id AND flags & 2 <> 0
               UNION ALL
               SELECT ctid, flags, message_id FROM message_flags
                WHERE organization_id = ${organizationId} AND user_id = members.user_id AND flags & 3 = 1
                  AND message_id > members.read_through
             ) AS flag, LATERAL (
               SELECT channel_id FROM messages
                WHERE organization_id = ${organizationId} AND id = flag.message_id
               OFFSET 0 -- otherwise the planner may begin with all messages of the channels
             ) AS message
       -- A hashed subquery, checked after the lookups. As a join it could run first, once per channel of a user.
       WHERE ((members.user_id, message.channel_id) IN (SELECT user_id, channel_id FROM changed)) IS TRUE
    ), kept AS (
      UPDATE message_flags SET flags = flags & ~${READING_BITS}::smallint
       WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(SELECT ctid FROM marked))
         AND flags & ~${READING_BITS}::smallint <> 0
    ), dropped AS (
      DELETE FROM message_flags
       WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(SELECT ctid FROM marked))
         AND flags & ~${READING_BITS}::smallint = 0
    )`;
}
