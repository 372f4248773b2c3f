/**
 * What is unread for whom, and what reached whom: the rule of ARCHITECTURE.md, "Read state", as SQL. Each piece speaks of a message `m`.
 *
 * - A user has a message unread only where it is now a conversation of theirs or a channel to which they are subscribed.
 * - There, a flag row's `read` or `unread` decides. Without either, a message is unread if it is above the membership's watermark.
 * - A message that was moved between channels keeps its home: the channel that it was sent to. Its watermark is that of the home's
 *   subscription which was there when it was sent, also of one that has ended. And as beginning or ending a subscription makes all that
 *   is in the channel read, a moved message is read for whoever did that with a channel while it was in there.
 *
 * All that is derived from dates: of subscriptions, and of the message's stays. So a move writes the message's row alone, whoever reads
 * there; subscribing and leaving write nothing for moved messages; and nobody's state changes by a move: out of a subscriber's sight and
 * back again, a message is as unread as it was.
 */
import { type RawBuilder, sql } from 'kysely';
import { FlagBit } from '../db/flag-bits.ts';

/** Whose state. A user's id may be a column. */
export interface Whose {
  readonly organizationId: number;
  readonly userId: number | RawBuilder<unknown>;
}

const END = sql.raw('9223372036854775807');

/** When the user was or is subscribed to what; an open span has no end. */
function spans({ organizationId, userId }: Whose): RawBuilder<unknown> {
  return sql`(
    SELECT channel_id, since_event_id, since_message_id, read_through,
           ${END} AS until_event_id, ${END} AS until_message_id
      FROM subscriptions
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active
    UNION ALL
    SELECT channel_id, since_event_id, since_message_id, read_through, until_event_id, until_message_id
      FROM subscription_intervals
     WHERE organization_id = ${organizationId} AND user_id = ${userId}
  )`;
}

/** Whether channel message `m` was sent to a channel to which the user was subscribed. Index: the primary keys. */
export function wasReceived(whose: Whose): RawBuilder<boolean> {
  const { organizationId, userId } = whose;
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

/** Whether `m` was moved to where it is while the user was subscribed there. */
export function sawArrive(whose: Whose): RawBuilder<boolean> {
  return sql`(m.home_channel_id IS NOT NULL AND EXISTS (
    SELECT FROM ${spans(whose)} AS span
     WHERE span.channel_id = m.channel_id
       AND span.since_event_id <= m.stay_since[cardinality(m.stay_since)]
       AND m.stay_since[cardinality(m.stay_since)] < span.until_event_id))`;
}

/** Whether `m`, moved and without a reading bit, is unread wherever the user is subscribed: by its home's watermark and its stays. */
export function isMovedUnread(whose: Whose): RawBuilder<boolean> {
  return sql`(
    EXISTS (
      SELECT FROM ${spans(whose)} AS span
       WHERE span.channel_id = m.home_channel_id
         AND m.id > span.since_message_id AND m.id <= span.until_message_id AND m.id > span.read_through)
    AND NOT EXISTS (
      SELECT FROM unnest(m.stay_channels, m.stay_since) WITH ORDINALITY AS stay (channel_id, since, place),
                  -- Looked up for each stay, which are few: the planner would go through all that the user is subscribed to.
                  LATERAL (SELECT * FROM ${spans(whose)} AS own WHERE own.channel_id = stay.channel_id OFFSET 0) AS span
       WHERE ((span.since_message_id >= m.id AND span.since_event_id > stay.since
               AND span.since_event_id <= coalesce(m.stay_since[stay.place + 1], ${END}))
           OR (span.until_message_id >= m.id AND span.until_event_id > stay.since
               AND span.until_event_id <= coalesce(m.stay_since[stay.place + 1], ${END} - 1))))
  )`;
}

/**
 * The same for very many users at once, of the one message in the common table `m`: tables of users, all empty where it was never moved.
 * `moved_received`: `wasReceived`; `moved_unread`: `isMovedUnread`; `moved_arrival`: `sawArrive`. Index: subscriptions_by_channel.
 */
export function movedStates(organizationId: number): RawBuilder<unknown> {
  const stays = sql`(SELECT unnest(stay_channels) FROM m)`;
  return sql`
    span AS MATERIALIZED (
      SELECT user_id, channel_id, since_event_id, since_message_id, read_through,
             ${END} AS until_event_id, ${END} AS until_message_id
        FROM subscriptions
       WHERE organization_id = ${organizationId} AND channel_id IN ${stays} AND is_active
      UNION ALL
      SELECT user_id, channel_id, since_event_id, since_message_id, read_through, until_event_id, until_message_id
        FROM subscription_intervals
       WHERE organization_id = ${organizationId} AND channel_id IN ${stays}
    ), moved_received AS MATERIALIZED (
      SELECT span.user_id, max(span.read_through) AS read_through FROM span, m
       WHERE span.channel_id = m.home_channel_id AND m.id > span.since_message_id AND m.id <= span.until_message_id
       GROUP BY span.user_id
    ), moved_unread AS MATERIALIZED (
      SELECT moved_received.user_id FROM moved_received, m
       WHERE m.id > moved_received.read_through
      EXCEPT
      SELECT span.user_id
        FROM m, unnest(m.stay_channels, m.stay_since) WITH ORDINALITY AS stay (channel_id, since, place), span
       WHERE span.channel_id = stay.channel_id
         AND ((span.since_message_id >= m.id AND span.since_event_id > stay.since
               AND span.since_event_id <= coalesce(m.stay_since[stay.place + 1], ${END}))
           OR (span.until_message_id >= m.id AND span.until_event_id > stay.since
               AND span.until_event_id <= coalesce(m.stay_since[stay.place + 1], ${END} - 1)))
    ), moved_arrival AS MATERIALIZED (
      SELECT span.user_id FROM span, m
       WHERE span.channel_id = m.channel_id
         AND span.since_event_id <= m.stay_since[cardinality(m.stay_since)]
         AND m.stay_since[cardinality(m.stay_since)] < span.until_event_id
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

/** The same for a member, by their bits of `m` and the membership's watermark; unknown where this is null. */
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

/** The bits of the user's flag row of `m`. */
export function bitsOf({ organizationId, userId }: Whose): RawBuilder<number> {
  return sql`coalesce((
    SELECT f.flags FROM message_flags f
     WHERE f.organization_id = ${organizationId} AND f.user_id = ${userId} AND f.message_id = m.id), 0)`;
}
