/** Notices of the notification bot about resolved and unresolved topics (public reference: "Resolve a topic"). */
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import { type NoticeContext, noticeInChannels, silentMention } from '../../sending/sending/notices.ts';
import { followersOf } from '../../topics/moved.ts';
import { settingOf } from '../../users/user-settings/queries.ts';
import { deleteWithin } from '../deleting/actions.ts';

/** Seconds. Undoing within this time deletes the first notice instead of adding a second one. */
const UNDO_TIME_LIMIT_SECONDS = 60;

/** With more subscribers, the notice is unread for all of them, because each user with a read notice needs a row. */
const MAX_READERS_OF_NOTICE = 1000;

const NOTICE = /^@_\*\*.+\|\d+\*\* has marked this topic as (?:un)?resolved\.$/;

/**
 * Call it after the messages and topic policies have moved. `resolved_topic_notice_auto_read_policy` decides who gets
 * the notice as read.
 */
export async function noticeResolved(
  change: OptimisticChange,
  { channel, topic }: { readonly channel: ChannelRecord; readonly topic: string },
  what: 'resolved' | 'unresolved',
  noticeContext: NoticeContext,
): Promise<void> {
  const { db, directory } = change;
  const before = await previousNotice(db, directory, channel.id, topic);
  if (before !== undefined) return deleteWithin(change, [before]);
  const subscribers = directory.subscriptions.of(channel.id);
  const followers = await followersOf(db, directory.organization.id, { channelId: channel.id, topic });
  const readBy =
    subscribers.size > MAX_READERS_OF_NOTICE
      ? []
      : [...subscribers.keys()].filter((userId) => hasAsRead(directory, userId, followers.has(userId)));
  const content = `${silentMention(noticeContext.actor)} has marked this topic as ${what}.`;
  noticeInChannels(change, [{ channel, topic, content, readBy }], {
    ...noticeContext,
    isSubscribed: (userId) => subscribers.has(userId),
  });
}

function hasAsRead(directory: Directory, userId: number, isFollower: boolean): boolean {
  const policy = settingOf(directory.user(userId) ?? {}, 'resolved_topic_notice_auto_read_policy');
  return policy === 'always' || (policy === 'except_followed' && !isFollower);
}

/**
 * The newest message of the topic, locked, if it is such a notice and at most {@link UNDO_TIME_LIMIT_SECONDS} seconds old. The caller deletes it, so
 * it must not be one that another request has just moved out of the topic. Index: messages_by_topic.
 */
async function previousNotice(
  db: DbTransaction,
  directory: Directory,
  channelId: number,
  topic: string,
): Promise<number | undefined> {
  const bot = directory.systemBot('notification');
  if (bot === undefined) return undefined;
  const { rows } = await sql<{ id: number; sender_id: number; content: string; age: number }>`
    SELECT id, sender_id, content, extract(epoch FROM now() - sent_at)::float8 AS age FROM messages
     WHERE organization_id = ${directory.organization.id} AND channel_id = ${channelId} AND lower(topic) = lower(${topic})
     ORDER BY lower(topic) DESC, id DESC LIMIT 1 FOR UPDATE`.execute(db);
  const [last] = rows;
  const isNotice = last !== undefined && last.sender_id === bot.id && NOTICE.test(last.content);
  return isNotice && last.age <= UNDO_TIME_LIMIT_SECONDS ? last.id : undefined;
}
