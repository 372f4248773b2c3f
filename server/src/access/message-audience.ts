/**
 * The audience of changes to a message:
 * - the participants of a direct conversation;
 * - the subscribers of the channel; with protected history, only those who received the message;
 * - unsubscribed users who may read it, and who have starred it, were mentioned in it or have reacted to it.
 */
import { type RawBuilder, sql } from 'kysely';
import { FlagBit, READING_BITS } from '../db/flag-bits.ts';
import { executePrepared } from '../db/prepared.ts';
import type { DbTransaction } from '../db/schema.ts';
import type { Directory } from '../directory/directory.ts';
import type { Audience } from '../log/event.ts';
import { contentAccess } from './channels.ts';
import { protectedChannels } from './message-door.ts';
import { subscribedOnArrival, wasReceived } from './unread-messages.ts';

interface Row {
  id: number;
  channel_id: number | null;
  topic: string;
  participants: number[] | null;
  hidden: number[] | null;
  others: { userId: number; received: boolean; starred: boolean }[] | null;
}

/** The audience of one message. */
export interface MessageAudience {
  readonly audience: Audience;
  /** Null for direct messages. */
  readonly channelId: number | null;
  readonly topic: string;
  /** The participants of the direct conversation; empty for channel messages. */
  readonly participants: readonly number[];
  /** Subscribers who may not read the message. */
  readonly hidden: readonly number[];
  /** Unsubscribed users in the audience. */
  readonly others: readonly number[];
  /** Users who starred the message and may no longer read it. */
  readonly keepers: readonly number[];
}

/**
 * Returns the audience of each message that exists, with one statement. Indexes: `message_flags_by_message`,
 * `reactions_by_outsiders`, the primary keys, and with protected history `subscriptions_by_channel`.
 */
export async function messageAudiences(
  db: DbTransaction,
  directory: Directory,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, MessageAudience>> {
  const rows = await executePrepared(db, 'message audiences', statement(directory, messageIds));
  return new Map(rows.map((row) => [row.id, audienceOf(directory, row)]));
}

function statement(directory: Directory, messageIds: readonly number[]): RawBuilder<Row> {
  const organizationId = directory.organization.id;
  const member = { organizationId, userId: sql.ref('member.user_id') };
  const other = { organizationId, userId: sql.ref('other.user_id') };
  return sql<Row>`
    SELECT m.id, m.channel_id, m.topic,
           (SELECT participants FROM direct_conversations
             WHERE organization_id = ${organizationId} AND id = m.conversation_id) AS participants,
           CASE WHEN m.channel_id = ANY (${protectedChannels(directory)}::integer[]) THEN (
             SELECT array_agg(member.user_id ORDER BY member.user_id) FROM subscriptions member
              WHERE member.organization_id = ${organizationId} AND member.channel_id = m.channel_id AND member.is_active
                AND (member.since_message_id >= m.id OR m.home_channel_id IS NOT NULL)
                AND NOT ${wasReceived(member)} AND NOT ${subscribedOnArrival(member)}) END AS hidden,
           CASE WHEN m.channel_id IS NOT NULL THEN (
             SELECT json_agg(json_build_object('userId', other.user_id,
                                               'received', ${wasReceived(other)} OR ${subscribedOnArrival(other)},
                                               'starred', other.starred) ORDER BY other.user_id)
               FROM (SELECT user_id, bool_or(starred) AS starred
                       FROM (SELECT user_id, flags & ${FlagBit.starred} <> 0 AS starred FROM message_flags
                              WHERE organization_id = ${organizationId} AND message_id = m.id
                                AND flags & ~${READING_BITS}::integer <> 0
                              UNION ALL
                             SELECT user_id, false FROM reactions
                              WHERE organization_id = ${organizationId} AND message_id = m.id AND by_outsider) AS one
                      GROUP BY user_id) AS other
              WHERE NOT EXISTS (
                      SELECT FROM subscriptions
                       WHERE organization_id = ${organizationId} AND user_id = other.user_id
                         AND channel_id = m.channel_id AND is_active)) END AS others
      FROM unnest(${messageIds}::bigint[]) AS asked (message_id)
     CROSS JOIN LATERAL (
             SELECT id, channel_id, conversation_id, topic, home_channel_id, stay_channels, stay_since FROM messages
              WHERE organization_id = ${organizationId} AND id = asked.message_id
             OFFSET 0
           ) AS m`;
}

function audienceOf(directory: Directory, row: Row): MessageAudience {
  const { channel_id: channelId, topic } = row;
  const participants = row.participants ?? [];
  const hidden = row.hidden ?? [];
  const common = { channelId, topic, participants, hidden };
  if (channelId === null) return { ...common, audience: { to: 'users', users: participants }, others: [], keepers: [] };
  const others: number[] = [];
  const keepers: number[] = [];
  for (const other of row.others ?? []) {
    if (mayReadUnsubscribed(directory, channelId, other)) others.push(other.userId);
    else if (other.starred) keepers.push(other.userId);
  }
  return { ...common, audience: channelAudience(channelId, others, hidden), others, keepers };
}

/** The subscribers of a channel except `hidden`, and unsubscribed users. */
export function channelAudience(channelId: number, others: readonly number[], hidden: readonly number[]): Audience {
  const subscribers: Audience = { to: 'subscribers', channelId };
  if (others.length === 0 && hidden.length === 0) return subscribers;
  return {
    to: 'any',
    of: others.length === 0 ? [subscribers] : [subscribers, { to: 'users', users: others }],
    ...(hidden.length > 0 && { except: { to: 'users', users: hidden } }),
  };
}

/** @param other `received`: whether the user received the message, or was subscribed when it arrived in the channel */
export function mayReadUnsubscribed(
  directory: Directory,
  channelId: number,
  { userId, received }: { readonly userId: number; readonly received: boolean },
): boolean {
  const user = directory.user(userId);
  const channel = directory.channel(channelId);
  if (user === undefined || !user.isActive || channel === undefined) return false;
  const access = contentAccess(directory, user, channel);
  return access === 'all' || (access === 'received' && received);
}
