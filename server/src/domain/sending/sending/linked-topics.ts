import { sql } from 'kysely';
import { knownChannel } from '../../../access/channels.ts';
import { mayRead, readerOf } from '../../../access/readable-messages.ts';
import type { Db } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { storedTopic } from '../../texts/shared/topic-names.ts';

/**
 * The newest messages of topics that a text links to. A link with a message id still works after the topic was moved.
 */
export interface LinkedTopics {
  newestIn(channelId: number, topic: string): number | undefined;
}

export const NO_TOPICS: LinkedTopics = { newestIn: () => undefined };

const SYNTAX = /#\*\*([^*>\n]+)>([^*\n]*?)\*\*/g;
/** Further links name only the topic. */
const MAX_RESOLVED_LINKS = 20;

/**
 * Looks up the topics that a user's text links to. A topic is left out if the user cannot read its newest message. A
 * text without such a link needs no query. Index: messages_by_topic, one step each.
 */
export async function linkedTopics(
  db: Db,
  directory: Directory,
  user: UserRecord,
  content: string,
): Promise<LinkedTopics> {
  const named = new Map<string, { readonly channelId: number; readonly topic: string }>();
  for (const [, namedChannel = '', namedTopic = ''] of content.matchAll(SYNTAX)) {
    const name = namedChannel.trim();
    const topic = namedTopic.trim();
    const channel = knownChannel(directory, user, name);
    if (channel?.name !== name || named.size === MAX_RESOLVED_LINKS) continue;
    const key = keyOf(channel.id, topic);
    if (!named.has(key)) named.set(key, { channelId: channel.id, topic: storedTopic(topic) });
  }
  if (named.size === 0) return NO_TOPICS;
  const reader = readerOf(directory, user);
  const keys = [...named.keys()];
  const topics = [...named.values()];
  const { rows } = await sql<{ place: number; newest: number }>`
    SELECT named.place::integer AS place, newest.id AS newest
      FROM unnest(${topics.map(({ channelId }) => channelId)}::integer[], ${topics.map(({ topic }) => topic)}::text[])
           WITH ORDINALITY AS named (channel_id, topic, place)
     CROSS JOIN LATERAL (
             SELECT m.id FROM (
                      SELECT * FROM messages
                       WHERE messages.organization_id = ${reader.organizationId}
                         AND messages.channel_id = named.channel_id AND lower(messages.topic) = lower(named.topic)
                       ORDER BY messages.id DESC LIMIT 1
                    ) AS m
              WHERE ${mayRead(reader)}
           ) AS newest`.execute(db);
  const newest = new Map(rows.map((row) => [keys[row.place - 1], row.newest]));
  return { newestIn: (channelId, topic) => newest.get(keyOf(channelId, topic)) };
}

function keyOf(channelId: number, topic: string): string {
  return `${channelId} ${storedTopic(topic).toLowerCase()}`;
}
