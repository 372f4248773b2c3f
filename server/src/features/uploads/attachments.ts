/** What becomes of uploaded files: they are somebody's, messages link to them, and they are deleted. */
import { badRequest, uploadQuotaExceeded } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { addJob } from '../../jobs/adding.ts';
import { dropKeys } from '../../storage/leftovers.ts';
import { attachmentEvent } from './events.ts';
import { drawThumbnails } from './job-kinds.ts';
import { markLeft, markLinked } from './links.ts';
import type { StoredPicture } from './picture.ts';
import type { Attachment } from './present.ts';
import { attachmentColumns, linksTold, milliseconds, spaceReserved, spaceUsed } from './queries.ts';

const MIB = 1024 * 1024;

/** A file whose content is stored. */
export interface NewFile {
  readonly key: string;
  readonly pathId: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly picture: StoredPicture | null;
}

/**
 * Makes a stored file the user's, and tells them.
 * @throws ApiError `REALM_UPLOAD_QUOTA`
 */
export async function addAttachment(
  { db, directory, append }: OrdinaryChange,
  owner: UserRecord,
  file: NewFile,
  { uploadQuotaMib }: Pick<Config, 'uploadQuotaMib'>,
): Promise<void> {
  const organizationId = directory.organization.id;
  const { key, pathId, name, contentType, size } = file;
  const picture = file.picture === null ? null : JSON.stringify(file.picture);
  const [added] = await executePrepared<AddedRow>(
    db,
    'add attachment',
    sql`
    WITH kept AS (DELETE FROM storage_leftovers WHERE key = ${key} RETURNING key),
    added AS (
      INSERT INTO attachments (organization_id, owner_id, path_id, storage_key, name, content_type, size, picture)
      SELECT ${organizationId}::integer, ${owner.id}::integer, ${pathId}, key, ${name}, ${contentType}, ${size}::bigint, ${picture}::jsonb
        FROM kept
      RETURNING id, ${milliseconds(sql`created_at`)} AS create_time),
    space AS (
      INSERT INTO upload_space AS space (organization_id, bytes) SELECT ${organizationId}::integer, ${size}::bigint FROM kept
      ON CONFLICT (organization_id) DO UPDATE SET bytes = space.bytes + excluded.bytes
      RETURNING bytes)
    SELECT id, create_time, bytes AS space FROM added, space`,
  );
  if (added === undefined) throw new Error('a file was given up before it was whole');
  const { id, create_time, space } = added;
  if (picture !== null) await addJob(db, drawThumbnails, { organizationId, payload: { attachmentId: id } });
  if (uploadQuotaMib !== null) checkQuota(space + (await spaceReserved(db, organizationId)), uploadQuotaMib);
  append(
    attachmentEvent(owner.id, {
      op: 'add',
      attachment: { id, name, path_id: pathId, size, create_time, messages: [] },
      space,
    }),
  );
}

interface AddedRow {
  id: number;
  create_time: number;
  space: number;
}

/**
 * Whether an upload of so many bytes may begin that comes in pieces: until the transaction's end nobody else takes the room.
 * @throws ApiError `REALM_UPLOAD_QUOTA`
 */
export async function checkSpaceFor(
  db: DbTransaction,
  organizationId: number,
  bytes: number,
  { uploadQuotaMib }: Pick<Config, 'uploadQuotaMib'>,
): Promise<void> {
  if (uploadQuotaMib === null) return;
  const taken = (await takeSpace(db, organizationId, 0)) + (await spaceReserved(db, organizationId));
  checkQuota(taken + Math.max(bytes, 1), uploadQuotaMib);
}

/** @throws ApiError `REALM_UPLOAD_QUOTA` */
function checkQuota(bytes: number, mib: number): void {
  if (bytes > mib * MIB) throw uploadQuotaExceeded();
}

/** What all files of the organization take now, in bytes. Whoever else adds or removes some waits until the commit. */
async function takeSpace(db: DbTransaction, organizationId: number, bytes: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    INSERT INTO upload_space AS space (organization_id, bytes) VALUES (${organizationId}, ${bytes})
    ON CONFLICT (organization_id) DO UPDATE SET bytes = space.bytes + ${bytes}::bigint
    RETURNING bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/**
 * Deletes one of the user's files.
 * @throws ApiError `BAD_REQUEST`: the user has no such file
 */
export async function deleteAttachment(change: OrdinaryChange, user: UserRecord, id: number): Promise<void> {
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

/** Deletes files, which are locked, and tells their owners. Their content goes in a while (storage/leftovers.ts). */
export async function deleteFiles({ db, directory, append }: OrdinaryChange, ids: readonly number[]): Promise<void> {
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

/** Locks the files that the messages link to, before they are deleted; answers their ids. Index: attachments_by_message. */
export async function lockFilesOf(
  { db, directory }: OrdinaryChange,
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

/** After messages were deleted: files that nothing links to any more go with them, and the owners of the others are told. */
export async function releaseFiles(change: OrdinaryChange, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, directory } = change;
  const left = await markLeft(db, directory.organization.id, ids);
  const stillLinked = ids.filter((id) => !left.includes(id));
  await tellOwners(change, stillLinked);
  await deleteFiles(change, left);
}

/** Tells the owners of files which messages link to them now; answers the files as they are. */
async function tellOwners({ db, directory, append }: OrdinaryChange, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const organizationId = directory.organization.id;
  const { rows } = await sql<Attachment & { owner_id: number }>`
    SELECT a.owner_id, ${attachmentColumns(organizationId, linksTold(ids.length))} FROM attachments a
     WHERE a.organization_id = ${organizationId} AND a.id = ANY (${ids}::bigint[])
     ORDER BY a.id`.execute(db);
  const space = await spaceUsed(db, organizationId);
  for (const { owner_id: ownerId, ...attachment } of rows) {
    append(attachmentEvent(ownerId, { op: 'update', attachment, space }));
  }
  return rows;
}

/**
 * A message that is locked links to these files from now on, and to no others. Answers the user's files that nothing links to any more.
 * @param files locked, by whoever rendered the text with them
 */
export async function relinkMessage(
  change: OrdinaryChange,
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
  const told = await tellOwners(change, [...gone, ...come]);
  return told.flatMap(({ owner_id: ownerId, ...attachment }) =>
    ownerId === user.id && left.includes(attachment.id) ? attachment : [],
  );
}

/** The user's scheduled message links to these files from now on; it keeps them from being collected, and lets nobody in. */
export async function relinkScheduled(
  { db, directory }: OrdinaryChange,
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
  // Those that were deleted meanwhile are left out.
  await sql`
    INSERT INTO attachment_scheduled_messages (organization_id, attachment_id, user_id, scheduled_message_id)
    SELECT ${organizationId}, id, ${userId}, ${scheduledId} FROM attachments
     WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[])
     ORDER BY id FOR NO KEY UPDATE`.execute(db);
  await markLinked(db, organizationId, ids);
  await markLeft(
    db,
    organizationId,
    rows.flatMap((row) => (ids.includes(row.attachment_id) ? [] : row.attachment_id)),
  );
}
