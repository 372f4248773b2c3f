/** What the notification bot says of topics that are resolved and unresolved (public reference: "Resolve a topic"). */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { deleteWithin } from '../deleting/actions.ts';
import { type Noticing, noticeInChannels, silentMention } from '../sending/actions.ts';
import { followersOf } from '../topics/actions.ts';
import { settingOf } from '../user-settings/queries.ts';

/** Who takes back what was done so many seconds ago leaves no two notices, but none. */
const UNDO_WITHIN = 60;

/** Where more are subscribed the notice is unread like any message: it would take a row for each who is to have it as read. */
const MOST_READ = 1000;

const NOTICE = /^@_\*\*.+\|\d+\*\* has marked this topic as (?:un)?resolved\.$/;

/** After the messages have moved, and people's policies with them. Who gets the notice as read says `resolved_topic_notice_auto_read_policy`. */
export async function noticeResolved(
  change: OrdinaryChange,
  { channel, topic }: { readonly channel: ChannelRecord; readonly topic: string },
  what: 'resolved' | 'unresolved',
  noticing: Noticing,
): Promise<void> {
  const { db, directory } = change;
  const before = await previousNotice(db, directory, channel.id, topic);
  if (before !== undefined) return deleteWithin(change, [before]);
  const subscribers = directory.subscriptions.of(channel.id);
  const followers = await followersOf(db, directory.organization.id, { channelId: channel.id, topic });
  const readBy =
    subscribers.size > MOST_READ
      ? []
      : [...subscribers.keys()].filter((userId) => hasAsRead(directory, userId, followers.has(userId)));
  const content = `${silentMention(noticing.actor)} has marked this topic as ${what}.`;
  noticeInChannels(change, [{ channel, topic, content, readBy }], {
    ...noticing,
    isSubscribed: (userId) => subscribers.has(userId),
  });
}

function hasAsRead(directory: Directory, userId: number, isFollower: boolean): boolean {
  const policy = settingOf(directory.user(userId) ?? {}, 'resolved_topic_notice_auto_read_policy');
  return policy === 'always' || (policy === 'except_followed' && !isFollower);
}

/** The newest message of the topic, if that is such a notice of a moment ago. Index: messages_by_topic. */
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
     ORDER BY lower(topic) DESC, id DESC LIMIT 1`.execute(db);
  const [last] = rows;
  const isNotice = last !== undefined && last.sender_id === bot.id && NOTICE.test(last.content);
  return isNotice && last.age <= UNDO_WITHIN ? last.id : undefined;
}
