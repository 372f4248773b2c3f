import { unauthorizedPrincipal } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { accessChannel } from '../../../access/channels.ts';
import { accessMessages } from '../../../access/message-door.ts';
import { mayRead, readerOf } from '../../../access/readable-messages.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { OptimisticChange, Organization } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { eraseEvents } from '../../../log/erase.ts';
import type { Audience, NewEvent } from '../../../log/event.ts';
import { announceFirstMessage } from '../../channels/first-message.ts';
import { deleteMessages, updateFirstMessages } from '../../messages/messages/actions.ts';
import { announceUnstarred } from '../../reading/read-state/actions.ts';
import { storedTopic } from '../../texts/shared/topic-names.ts';
import { lockFilesOf, releaseFiles } from '../../uploads/attachments.ts';
import type { DeletionBody } from './events.ts';
import { readersOfDeleted } from './readers.ts';

/** Messages per commit. Other changes of them wait for some tens of milliseconds. */
const BATCH_SIZE_MESSAGES = 500;

/**
 * Deletes a message with everything that belongs to it, for all users and permanently. Neither responses nor the log
 * contain it afterwards.
 * @throws ApiError if the caller is not allowed to do it
 */
export async function deleteOne(organization: Organization, caller: UserRecord, messageId: number): Promise<void> {
  await organization.transact(caller, 'optimistic', async (change, user) => {
    const ids = [messageId];
    await accessMessages(change.db, change.directory, user, ids, 'delete', 'delete');
    await deleteWithin(change, ids, user.id);
  });
}

/**
 * Deletes the messages of a topic that the caller can read, the newest first, some hundreds per commit. It ends when
 * none are left or the time is over (interface document, "POST /streams/{stream_id}/delete_topic"). It always commits
 * at least once, so repeated requests delete everything.
 * @param milliseconds no commit starts after this time
 * @returns whether none are left
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: the caller cannot access such a channel
 */
export async function deleteTopicWithin(
  organization: Organization,
  caller: UserRecord,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  milliseconds: number,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const deleteSome = async (change: OptimisticChange, user: UserRecord) => {
      if (user.role > Role.administrator) throw unauthorizedPrincipal('Must be an organization administrator');
      const channel = accessChannel(change.directory, user, channelId, 'read');
      const newest = await newestOf(change.db, change.directory, user, channel.id, storedTopic(topic));
      if (newest.ids.length > 0) await deleteWithin(change, newest.ids, user.id);
      return newest.found;
    };
    const found = await organization.transact(caller, 'optimistic', deleteSome, { isLarge: true });
    if (found < BATCH_SIZE_MESSAGES) return true;
    if (performance.now() >= end) return false;
  }
}

interface NewestMessages {
  /** Ascending. */
  readonly ids: readonly number[];
  /** How many the statement found, including those that other requests then moved or deleted. */
  readonly found: number;
}

/**
 * Locks the newest messages of a topic, as many as one commit deletes. The statement waits for other requests that move or delete some of
 * them. PostgreSQL then evaluates the outer condition again, and drops messages that left the topic. Index: messages_by_topic, downwards.
 */
async function newestOf(
  db: DbTransaction,
  directory: Directory,
  user: UserRecord,
  channelId: number,
  topic: string,
): Promise<NewestMessages> {
  const reader = readerOf(directory, user);
  const inTopic = sql`m.organization_id = ${reader.organizationId} AND m.channel_id = ${channelId}
                      AND lower(m.topic) = lower(${topic}) AND ${mayRead(reader)}`;
  const { rows } = await sql<{ ids: number[]; found: number }>`
    WITH newest AS MATERIALIZED (
      SELECT m.id FROM messages m WHERE ${inTopic} ORDER BY m.id DESC LIMIT ${BATCH_SIZE_MESSAGES}
    ), locked AS MATERIALIZED (
      SELECT m.id FROM messages m
       WHERE m.id = ANY (ARRAY(SELECT id FROM newest)) AND ${inTopic}
       ORDER BY m.id FOR UPDATE
    )
    SELECT ARRAY(SELECT id::float8 FROM locked ORDER BY id) AS ids, (SELECT count(*) FROM newest) AS found`.execute(db);
  return rows[0] ?? { ids: [], found: 0 };
}

/**
 * Deletes locked messages as a part of another change.
 * @param deleterId gets the event in any case; undefined if no user deletes them
 */
export async function deleteWithin(
  change: OptimisticChange,
  ids: readonly number[],
  deleterId?: number,
): Promise<void> {
  const { db, directory } = change;
  // Sent together and executed in this order: the audience must be read before the messages are deleted.
  const [files, { groups, kept }, , channelIds] = await Promise.all([
    lockFilesOf(change, ids),
    readersOfDeleted(db, directory, ids, deleterId),
    eraseEvents(db, directory.organization.id, ids),
    deleteMessages(db, directory.organization.id, ids),
    change.hooks.messagesDeleted(change, ids),
  ]);
  await releaseFiles(change, files);
  announceGone(
    change,
    groups.map((gone) => ({ ...gone, stay: false })),
  );
  // These users may not know where the messages were. Their clients would count the stars forever.
  for (const [userId, messageIds] of kept) announceUnstarred(change, userId, messageIds);
  const firstMessages = await updateFirstMessages(change, channelIds);
  for (const [channelId, firstMessageId] of firstMessages) announceFirstMessage(change, channelId, firstMessageId);
}

/** Deleted messages, and the users who lose them. */
export interface GoneMessages extends Omit<DeletionBody, 'isForOlderClients'> {
  readonly audience: Audience;
}

/** Bytes per commit for the events that older clients need, one per message. */
const MAX_REPEATED_BYTES = 16 * 1024 * 1024;

/** Notifies the users who had the messages. */
export function announceGone({ append }: Pick<OptimisticChange, 'append'>, groups: readonly GoneMessages[]): void {
  let room = MAX_REPEATED_BYTES;
  for (const { audience, ...gone } of groups) {
    append({ type: 'delete_message', audience, body: { ...gone, isForOlderClients: false } satisfies DeletionBody });
    const others = gone.messageIds.slice(1).map((messageId): NewEvent => {
      const body: DeletionBody = { ...gone, messageIds: [messageId], isForOlderClients: true };
      return { type: 'delete_message', audience, body };
    });
    const size = JSON.stringify(others.slice(-1)).length * others.length;
    // A very long list of users is not repeated for each message.
    if (size > room) continue;
    room -= size;
    for (const event of others) append(event);
  }
}
