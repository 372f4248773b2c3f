import { sql } from 'kysely';
import { knownChannel } from '../../access/channels.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { storedTopic } from '../topic-names.ts';

/** The newest message of topics to which a text links: a link that names it leads to where the topic is by then. */
export interface LinkedTopics {
  newestIn(channelId: number, topic: string): number | undefined;
}

export const NO_TOPICS: LinkedTopics = { newestIn: () => undefined };

const SYNTAX = /#\*\*([^*>\n]+)>([^*\n]*?)\*\*/g;
/** Links beyond these name the topic alone. */
const MOST_TOPICS = 20;

/**
 * Looks up the topics to which a text of a user's links, of what that user may read: of a topic whose newest message is not, none is named.
 * Nothing is asked for texts without such a link. Index: messages_by_topic, one step each.
 */
export async function linkedTopics(
  db: Db,
  directory: Directory,
  user: UserRecord,
  content: string,
): Promise<LinkedTopics> {
  const named = new Map<string, { readonly channelId: number; readonly topic: string }>();
  for (const [, name = '', topic = ''] of content.matchAll(SYNTAX)) {
    const channel = knownChannel(directory, user, name);
    if (channel === undefined || named.size === MOST_TOPICS) continue;
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
