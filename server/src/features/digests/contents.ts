/** What the digest of a user is about: busy topics with unread messages, direct messages, new channels. */
import { sql } from 'kysely';
import { knownChannel } from '../../access/channels.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import { isUnread } from '../../access/unread-messages.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import { Policy } from '../../domain/topics/policies.ts';

/** The days that the digest is about. */
export const DIGEST_PERIOD_DAYS = 7;
/** The digest examines the newest messages of the organization only, because it is computed for each user. */
const MAX_MESSAGES_EXAMINED = 5000;
const MAX_TOPICS = 4;
const MAX_CHANNELS = 10;

export interface BusyTopic {
  readonly channel: ChannelRecord;
  readonly topic: string;
  /** Unread ones. */
  readonly messages: number;
  readonly senderIds: readonly number[];
  readonly first: { readonly id: number; readonly senderId: number; readonly renderedContent: string };
}

export interface DigestContents {
  readonly topics: readonly BusyTopic[];
  /** The number of unread direct messages. */
  readonly directMessages: number;
  readonly newChannels: readonly ChannelRecord[];
}

interface Reading {
  readonly db: DbTransaction;
  readonly directory: Directory;
  readonly caller: UserRecord;
}

export async function digestContents(reading: Reading): Promise<DigestContents> {
  return {
    topics: await busyTopics(reading),
    directMessages: await unreadDirectMessages(reading),
    newChannels: newChannels(reading),
  };
}

/** The newest messages, and those of the last days. Index: the primary key. */
const recent = (organizationId: number) => sql`
  SELECT * FROM (SELECT * FROM messages WHERE organization_id = ${organizationId}
                  ORDER BY id DESC LIMIT ${MAX_MESSAGES_EXAMINED}) AS newest
   WHERE sent_at > now() - make_interval(days => ${DIGEST_PERIOD_DAYS})`;

interface TopicRow {
  readonly channel_id: number;
  readonly topic: string;
  readonly messages: number;
  readonly senders: number[];
  readonly first_id: number;
  readonly first_sender_id: number;
  readonly first_content: string;
}

/** Those with the most senders, then with the most messages. Without what the user has muted. */
async function busyTopics({ db, directory, caller }: Reading): Promise<readonly BusyTopic[]> {
  const whose = { organizationId: directory.organization.id, userId: caller.id };
  const { rows } = await sql<TopicRow>`
    WITH topic AS (
      SELECT m.channel_id, lower(m.topic) AS topic_key, count(*) AS messages, min(m.id) AS first_id,
             array_agg(DISTINCT m.sender_id) AS senders
        FROM (${recent(whose.organizationId)}) AS m
        JOIN subscriptions s ON s.organization_id = ${whose.organizationId} AND s.user_id = ${whose.userId}
         AND s.channel_id = m.channel_id AND s.is_active
        LEFT JOIN user_topics own ON own.organization_id = ${whose.organizationId} AND own.user_id = ${whose.userId}
         AND own.channel_id = m.channel_id AND own.topic_key = lower(m.topic)
       WHERE coalesce(own.policy, 0) <> ${Policy.muted}
         AND (NOT s.is_muted OR own.policy IN (${Policy.unmuted}, ${Policy.followed}))
         AND ${isUnread(whose)} AND ${mayRead(readerOf(directory, caller))}
       GROUP BY 1, 2
       ORDER BY cardinality(array_agg(DISTINCT m.sender_id)) DESC, count(*) DESC, min(m.id)
       LIMIT ${MAX_TOPICS}
    )
    SELECT topic.channel_id, m.topic, messages::integer, senders, m.id AS first_id, m.sender_id AS first_sender_id,
           m.rendered_content AS first_content
      FROM topic JOIN messages m ON m.organization_id = ${whose.organizationId} AND m.id = topic.first_id
     ORDER BY cardinality(senders) DESC, messages DESC, first_id`.execute(db);
  return rows.flatMap((row) => {
    const channel = directory.channel(row.channel_id);
    if (channel === undefined) return [];
    const first = { id: row.first_id, senderId: row.first_sender_id, renderedContent: row.first_content };
    return [{ channel, topic: row.topic, messages: row.messages, senderIds: row.senders, first }];
  });
}

async function unreadDirectMessages({ db, directory, caller }: Reading): Promise<number> {
  const whose = { organizationId: directory.organization.id, userId: caller.id };
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (${recent(whose.organizationId)}) AS m
     WHERE m.conversation_id IS NOT NULL AND ${isUnread(whose)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Channels of the last days that the user can see, the newest first. */
function newChannels({ directory, caller }: Reading): readonly ChannelRecord[] {
  const since = Date.now() / 1000 - DIGEST_PERIOD_DAYS * 86_400;
  return [...directory.channels.values()]
    .filter(({ isArchived, createdAt }) => !isArchived && createdAt > since)
    .filter((channel) => knownChannel(directory, caller, channel.id) !== undefined)
    .toSorted((one, other) => other.id - one.id)
    .slice(0, MAX_CHANNELS);
}
