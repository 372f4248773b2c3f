import { sql } from 'kysely';
import { botsThatMayRead } from '../../../access/bots.ts';
import type { SeenMessage } from '../../../access/message-door.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { RenderedMarkup } from '../../../markup/index.ts';
import { mentionedUsers } from '../../sending/sending/mentioned.ts';
import { checkWildcards } from '../../sending/sending/prepare.ts';
import { topicParticipants } from '../../sending/sending/topic-participants.ts';
import { alertedBy } from '../../texts/alert-words/queries.ts';
import type { Mentioned } from './mentions.ts';

/**
 * Determines the users whom the new text of a message mentions or alerts. Mentions by name include all named users:
 * `mentions.ts` selects those who received the message. Mentions of groups and topics include only present members.
 * Queries are needed only for mentions of a topic, and of groups in a conversation.
 * @throws ApiError `STREAM_WILDCARD_MENTION_NOT_ALLOWED`, `TOPIC_WILDCARD_MENTION_NOT_ALLOWED`, or for a group that the
 * user is not allowed to mention
 */
export async function whomMentions(
  db: DbTransaction,
  directory: Directory,
  user: UserRecord,
  { channelId, conversationId, topic }: SeenMessage,
  content: string,
  rendered: RenderedMarkup,
): Promise<Mentioned> {
  const organizationId = directory.organization.id;
  const alerted = [...alertedBy(directory, content)];
  const channel = channelId === null ? undefined : directory.channel(channelId);
  if (channel === undefined) {
    const present = rendered.mentionedGroupIds.length === 0 ? [] : await takePart(db, organizationId, conversationId);
    const users = mentionedUsers(directory, user, rendered, whoeverAnd(present));
    return { users, bots: [], participants: [], alerted };
  }
  const subscribers = directory.subscriptions.of(channel.id);
  const users = mentionedUsers(directory, user, rendered, whoeverAnd(subscribers.keys()));
  const place = { channelId: channel.id, topic };
  const participants = rendered.mentionsTopic ? await topicParticipants(db, organizationId, place, user.id) : [];
  const present = participants.filter((userId) => subscribers.has(userId));
  checkWildcards(directory, user, channel, rendered.mentionsChannel, present.length);
  const bots = botsThatMayRead(directory, rendered.mentionedUserIds, channel);
  return { users, bots, participants, alerted };
}

function whoeverAnd(present: Iterable<number>) {
  return { has: () => true, keys: () => present };
}

/** Index: the primary key. */
async function takePart(db: DbTransaction, organizationId: number, conversationId: number | null) {
  const { rows } = await sql<{ participants: number[] }>`
    SELECT participants FROM direct_conversations
     WHERE organization_id = ${organizationId} AND id = ${conversationId}`.execute(db);
  return rows[0]?.participants ?? [];
}
