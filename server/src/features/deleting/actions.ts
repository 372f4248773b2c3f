import { unauthorizedPrincipal } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { accessChannel } from '../../access/channels.ts';
import { accessMessages } from '../../access/message-door.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange, Organization } from '../../directory/organization.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { eraseEvents } from '../../log/erase.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { announceFirstMessage } from '../channels/actions.ts';
import { deleteMessages } from '../messages/actions.ts';
import { announceUnstarred } from '../read-state/actions.ts';
import { forgetQuotes } from '../reminders/actions.ts';
import { storedTopic } from '../topic-names.ts';
import { lockFilesOf, releaseFiles } from '../uploads/actions.ts';
import type { DeletionBody } from './events.ts';
import { whoHas } from './readers.ts';

/** So many messages of a topic go in one commit: what others want to change there waits for tens of milliseconds. */
const BATCH = 500;

/**
 * Deletes a message with all that belongs to it, for everybody and for good: no answer shows it any more, and neither does the log.
 * @throws ApiError for what forbids it
 */
export async function deleteOne(organization: Organization, caller: UserRecord, messageId: number): Promise<void> {
  await organization.ordinary(caller, async (change, user) => {
    const ids = [messageId];
    await accessMessages(change.db, change.directory, user, ids, 'delete', 'delete');
    await deleteWithin(change, ids);
  });
}

/**
 * Deletes the messages of a topic that the caller may read, the newest first, some hundreds a commit, until there are none or time is out
 * (interface document, "POST /streams/{stream_id}/delete_topic"). At least one commit is made, so who asks again and again gets done.
 * @param milliseconds after which no further commit is begun
 * @returns whether none are left
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: no such channel for the caller
 */
export async function deleteTopicWithin(
  organization: Organization,
  caller: UserRecord,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  milliseconds: number,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const deleted = await organization.large(caller, async (change, user) => {
      if (user.role > Role.administrator) throw unauthorizedPrincipal('Must be an organization administrator');
      const channel = accessChannel(change.directory, user, channelId, 'read');
      const ids = await newestOf(change.db, change.directory, user, channel.id, storedTopic(topic));
      if (ids.length > 0) await deleteWithin(change, ids);
      return ids.length;
    });
    if (deleted < BATCH) return true;
    if (performance.now() >= end) return false;
  }
}

/** The newest messages of a topic, as many as a commit takes, locked; ascending. Index: messages_by_topic, downwards. */
async function newestOf(
  db: DbTransaction,
  directory: Directory,
  user: UserRecord,
  channelId: number,
  topic: string,
): Promise<readonly number[]> {
  const reader = readerOf(directory, user);
  const { rows } = await sql<{ id: number }>`
    WITH newest AS MATERIALIZED (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = ${channelId}
         AND lower(m.topic) = lower(${topic}) AND ${mayRead(reader)}
       ORDER BY m.id DESC LIMIT ${BATCH}
    )
    SELECT id FROM messages
     WHERE organization_id = ${reader.organizationId} AND id = ANY (ARRAY(SELECT id FROM newest))
     ORDER BY id FOR UPDATE`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes messages in a change that does more; they are locked. */
export async function deleteWithin(change: OrdinaryChange, ids: readonly number[]): Promise<void> {
  const { db, directory } = change;
  // Sent together, one after another: who has the messages is asked before they go.
  const [files, { groups, kept }, , { firstMessages }] = await Promise.all([
    lockFilesOf(change, ids),
    whoHas(db, directory, ids),
    eraseEvents(db, directory.organization.id, ids),
    deleteMessages(db, directory.organization.id, ids),
    forgetQuotes(change, ids),
  ]);
  await releaseFiles(change, files);
  announceGone(
    change,
    groups.map((gone) => ({ ...gone, stay: false })),
  );
  // They may not know where the messages were, and would count the stars for ever.
  for (const [userId, messageIds] of kept) announceUnstarred(change, userId, messageIds);
  for (const [channelId, firstMessageId] of firstMessages) announceFirstMessage(change, channelId, firstMessageId);
}

/** Messages that are gone for those in the audience. */
export interface GoneMessages extends Omit<DeletionBody, 'isForOlderClients'> {
  readonly audience: Audience;
}

/** So much may what older clients are told message by message take in one commit, in bytes. */
const MOST_REPEATED = 16 * 1024 * 1024;

/** Tells whoever had the messages that they are gone. */
export function announceGone({ append }: Pick<OrdinaryChange, 'append'>, groups: readonly GoneMessages[]): void {
  let room = MOST_REPEATED;
  for (const { audience, ...gone } of groups) {
    append({ type: 'delete_message', audience, body: { ...gone, isForOlderClients: false } satisfies DeletionBody });
    const others = gone.messageIds.slice(1).map((messageId): NewEvent => {
      const body: DeletionBody = { ...gone, messageIds: [messageId], isForOlderClients: true };
      return { type: 'delete_message', audience, body };
    });
    const size = JSON.stringify(others.slice(-1)).length * others.length;
    // What lists very many is not repeated for each message.
    if (size > room) continue;
    room -= size;
    for (const event of others) append(event);
  }
}
