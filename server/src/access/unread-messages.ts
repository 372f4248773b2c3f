/**
 * The SQL rules for which messages are unread for a user, and which ones the user received (server/src/domain/read-state/README.md). Each piece
 * refers to a message `m`.
 *
 * The rule:
 * - A message can be unread only in the user's direct conversations and in channels to which the user is subscribed now.
 * - There, the flag row of the message decides, if it has the bit `read` or `unread`.
 * - Otherwise, a message that was never moved between channels is unread if its id is above the last read id (`read_through`) of the
 *   subscription or conversation.
 * - Otherwise, a message that was moved between channels is unread if both of these hold:
 *   - It is above the last read id of the user's subscription to its original channel when it was sent. That one may have ended.
 *   - No subscription of the user to a channel began or ended while the message was in that channel. Subscribing to a channel, or leaving
 *     it, makes everything in it read.
 *
 * For this, a moved message keeps its original channel (`home_channel_id`) and its channel history: the channels where it has been
 * (`stay_channels`), and since which positions of the log (`stay_since`).
 *
 * Example: message 100 is sent to channel 5 and moved to channel 8 at position 40 of the log. Its row then says `home_channel_id` 5,
 * `stay_channels` {5,8} and `stay_since` {0,40}.
 * - Ada is subscribed to both channels. Her last read id is 90 in channel 5 and 200 in channel 8. The message is unread for her, because
 *   only channel 5 counts.
 * - Ada leaves channel 5 at event 60. The message is unread as before, because it was no longer in channel 5 then.
 * - Bo, who also received it unread in channel 5, subscribes to channel 8 at event 50. It is read for him, there and after later moves.
 * - Cleo was not subscribed to channel 5 when it was sent. It is read for her in channel 8.
 *
 * All of this follows from the dates of subscriptions and moves. So a move writes only the rows of the messages, and subscribing or
 * leaving writes nothing for moved messages. A message that is moved out of a user's sight and back is as unread as before.
 */
import { type RawBuilder, sql } from 'kysely';
import { FlagBit } from '../db/flag-bits.ts';

/** The user whose state is asked for. The user's id may be a column. */
export interface Whose {
  readonly organizationId: number;
  readonly userId: number | RawBuilder<unknown>;
}

/** The end of a subscription that has not ended. */
const OPEN_END = sql.raw('9223372036854775807');

/** The periods of subscriptions, past and present, as the columns of `span` in the pieces below. */
function spansWhere(organizationId: number, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT user_id, channel_id, since_event_id, since_message_id, read_through,
           ${OPEN_END} AS until_event_id, ${OPEN_END} AS until_message_id
      FROM subscriptions
     WHERE organization_id = ${organizationId} AND ${condition} AND is_active
    UNION ALL
    SELECT user_id, channel_id, since_event_id, since_message_id, read_through, until_event_id, until_message_id
      FROM subscription_intervals
     WHERE organization_id = ${organizationId} AND ${condition}`;
}

function spansOf({ organizationId, userId }: Whose): RawBuilder<unknown> {
  return sql`(${spansWhere(organizationId, sql`user_id = ${userId}`)})`;
}

/** Whether `m` was sent to its original channel during `span`. */
const SENT_DURING_SPAN = sql`
  span.channel_id = m.home_channel_id AND m.id > span.since_message_id AND m.id <= span.until_message_id`;

/** Whether `m` was moved to its current channel during `span`. */
const ARRIVED_DURING_SPAN = sql`
  span.channel_id = m.channel_id
  AND span.since_event_id <= m.stay_since[cardinality(m.stay_since)]
  AND m.stay_since[cardinality(m.stay_since)] < span.until_event_id`;

/** The channel history of `m`: one row per channel, in order. */
const STAYS = sql`unnest(m.stay_channels, m.stay_since) WITH ORDINALITY AS stay (channel_id, since, place)`;

/**
 * Whether `span` began or ended while `m` was in the channel of `stay`. The first stay has the position 0, so the ids of messages exclude
 * what happened before `m` was sent. The last stay has no end yet; an open `span` has no end either, hence `- 1`.
 */
const CHANGED_DURING_STAY = sql`(
  (span.since_message_id >= m.id AND span.since_event_id > stay.since
   AND span.since_event_id <= coalesce(m.stay_since[stay.place + 1], ${OPEN_END}))
  OR (span.until_message_id >= m.id AND span.until_event_id > stay.since
      AND span.until_event_id <= coalesce(m.stay_since[stay.place + 1], ${OPEN_END} - 1)))`;

/** Whether channel message `m` was sent to a channel to which the user was subscribed then. Index: the primary keys. */
export function wasReceived({ organizationId, userId }: Whose): RawBuilder<boolean> {
  return sql`(
    EXISTS (
      SELECT FROM subscriptions s
       WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId}
         AND s.channel_id = coalesce(m.home_channel_id, m.channel_id) AND s.is_active AND s.since_message_id < m.id)
    OR EXISTS (
      SELECT FROM subscription_intervals i
       WHERE i.organization_id = ${organizationId} AND i.user_id = ${userId}
         AND i.channel_id = coalesce(m.home_channel_id, m.channel_id)
         AND i.since_message_id < m.id AND m.id <= i.until_message_id)
  )`;
}

/** Whether the user was subscribed to the channel of `m` when `m` was moved there (*subscribed on arrival*). */
export function sawArrive(whose: Whose): RawBuilder<boolean> {
  return sql`(m.home_channel_id IS NOT NULL
    AND EXISTS (SELECT FROM ${spansOf(whose)} AS span WHERE ${ARRIVED_DURING_SPAN}))`;
}

/** Whether `m`, which was moved and has no reading bit, is unread wherever the user is subscribed. See the rule at the top. */
export function isMovedUnread(whose: Whose): RawBuilder<boolean> {
  return sql`(
    EXISTS (SELECT FROM ${spansOf(whose)} AS span WHERE ${SENT_DURING_SPAN} AND m.id > span.read_through)
    AND NOT EXISTS (
      SELECT FROM ${STAYS},
                  -- One lookup for each of the few stays. Otherwise the planner reads all subscriptions of the user: hence OFFSET 0.
                  LATERAL (SELECT * FROM ${spansOf(whose)} AS own WHERE own.channel_id = stay.channel_id OFFSET 0) AS span
       WHERE ${CHANGED_DURING_STAY})
  )`;
}

/**
 * The same rules for very many users of one message: common table expressions, each with the column `user_id`. They follow a common table
 * expression `m` with the message, and are empty if it was never moved. Index: `subscriptions_by_channel`.
 * - `moved_received`: users for whom `wasReceived` is true.
 * - `moved_unread`: users for whom `isMovedUnread` is true.
 * - `moved_arrival`: users for whom `sawArrive` is true.
 */
export function movedStates(organizationId: number): RawBuilder<unknown> {
  return sql`
    span AS MATERIALIZED (
      ${spansWhere(organizationId, sql`channel_id IN (SELECT unnest(stay_channels) FROM m)`)}
    ), moved_received AS MATERIALIZED (
      SELECT span.user_id, max(span.read_through) AS read_through FROM span, m
       WHERE ${SENT_DURING_SPAN}
       GROUP BY span.user_id
    ), moved_unread AS MATERIALIZED (
      SELECT moved_received.user_id FROM moved_received, m
       WHERE m.id > moved_received.read_through
      EXCEPT
      SELECT span.user_id FROM m, ${STAYS}, span
       WHERE span.channel_id = stay.channel_id AND ${CHANGED_DURING_STAY}
    ), moved_arrival AS MATERIALIZED (
      SELECT span.user_id FROM span, m WHERE ${ARRIVED_DURING_SPAN}
    )`;
}

/** Whether `m` is unread. Indexes: the primary keys. */
export function isUnread(whose: Whose): RawBuilder<boolean> {
  const { organizationId, userId } = whose;
  const unreadAbove = (readThrough: RawBuilder<unknown>) => isUnreadAbove(whose, bitsOf(whose), readThrough);
  return sql`coalesce(
    CASE WHEN m.channel_id IS NULL THEN (
           SELECT ${unreadAbove(sql`p.read_through`)} FROM direct_participants p
            WHERE p.organization_id = ${organizationId} AND p.user_id = ${userId}
              AND p.conversation_id = m.conversation_id)
         ELSE (
           SELECT ${unreadAbove(sql`s.read_through`)} FROM subscriptions s
            WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId}
              AND s.channel_id = m.channel_id AND s.is_active)
    END, false)`;
}

/**
 * Whether `m` is unread for a subscriber or participant. NULL if `readThrough` is NULL and decides.
 * @param bits the flags of the user's flag row of `m`, 0 if there is none
 * @param readThrough the user's last read id in the subscription or conversation
 */
export function isUnreadAbove(
  whose: Whose,
  bits: RawBuilder<number>,
  readThrough: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`
    CASE WHEN ${bits} & ${FlagBit.unread} <> 0 THEN true
         WHEN ${bits} & ${FlagBit.read} <> 0 THEN false
         WHEN m.home_channel_id IS NOT NULL THEN ${isMovedUnread(whose)}
         ELSE m.id > ${readThrough}
    END`;
}

/** The flags of the user's flag row of `m`, 0 if there is none. */
export function bitsOf({ organizationId, userId }: Whose): RawBuilder<number> {
  return sql`coalesce((
    SELECT f.flags FROM message_flags f
     WHERE f.organization_id = ${organizationId} AND f.user_id = ${userId} AND f.message_id = m.id), 0)`;
}
