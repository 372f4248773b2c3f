import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { readerOf } from '../../access/readable-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { fetchMessages } from '../messages/queries.ts';
import type { FlagsBody, UnreadDetail } from './events.ts';
import { type MarkedMessage, markBit, markRead, markUnread } from './marking.ts';

/** The flags that users change themselves. */
const OWN_BITS: ReadonlyMap<string, number> = new Map([
  ['starred', FlagBit.starred],
  ['collapsed', FlagBit.collapsed],
]);
/** Flags that follow from what others do. */
const GIVEN = new Set([
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

/** As many as a client is told to be unread; more would hold up everybody who sends for seconds, since the log is locked meanwhile. */
const MOST_AT_ONCE = 50_000;

export interface FlagChange {
  readonly flag: string;
  readonly op: 'add' | 'remove';
  readonly messageIds: readonly number[];
}

export interface FlagsChanged {
  readonly messageIds: readonly number[];
  /** Channels whose messages cannot become unread, since the user is not subscribed to them. */
  readonly ignoredChannels: readonly number[];
}

/**
 * Adds a flag to messages or removes it, for one user (public reference: "Update personal message flags"). Messages that the user may
 * not read, and those that are so already, are left out of the answer and of the event.
 * @throws ApiError for a flag that does not exist or cannot be changed, or too many messages
 */
export async function changeFlags(
  organization: Organization,
  caller: UserRecord,
  { flag, op, messageIds }: FlagChange,
): Promise<FlagsChanged> {
  if (GIVEN.has(flag)) throw badRequest(`Flag not editable: '${flag}'`);
  const bit = OWN_BITS.get(flag);
  if (bit === undefined && flag !== 'read') throw badRequest(`Invalid flag: '${flag}'`);
  const ids = [...new Set(messageIds)];
  if (ids.length > MOST_AT_ONCE) throw badRequest(`Too many messages in one request (limit: ${MOST_AT_ONCE})`);
  return organization.changeBy(caller, async (change, user) => {
    const reader = readerOf(change.directory, user);
    const announce = (changed: readonly number[], details: readonly UnreadDetail[] | null) => {
      if (changed.length === 0) return;
      const body: FlagsBody = { op, flag, messageIds: changed, details };
      change.append({ type: 'update_message_flags', audience: { to: 'users', users: [user.id] }, body });
    };
    if (bit !== undefined) {
      const changed = await markBit(change.db, reader, ids, bit, op);
      announce(changed, null);
      return { messageIds: changed, ignoredChannels: [] };
    }
    if (op === 'add') {
      const marked = await markRead(change.db, reader, ids, change.position.messageHead);
      const changed = marked.map(({ id }) => id);
      announce(changed, null);
      return { messageIds: changed, ignoredChannels: [] };
    }
    const marked = await markUnread(change.db, reader, ids);
    const changed = marked.map(({ id }) => id);
    announce(changed, await unreadDetails(change, user, marked));
    return { messageIds: changed, ignoredChannels: await channelsNotSubscribed(change, user, ids) };
  });
}

/** What a client must know of messages that became unread to count them without having them. */
async function unreadDetails(
  { db, directory }: Change,
  user: UserRecord,
  marked: readonly MarkedMessage[],
): Promise<readonly UnreadDetail[]> {
  const ids = marked.map(({ id }) => id);
  const messages = await fetchMessages(
    db,
    directory,
    readerOf(directory, user),
    sql`SELECT unnest(${ids}::bigint[]) AS id`,
  );
  const muted = await mutedChannels(db, directory.organization.id, user.id);
  return messages.map(({ id, content, flags }) => ({
    messageId: id,
    mentioned: flags.includes('mentioned') || flags.includes('wildcard_mentioned'),
    place:
      content.channel === null
        ? { otherUserIds: content.participants.map((person) => person.id).filter((other) => other !== user.id) }
        : { channelId: content.channel.id, topic: content.topic, isMuted: muted.has(content.channel.id) },
  }));
}

async function mutedChannels(db: Change['db'], organizationId: number, userId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('channel_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('is_muted', '=', true)
    .execute();
  return new Set(rows.map((row) => row.channel_id));
}

async function channelsNotSubscribed(
  { db, directory }: Change,
  user: UserRecord,
  ids: readonly number[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('channel_id')
    .distinct()
    .where('organization_id', '=', directory.organization.id)
    .where((where) => where('id', '=', sql<number>`ANY (${ids}::bigint[])`))
    .where('channel_id', 'is not', null)
    .orderBy('channel_id')
    .execute();
  const reader = readerOf(directory, user);
  const readable = new Set([...reader.openChannels, ...reader.protectedChannels]);
  return rows.flatMap(({ channel_id: id }) =>
    id !== null && readable.has(id) && !directory.subscriptions.has(id, user.id) ? id : [],
  );
}
