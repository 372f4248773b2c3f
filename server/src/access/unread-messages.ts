/**
 * The one definition of which messages are unread for a user, and which ones the user received (server/src/domain/reading/read-state/README.md). Each
 * SQL piece refers to a message `m`. They are texts, because PostgreSQL inlines no function that contains a subquery.
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
 * For this, a moved message keeps its original channel (`home_channel_id`) and its channel history. The history has the channels where it
 * has been (`stay_channels`), and the positions of the log where it arrived (`stay_since`).
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
import { FlagBit, READING_BITS } from '../db/flag-bits.ts';
import type { NumberInSql } from '../db/parameters.ts';

/** The user whose state is asked for. The ids may be columns or parameters. */
export interface Whose {
  readonly organizationId: NumberInSql;
  readonly userId: NumberInSql;
}

/** The end of a subscription that has not ended. */
const OPEN_END = sql.raw('9223372036854775807');

/** The user's spans of subscriptions, as `span`. `OFFSET 0` after further conditions keeps the planner at one lookup per message. */
function spansOf({ organizationId, userId }: Whose): RawBuilder<unknown> {
  return sql`
      SELECT FROM user_channel_spans AS span
       WHERE span.organization_id = ${organizationId} AND span.user_id = ${userId}`;
}

/** Whether `m` was sent to its original channel during `span`. */
const SENT_DURING_SPAN = sql`
  span.channel_id = coalesce(m.home_channel_id, m.channel_id)
  AND span.since_message_id < m.id AND m.id <= span.until_message_id`;

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
const CHANGED_DURING_STAY = sql`
  span.channel_id = stay.channel_id
  AND ((span.since_message_id >= m.id AND span.since_event_id > stay.since
        AND span.since_event_id <= coalesce(m.stay_since[stay.place + 1], ${OPEN_END}))
    OR (span.until_message_id >= m.id AND span.until_event_id > stay.since
        AND span.until_event_id <= coalesce(m.stay_since[stay.place + 1], ${OPEN_END} - 1)))`;

/** Whether channel message `m` was sent to a channel to which the user was subscribed then. */
export function wasReceived(whose: Whose): RawBuilder<boolean> {
  return sql`EXISTS (${spansOf(whose)} AND ${SENT_DURING_SPAN} OFFSET 0)`;
}

/** Whether the user was subscribed to the channel of `m` when `m` was moved there (*subscribed on arrival*). */
export function subscribedOnArrival(whose: Whose): RawBuilder<boolean> {
  return sql`(m.home_channel_id IS NOT NULL AND EXISTS (${spansOf(whose)} AND ${ARRIVED_DURING_SPAN}))`;
}

/** Whether `m`, which was moved and has no reading bit, is unread wherever the user is subscribed. See the rule at the top. */
export function isMovedUnread(whose: Whose): RawBuilder<boolean> {
  return sql`(
    EXISTS (${spansOf(whose)} AND ${SENT_DURING_SPAN} AND m.id > span.read_through)
    AND NOT EXISTS (SELECT FROM ${STAYS}, LATERAL (${spansOf(whose)} AND ${CHANGED_DURING_STAY} OFFSET 0) AS changed))`;
}

/**
 * A subquery with the user's last read id (`read_through`) in the channel or direct conversation of `m`. It has no row if the user is not
 * subscribed to the channel or does not participate. Indexes: the primary keys.
 */
export function membershipOf({ organizationId, userId }: Whose): RawBuilder<unknown> {
  return sql`(
    SELECT s.read_through FROM subscriptions s
     WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND s.channel_id = m.channel_id AND s.is_active
     UNION ALL
    SELECT p.read_through FROM direct_participants p
     WHERE p.organization_id = ${organizationId} AND p.user_id = ${userId} AND p.conversation_id = m.conversation_id)`;
}

/** Whether the user is subscribed to the channel of `m`, or participates in its conversation. Elsewhere, everything is read. */
export function isMember(whose: Whose): RawBuilder<boolean> {
  return sql`EXISTS (SELECT FROM ${membershipOf(whose)} AS member)`;
}

/** Whether neither bit about reading is set, so that the last read id decides, or `isMovedUnread`. */
export function isUnmarked(whose: Whose): RawBuilder<boolean> {
  return sql`${bitsOf(whose)} & ${sql.lit(READING_BITS)} = 0`;
}

/** Whether `m` is unread. Indexes: the primary keys. */
export function isUnread(whose: Whose): RawBuilder<boolean> {
  const unread = isUnreadAbove(bitsOf(whose), sql`member.read_through`, isMovedUnread(whose));
  return sql`coalesce((SELECT ${unread} FROM ${membershipOf(whose)} AS member), false)`;
}

/**
 * Whether `m` is unread for a subscriber or participant.
 * @param bits the flags of the user's flag row of `m`, 0 if there is none
 * @param lastReadId the user's last read id in the subscription or conversation
 * @param movedUnread `isMovedUnread`
 */
export function isUnreadAbove(
  bits: RawBuilder<unknown>,
  lastReadId: RawBuilder<unknown>,
  movedUnread: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`
    CASE ${bits} & ${sql.lit(READING_BITS)}
         WHEN 0 THEN CASE WHEN m.home_channel_id IS NULL THEN m.id > ${lastReadId} ELSE ${movedUnread} END
         WHEN ${sql.lit(FlagBit.read)} THEN false
         ELSE true END`;
}

/**
 * The same for a message in memory.
 * @param unmarked whether it is unread without a bit: above the last read id, or `isMovedUnread`
 */
export function isUnreadWith(bits: number, unmarked: boolean): boolean {
  return (bits & READING_BITS) === 0 ? unmarked : (bits & FlagBit.unread) !== 0;
}

/** The flags of the user's flag row of `m`, 0 if there is none. */
export function bitsOf({ organizationId, userId }: Whose): RawBuilder<number> {
  return sql`coalesce((
    SELECT f.flags FROM message_flags f
     WHERE f.organization_id = ${organizationId} AND f.user_id = ${userId} AND f.message_id = m.id), 0)`;
}

/**
 * The same rules for very many users of one message, as common table expressions. Indexes: subscriptions_by_channel,
 * subscription_intervals_by_channel, message_flags_by_message, the primary keys.
 * - `m`: the message. `flag`: its flag rows.
 * - `received`: the users for whom `wasReceived` is true. `arrival`: those for whom `subscribedOnArrival` is true.
 * - `member`: the subscribers of its channel or the participants of its conversation, with `is_unread` and `received`.
 */
export function usersOf(organizationId: number, messageId: number): RawBuilder<unknown> {
  const movedUnread = sql`member.user_id IN (SELECT user_id FROM moved_unread)`;
  return sql`
    m AS MATERIALIZED (
      SELECT id, channel_id, conversation_id, mentions_channel, home_channel_id, stay_channels, stay_since
        FROM messages WHERE organization_id = ${organizationId} AND id = ${messageId}
    ), flag AS MATERIALIZED (
      SELECT user_id, flags FROM message_flags
       WHERE organization_id = ${organizationId} AND message_id = ${messageId}
    ), received AS MATERIALIZED (
      SELECT span.* FROM m, LATERAL (
             SELECT user_id, read_through FROM user_channel_spans AS span
              WHERE organization_id = ${organizationId} AND ${SENT_DURING_SPAN} OFFSET 0) AS span
    ), span AS MATERIALIZED (
      SELECT * FROM user_channel_spans
       WHERE organization_id = ${organizationId} AND channel_id = ANY (ARRAY(SELECT unnest(stay_channels) FROM m))
    ), moved_unread AS MATERIALIZED (
      SELECT received.user_id FROM received, m WHERE m.id > received.read_through
      EXCEPT
      SELECT span.user_id FROM m, ${STAYS}, span WHERE ${CHANGED_DURING_STAY}
    ), arrival AS MATERIALIZED (
      SELECT span.user_id FROM span, m WHERE ${ARRIVED_DURING_SPAN}
    ), member AS MATERIALIZED (
      SELECT member.user_id, ${isUnreadAbove(sql`member.flags`, sql`member.read_through`, movedUnread)} AS is_unread,
             m.conversation_id IS NOT NULL OR (m.home_channel_id IS NULL AND member.since_message_id < m.id)
               OR member.user_id IN (SELECT user_id FROM received) AS received
        FROM m, LATERAL (
               -- No join of them: see server/src/db/README.md.
               SELECT user_id, max(read_through) AS read_through, max(since_message_id) AS since_message_id,
                      coalesce(max(flags), 0) AS flags FROM (
                 SELECT user_id, read_through, since_message_id, NULL::smallint AS flags FROM subscriptions
                  WHERE organization_id = ${organizationId} AND channel_id = m.channel_id AND is_active
                  UNION ALL
                 SELECT p.user_id, p.read_through, NULL, NULL
                   FROM direct_conversations c
                   JOIN direct_participants p ON p.organization_id = ${organizationId} AND p.user_id = ANY (c.participants)
                    AND p.conversation_id = c.id
                  WHERE c.organization_id = ${organizationId} AND c.id = m.conversation_id
                  UNION ALL
                 SELECT user_id, NULL, NULL, flags FROM flag
               ) AS known GROUP BY user_id HAVING count(read_through) > 0
             ) AS member
    )`;
}
