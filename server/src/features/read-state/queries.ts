import { sql } from 'kysely';
import { FlagBit } from '../../db/flag-bits.ts';
import type { DbTransaction } from '../../db/schema.ts';

/** A user's unread messages of one topic or one direct conversation; ids ascending. */
export type UnreadGroup =
  | { readonly channelId: number; readonly topic: string; readonly messageIds: readonly number[] }
  | { readonly participants: readonly number[]; readonly messageIds: readonly number[] };

export interface Unread {
  readonly count: number;
  readonly groups: readonly UnreadGroup[];
  /** Those that mention the user, alone or with everybody. */
  readonly mentions: readonly number[];
  /** There are more, older ones. */
  readonly isCut: boolean;
}

/** The newest so many are told; a client asks for older ones when it needs them. */
const MOST = 50_000;

interface GroupRow {
  channel_id: number | null;
  participants: number[] | null;
  topic: string;
  ids: string;
  mentions: string | null;
}

/**
 * The user's unread messages in subscribed channels and direct conversations. Indexes: messages_by_channel and _conversation above
 * each watermark, message_flags_unread below them.
 */
export async function readUnread(snapshot: DbTransaction, organizationId: number, userId: number): Promise<Unread> {
  const { rows } = await sql<GroupRow>`
    WITH above AS (
      SELECT m.id, m.channel_id, m.conversation_id, m.topic, m.mentions_channel
        FROM subscriptions member
        JOIN messages m ON m.organization_id = member.organization_id AND m.channel_id = member.channel_id
                       AND m.id > member.read_through
       WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active
      UNION ALL
      SELECT m.id, m.channel_id, m.conversation_id, m.topic, m.mentions_channel
        FROM direct_participants member
        JOIN messages m ON m.organization_id = member.organization_id AND m.conversation_id = member.conversation_id
                       AND m.id > member.read_through
       WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}
    ), unread AS (
      SELECT above.*, coalesce(f.flags, 0) AS flags FROM above
        LEFT JOIN message_flags f
          ON f.organization_id = ${organizationId} AND f.user_id = ${userId} AND f.message_id = above.id
       WHERE coalesce(f.flags, 0) & ${FlagBit.read} = 0
      UNION ALL
      SELECT m.id, m.channel_id, m.conversation_id, m.topic,
             m.mentions_channel AND coalesce(m.id > s.since_message_id, false), f.flags
        FROM message_flags f
        JOIN messages m ON m.organization_id = f.organization_id AND m.id = f.message_id
        LEFT JOIN subscriptions s
          ON s.organization_id = f.organization_id AND s.user_id = f.user_id AND s.channel_id = m.channel_id
         AND s.is_active
       WHERE f.organization_id = ${organizationId} AND f.user_id = ${userId} AND f.flags & 2 <> 0
         AND (m.channel_id IS NULL OR s.user_id IS NOT NULL)
    ), newest AS (
      SELECT * FROM unread ORDER BY id DESC LIMIT ${MOST + 1}
    ), grouped AS (
      SELECT channel_id, conversation_id, min(id) AS oldest, max(id) AS newest,
             string_agg(id::text, ',') AS ids,
             string_agg(id::text, ',')
               FILTER (WHERE mentions_channel
                          OR flags & ${FlagBit.mentioned | FlagBit.topicMentioned} <> 0) AS mentions
        FROM newest
       GROUP BY channel_id, conversation_id, lower(topic)
    )
    SELECT grouped.channel_id, c.participants, m.topic, grouped.ids, grouped.mentions
      FROM grouped
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = grouped.newest
      LEFT JOIN direct_conversations c ON c.organization_id = ${organizationId} AND c.id = grouped.conversation_id
     ORDER BY grouped.oldest`.execute(snapshot);
  return cut(
    rows.map(toGroup),
    rows.flatMap((row) => idsOf(row.mentions ?? '')),
  );
}

function toGroup({ channel_id, participants, topic, ids }: GroupRow): UnreadGroup {
  const messageIds = idsOf(ids);
  if (channel_id === null) return { participants: participants ?? [], messageIds };
  return { channelId: channel_id, topic, messageIds };
}

function idsOf(list: string): number[] {
  return list === ''
    ? []
    : list
        .split(',')
        .map(Number)
        .sort((a, b) => a - b);
}

/** One more than may be told was read, to know whether there are more: that one goes. */
function cut(groups: readonly UnreadGroup[], mentions: readonly number[]): Unread {
  const count = groups.reduce((sum, group) => sum + group.messageIds.length, 0);
  if (count <= MOST) return { count, groups, mentions: mentions.toSorted((a, b) => a - b), isCut: false };
  const oldest = Math.min(...groups.map((group) => group.messageIds[0] ?? Number.POSITIVE_INFINITY));
  return {
    count: MOST,
    groups: groups
      .map((group) => ({ ...group, messageIds: group.messageIds.filter((id) => id !== oldest) }))
      .filter((group) => group.messageIds.length > 0),
    mentions: mentions.filter((id) => id !== oldest).toSorted((a, b) => a - b),
    isCut: true,
  };
}
