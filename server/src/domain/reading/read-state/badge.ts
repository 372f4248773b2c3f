/** The number on the icon of the app, for notifications. The web app counts the same from its model. */
import { type RawBuilder, sql } from 'kysely';
import { isMentioned } from '../../../access/mass-mentions.ts';
import { isMember, isMovedUnread, isUnmarked, type Whose } from '../../../access/unread-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { Policy } from '../../topics/policies.ts';
import { movedAbove } from './queries.ts';

/** The values of the setting `desktop_icon_count_display`. */
const COUNTED = { all: 1, directMentionedFollowed: 2, directMentioned: 3, nothing: 4 } as const;

/** More count as this many. Systems show "99+" instead of such a number. */
export const MAX_COUNTED_MESSAGES = 1000;
/** Unread messages of a user that are examined for a count. Many can be in muted topics. */
const MAX_EXAMINED_MESSAGES = 5000;

/** A user and the value of the setting. */
interface Counting {
  readonly userId: number;
  readonly counted: number;
}

/**
 * The unread messages that count for each user, as the user's setting says. It has no entry for those who want no number. The cost for a user has
 * a bound, however many messages are unread. Indexes: messages_by_channel, messages_by_conversation, message_flags_unread,
 * messages_moved_by_home, the primary keys.
 */
export async function badgeCounts(
  db: DbTransaction,
  organizationId: number,
  users: readonly Counting[],
): Promise<ReadonlyMap<number, number>> {
  const wanting = users.filter(({ counted }) => counted !== COUNTED.nothing);
  if (wanting.length === 0) return new Map();
  const whose: Whose = { organizationId, userId: sql.ref('one.user_id') };
  const rows = await executePrepared(
    db,
    'badges',
    sql<{ user_id: number; count: number }>`
    SELECT one.user_id,
           (SELECT count(*)::integer
              FROM (SELECT FROM (${unreadMessages(whose)} LIMIT ${sql.lit(MAX_EXAMINED_MESSAGES)}) AS m
                     WHERE ${counts(whose)} LIMIT ${sql.lit(MAX_COUNTED_MESSAGES)}) AS counted) AS count
      FROM (SELECT asked.user_id, asked.counted = ${sql.lit(COUNTED.all)} AS counts_all,
                   asked.counted = ${sql.lit(COUNTED.directMentionedFollowed)} AS counts_followed,
                   EXISTS (SELECT FROM subscriptions s
                            WHERE s.organization_id = ${organizationId} AND s.user_id = asked.user_id AND s.is_active AND s.is_muted)
                     OR EXISTS (SELECT FROM user_topics own
                                 WHERE own.organization_id = ${organizationId} AND own.user_id = asked.user_id
                                   AND own.policy = ${sql.lit(Policy.muted)}) AS has_muted
              FROM unnest(${wanting.map(({ userId }) => userId)}::integer[],
                          ${wanting.map(({ counted }) => counted)}::integer[]) AS asked (user_id, counted)) AS one`,
  );
  return new Map(rows.map(({ user_id, count }) => [user_id, count]));
}

/** The rule of each setting for an unread message `m`. A policy for a topic takes precedence over its channel. */
function counts(whose: Whose): RawBuilder<boolean> {
  const { organizationId } = whose;
  const policy = sql`coalesce((
    SELECT own.policy FROM user_topics own
     WHERE own.organization_id = ${organizationId} AND own.channel_id = m.channel_id AND own.topic_key = lower(m.topic)
       AND own.user_id = one.user_id), ${sql.lit(Policy.none)})`;
  return sql`
    CASE WHEN m.channel_id IS NULL OR (one.counts_all AND NOT one.has_muted) THEN true
         WHEN one.counts_all THEN
           CASE ${policy} WHEN ${sql.lit(Policy.none)} THEN NOT (
                     SELECT s.is_muted FROM subscriptions s
                      WHERE s.organization_id = ${organizationId} AND s.user_id = one.user_id AND s.channel_id = m.channel_id)
                WHEN ${sql.lit(Policy.muted)} THEN false
                ELSE true END
         ELSE (one.counts_followed AND ${policy} = ${sql.lit(Policy.followed)}) OR ${isMentioned(whose)} END`;
}

/** The user's unread messages: the newest ones of each conversation and channel first. Muted channels are left out where nothing in them can count. */
function unreadMessages(whose: Whose): RawBuilder<unknown> {
  const { organizationId } = whose;
  const columns = sql`m.id, m.channel_id, m.conversation_id, m.home_channel_id, m.topic, m.mentions_channel`;
  return sql`
    SELECT ${columns}
      FROM direct_participants member, LATERAL (
             SELECT * FROM messages
              WHERE organization_id = ${organizationId} AND conversation_id = member.conversation_id AND id > member.read_through
              ORDER BY id DESC OFFSET 0
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = one.user_id AND ${isUnmarked(whose)}
    UNION ALL
    SELECT m.id, m.channel_id, NULL::integer, m.home_channel_id, m.topic, m.mentions_channel
      FROM subscriptions member, LATERAL (
             SELECT id, channel_id, home_channel_id, topic, mentions_channel FROM messages
              WHERE organization_id = ${organizationId} AND channel_id = member.channel_id AND id > member.read_through
                AND home_channel_id IS NULL
              ORDER BY id DESC OFFSET 0
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = one.user_id AND member.is_active AND ${isUnmarked(whose)}
       AND NOT (member.is_muted AND one.counts_all AND NOT EXISTS (
             SELECT FROM user_topics own
              WHERE own.organization_id = ${organizationId} AND own.user_id = one.user_id
                AND own.policy IN (${sql.lit(Policy.unmuted)}, ${sql.lit(Policy.followed)}) AND own.channel_id = member.channel_id))
    UNION ALL
    SELECT ${columns}
      FROM message_flags marked, LATERAL (
             SELECT * FROM messages WHERE organization_id = ${organizationId} AND id = marked.message_id OFFSET 0
           ) AS m
     WHERE marked.organization_id = ${organizationId} AND marked.user_id = one.user_id
       AND marked.flags & ${sql.lit(FlagBit.unread)} <> 0 AND ${isMember(whose)}
    UNION ALL
    SELECT ${columns}
      FROM ${movedAbove(whose, sql`0`)} AS m
     WHERE ${isMember(whose)} AND ${isUnmarked(whose)} AND ${isMovedUnread(whose)}`;
}
