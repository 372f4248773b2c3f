import { sql } from 'kysely';
import { isChannelShownNow } from '../../../directory/archived.ts';
import { type StateContext, type StatePart, type StateReader, statePart } from '../../../extension/initial-state.ts';
import { rawJson } from '../../../http/answers/raw-json.ts';
import { shownTopic } from '../../texts/shared/topic-names.ts';
import { type Marks, type Reader, readUnread, selectMarks } from './queries.ts';
import type { Unread } from './unread-groups.ts';

export const readStateParts: readonly StatePart[] = [
  // Both events change what is unread. So only clients that receive both get it.
  statePart<Marks, Unread>({
    types: ['message', 'update_message_flags'],
    select: selectMarks,
    query: (read, context, marks) => readUnread(read, readerOf(context), marks, hiddenFrom(context)),
    build: (context, unread) => ({ unread_msgs: rawJson(presentUnread(context, unread)) }),
    spectators: { build: () => ({ unread_msgs: NOTHING_UNREAD }) },
  }),
  statePart<readonly number[]>({
    types: ['starred_messages'],
    select: starredMessageIds,
    build: (_, ids) => ({ starred_messages: ids }),
    spectators: { build: () => ({ starred_messages: [] }) },
  }),
];

/** The state of spectators: everything is read. */
const NOTHING_UNREAD = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false };

/**
 * Whether a channel is archived and the client does not support archived channels. Then its unread messages are left
 * out.
 */
function hiddenFrom({ directory, settings }: StateContext): (channelId: number) => boolean {
  return (channelId) => !isChannelShownNow(directory, settings, channelId);
}

function readerOf({ directory, user }: StateContext): Reader {
  return { organizationId: directory.organization.id, userId: user.id };
}

/** The newest ones, ascending. Index: message_flags_starred. */
function starredMessageIds({ organizationId, userId }: StateReader) {
  return sql<readonly number[]>`
    SELECT coalesce(json_agg(message_id ORDER BY message_id), '[]') FROM (
      SELECT message_id FROM message_flags
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 4 <> 0
       ORDER BY message_id DESC LIMIT 10000
    ) AS starred`;
}

/** Returns JSON, because the lists of ids are JSON already. */
function presentUnread({ user, settings }: StateContext, unread: Unread): string {
  const pms: string[] = [];
  const channels: string[] = [];
  const huddles: string[] = [];
  for (const { place, messageIds } of unread.groups) {
    if ('channelId' in place) {
      const topic = shownTopic(place.topic, settings.capabilities.emptyTopicName);
      channels.push(withIds({ stream_id: place.channelId, topic }, messageIds));
    } else if (place.participants.length <= 2) {
      const other = place.participants.find((id) => id !== user.id) ?? user.id;
      pms.push(withIds({ other_user_id: other, sender_id: other }, messageIds));
    } else {
      huddles.push(withIds({ user_ids_string: place.participants.join(',') }, messageIds));
    }
  }
  const { count, mentions, isCut } = unread;
  return (
    `{"count":${count},"pms":[${pms}],"streams":[${channels}],"huddles":[${huddles}],` +
    `"mentions":${JSON.stringify(mentions)},"old_unreads_missing":${isCut}}`
  );
}

function withIds(group: object, messageIds: string): string {
  return `${JSON.stringify(group).slice(0, -1)},"unread_message_ids":${messageIds}}`;
}
