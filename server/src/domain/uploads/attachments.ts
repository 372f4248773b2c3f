/** Changes of uploaded files: links from messages, and deletion. */
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { dropKeys } from '../../storage/leftovers.ts';
import { attachmentEvent } from './events.ts';
import { markLeft, markLinked } from './links.ts';
import type { StoredPicture } from './picture.ts';
import type { Attachment } from './present.ts';
import { attachmentColumns, maxLinksPerFile, spaceUsed } from './queries.ts';
import { takeSpace } from './space.ts';

/**
 * Deletes one of the user's files.
 * @throws ApiError `BAD_REQUEST`: the user does not own such a file
 */
export async function deleteAttachment(change: OptimisticChange, user: UserRecord, id: number): Promise<void> {
  const { db, directory } = change;
  const { rows } = await sql`
    SELECT FROM attachments
     WHERE organization_id = ${directory.organization.id} AND id = ${id} AND owner_id = ${user.id} FOR UPDATE`.execute(
    db,
  );
  if (rows.length === 0) throw badRequest('Invalid attachment');
  await deleteFiles(change, [id]);
}

interface GoneRow {
  id: number;
  owner_id: number;
  storage_key: string;
  size: number;
  picture: StoredPicture | null;
}

/** Deletes locked files and notifies their owners. A job removes their content later (storage/leftovers.ts). */
export async function deleteFiles({ db, directory, append }: OptimisticChange, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const organizationId = directory.organization.id;
  const { rows } = await sql<GoneRow>`
    DELETE FROM attachments WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[])
    RETURNING id, owner_id, storage_key, size, picture`.execute(db);
  const keys = rows.flatMap(({ storage_key: key, picture }) => [
    key,
    ...(picture?.thumbnails ?? []).map((thumbnail) => thumbnail.key),
  ]);
  await dropKeys(db, keys);
  const freed = rows.reduce((sum, { size }) => sum + size, 0);
  const space = await takeSpace(db, organizationId, -freed);
  for (const row of rows) {
    append(attachmentEvent(row.owner_id, { op: 'remove', attachmentId: row.id, space }));
  }
}

/**
 * Locks the files that the messages link to, before the messages are deleted. Returns their ids. Index:
 * attachments_by_message.
 */
export async function lockFilesOf(
  { db, directory }: OptimisticChange,
  messageIds: readonly number[],
): Promise<readonly number[]> {
  const organizationId = directory.organization.id;
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM attachments
     WHERE organization_id = ${organizationId} AND id IN (
             SELECT attachment_id FROM attachment_messages
              WHERE organization_id = ${organizationId} AND message_id = ANY (${messageIds}::bigint[]))
     ORDER BY id FOR UPDATE`.execute(db);
  return rows.map(({ id }) => id);
}

/** Call it after messages were deleted. Deletes files without further links, and notifies the owners of the others. */
export async function releaseFiles(change: OptimisticChange, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, directory } = change;
  const left = await markLeft(db, directory.organization.id, ids);
  const stillLinked = ids.filter((id) => !left.includes(id));
  await notifyOwners(change, stillLinked);
  await deleteFiles(change, left);
}

/** Notifies the owners of files about the messages that link to them now. Returns the files. */
async function notifyOwners({ db, directory, append }: OptimisticChange, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const organizationId = directory.organization.id;
  const { rows } = await sql<Attachment & { owner_id: number }>`
    SELECT a.owner_id, ${attachmentColumns(organizationId, maxLinksPerFile(ids.length))} FROM attachments a
     WHERE a.organization_id = ${organizationId} AND a.id = ANY (${ids}::bigint[])
     ORDER BY a.id`.execute(db);
  const space = await spaceUsed(db, organizationId);
  for (const { owner_id: ownerId, ...attachment } of rows) {
    append(attachmentEvent(ownerId, { op: 'update', attachment, space }));
  }
  return rows;
}

/**
 * Replaces the links of a locked message by links to these files. Returns the user's files that no message links to any
 * more.
 * @param files must be locked: the caller rendered the text with them
 */
export async function relinkMessage(
  change: OptimisticChange,
  user: UserRecord,
  messageId: number,
  files: readonly { readonly attachment: Pick<Attachment, 'id'> }[],
): Promise<readonly Attachment[]> {
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const ids = files.map(({ attachment }) => attachment.id);
  const before = await lockFilesOf(change, [messageId]);
  const gone = before.filter((id) => !ids.includes(id));
  const come = ids.filter((id) => !before.includes(id));
  if (gone.length === 0 && come.length === 0) return [];
  await sql`
    DELETE FROM attachment_messages
     WHERE organization_id = ${organizationId} AND message_id = ${messageId} AND attachment_id = ANY (${gone}::bigint[])`.execute(
    db,
  );
  await sql`
    INSERT INTO attachment_messages (organization_id, attachment_id, message_id)
    SELECT ${organizationId}, id, ${messageId} FROM unnest(${come}::bigint[]) AS id`.execute(db);
  await markLinked(db, organizationId, come);
  const left = await markLeft(db, organizationId, gone);
  const notified = await notifyOwners(change, [...gone, ...come]);
  return notified.flatMap(({ owner_id: ownerId, ...attachment }) =>
    ownerId === user.id && left.includes(attachment.id) ? attachment : [],
  );
}

/**
 * Replaces the links of the user's scheduled message. Such a link protects a file from `deleteUnlinked`, but gives no
 * access to it.
 */
export async function relinkScheduled(
  { db, directory }: OptimisticChange,
  userId: number,
  scheduledId: number,
  files: readonly { readonly attachment: Pick<Attachment, 'id'> }[],
): Promise<void> {
  const organizationId = directory.organization.id;
  const ids = files.map(({ attachment }) => attachment.id);
  const { rows } = await sql<{ attachment_id: number }>`
    DELETE FROM attachment_scheduled_messages
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND scheduled_message_id = ${scheduledId}
    RETURNING attachment_id`.execute(db);
  const before = rows.map((row) => row.attachment_id);
  if (before.length === 0 && ids.length === 0) return;
  // A request that links a file to a message holds its lock until it commits. Only a statement after that sees the link.
  await sql`
    SELECT FROM attachments
     WHERE organization_id = ${organizationId} AND id = ANY (${[...before, ...ids]}::bigint[])
     ORDER BY id FOR NO KEY UPDATE`.execute(db);
  // Files that were deleted meanwhile are left out.
  await sql`
    INSERT INTO attachment_scheduled_messages (organization_id, attachment_id, user_id, scheduled_message_id)
    SELECT ${organizationId}, id, ${userId}, ${scheduledId} FROM attachments
     WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[])`.execute(db);
  await markLinked(db, organizationId, ids);
  await markLeft(
    db,
    organizationId,
    before.filter((id) => !ids.includes(id)),
  );
}

/** Removes the links of all scheduled messages of the user. */
export async function unlinkAllScheduled({ db, directory }: OptimisticChange, userId: number): Promise<void> {
  const organizationId = directory.organization.id;
  const { rows } = await sql<{ attachment_id: number }>`
    DELETE FROM attachment_scheduled_messages WHERE organization_id = ${organizationId} AND user_id = ${userId}
    RETURNING attachment_id`.execute(db);
  await markLeft(db, organizationId, [...new Set(rows.map((row) => row.attachment_id))]);
}
