import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { type StateContext, type StatePart, statePart } from '../initial-state.ts';
import { shownTopic } from '../topic-names.ts';
import { readUnread, type Unread } from './queries.ts';

export const readStateParts: readonly StatePart[] = [
  // What is unread changes with messages as with flags, so it is told only to who hears of both.
  statePart<Unread>({
    types: ['message', 'update_message_flags'],
    query: (snapshot, { directory, user }) => readUnread(snapshot, directory.organization.id, user.id),
    build: (context, unread) => ({ unread_msgs: presentUnread(context, unread) }),
  }),
  statePart<readonly number[]>({
    types: ['starred_messages'],
    query: starredMessageIds,
    build: (_, ids) => ({ starred_messages: ids }),
  }),
];

/** Index: message_flags_starred. */
async function starredMessageIds(snapshot: DbTransaction, { directory, user }: StateContext): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    SELECT message_id FROM message_flags
     WHERE organization_id = ${directory.organization.id} AND user_id = ${user.id} AND flags & 4 <> 0
     ORDER BY message_id DESC LIMIT 10000`.execute(snapshot);
  return rows.map((row) => row.message_id).reverse();
}

function presentUnread({ user, settings }: StateContext, unread: Unread) {
  const pms = [];
  const channels = [];
  const huddles = [];
  for (const group of unread.groups) {
    const unread_message_ids = group.messageIds;
    if ('channelId' in group) {
      const topic = shownTopic(group.topic, settings.capabilities.emptyTopicName);
      channels.push({ stream_id: group.channelId, topic, unread_message_ids });
    } else if (group.participants.length <= 2) {
      const other = group.participants.find((id) => id !== user.id) ?? user.id;
      pms.push({ other_user_id: other, sender_id: other, unread_message_ids });
    } else {
      huddles.push({ user_ids_string: group.participants.join(','), unread_message_ids });
    }
  }
  return {
    count: unread.count,
    pms,
    streams: channels,
    huddles,
    mentions: unread.mentions,
    old_unreads_missing: unread.isCut,
  };
}
