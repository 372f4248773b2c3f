import { sql } from 'kysely';
import { contentAccess } from '../../access/channels.ts';
import { sawArrive, wasReceived } from '../../access/unread-messages.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';

/** Messages of one place that the same people have. */
export interface HadMessages {
  /** Ascending. */
  readonly messageIds: readonly number[];
  /** Null for direct messages. */
  readonly place: { readonly channelId: number; readonly topic: string } | null;
  /** Who is not subscribed, may read them, and has marked one, was mentioned or has reacted. Ascending. */
  readonly others: readonly number[];
  readonly audience: Audience;
}

interface Row {
  id: number;
  channel_id: number | null;
  topic: string;
  participants: number[] | null;
  hidden: number[] | null;
  others: { userId: number; received: boolean }[] | null;
}

/**
 * Who has the messages, as of the transaction: those who take part, or are subscribed and may read them, and those who have them marked.
 * One statement; indexes: the primary keys, message_flags_by_message, reactions_by_outsiders; of channels with protected history, subscriptions_by_channel too.
 */
export async function whoHas(
  db: DbTransaction,
  directory: Directory,
  ids: readonly number[],
): Promise<readonly HadMessages[]> {
  const organizationId = directory.organization.id;
  const member = { organizationId, userId: sql.ref('member.user_id') };
  const other = { organizationId, userId: sql.ref('flag.user_id') };
  const { rows } = await sql<Row>`
    SELECT m.id, m.channel_id, m.topic,
           (SELECT participants FROM direct_conversations c
             WHERE c.organization_id = ${organizationId} AND c.id = m.conversation_id) AS participants,
           CASE WHEN m.channel_id = ANY (${protectedChannels(directory)}::integer[]) THEN (
             SELECT array_agg(member.user_id ORDER BY member.user_id) FROM subscriptions member
              WHERE member.organization_id = ${organizationId} AND member.channel_id = m.channel_id AND member.is_active
                AND NOT (${wasReceived(member)} OR ${sawArrive(member)})) END AS hidden,
           CASE WHEN m.channel_id IS NOT NULL THEN (
             SELECT json_agg(json_build_object('userId', flag.user_id,
                                               'received', ${wasReceived(other)} OR ${sawArrive(other)}))
               FROM (SELECT user_id FROM message_flags WHERE organization_id = ${organizationId} AND message_id = m.id
                      UNION
                     SELECT user_id FROM reactions
                      WHERE organization_id = ${organizationId} AND message_id = m.id AND by_outsider) AS flag
              WHERE NOT EXISTS (
                  SELECT FROM subscriptions s
                   WHERE s.organization_id = ${organizationId} AND s.user_id = flag.user_id
                     AND s.channel_id = m.channel_id AND s.is_active)) END AS others
      FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ANY (${ids}::bigint[])
     ORDER BY m.id`.execute(db);
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row.channel_id, row.topic, row.participants, row.hidden]));
  return [...groups.values()].flatMap((group) => hadMessages(directory, group));
}

function hadMessages(directory: Directory, rows: readonly Row[]): readonly HadMessages[] {
  const [first] = rows;
  if (first === undefined) return [];
  const messageIds = rows.map(({ id }) => id);
  const channel = first.channel_id === null ? undefined : directory.channel(first.channel_id);
  if (channel === undefined) {
    const users = first.participants ?? [];
    return [{ messageIds, place: null, others: [], audience: { to: 'users', users } }];
  }
  const marked = rows.flatMap((row) => row.others ?? []);
  const others = [...new Set(marked.filter((one) => mayHave(directory, channel, one)).map(({ userId }) => userId))];
  others.sort((a, b) => a - b);
  const place = { channelId: channel.id, topic: first.topic };
  return [{ messageIds, place, others, audience: audienceOf(channel, others, first.hidden ?? []) }];
}

function mayHave(
  directory: Directory,
  channel: ChannelRecord,
  { userId, received }: NonNullable<Row['others']>[number],
) {
  const user = directory.user(userId);
  if (user === undefined || !user.isActive) return false;
  const access = contentAccess(directory, user, channel);
  return access === 'all' || (access === 'received' && received);
}

function audienceOf({ id }: ChannelRecord, others: readonly number[], hidden: readonly number[]): Audience {
  const subscribers: Audience = { to: 'subscribers', channelId: id };
  if (others.length === 0 && hidden.length === 0) return subscribers;
  return {
    to: 'any',
    of: others.length === 0 ? [subscribers] : [subscribers, { to: 'users', users: others }],
    ...(hidden.length > 0 && { except: { to: 'users', users: hidden } }),
  };
}

/** Channels whose subscribers read only what was there while they were subscribed. */
function protectedChannels(directory: Directory): readonly number[] {
  return directory.channels
    .values()
    .filter((channel) => channel.isPrivate && !channel.isWebPublic && !channel.historyPublicToSubscribers)
    .map(({ id }) => id)
    .toArray();
}
