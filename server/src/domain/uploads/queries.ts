import { type RawBuilder, sql } from 'kysely';
import { mayRead, type Reader, readerOf } from '../../access/readable-messages.ts';
import type { Viewer } from '../../access/spectators.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Organization } from '../../directory/organization.ts';
import type { StoredPicture } from './picture.ts';
import type { Attachment } from './present.ts';

/** Files per list; the newest first, which clients show first. */
const MAX_LISTED_FILES = 5000;
/** Listed links per file, and for all files of a list together; but at least `MIN_LISTED_LINKS_PER_FILE` per file. */
const MAX_LISTED_LINKS_PER_FILE = 50;
const MAX_LISTED_LINKS = 25_000;
const MIN_LISTED_LINKS_PER_FILE = 5;
/** Links per file. Further messages do not give access to it. */
export const MAX_LINKS_PER_FILE = 500;
/** Links in the events of one change, the newest of each file; but at least `MIN_LINKS_IN_EVENTS` per file. */
const MAX_LINKS_IN_EVENTS = 1000;
const MIN_LINKS_IN_EVENTS = 5;

/**
 * Links per file in the events of a change of this many files. A text can name hundreds of files, and the log keeps
 * every event.
 */
export function maxLinksPerFile(files: number): number {
  return Math.max(
    MIN_LINKS_IN_EVENTS,
    Math.min(MAX_LINKS_PER_FILE, Math.floor(MAX_LINKS_IN_EVENTS / Math.max(files, 1))),
  );
}

/** Milliseconds since the epoch. */
export const milliseconds = (time: RawBuilder<unknown>) => sql`floor(extract(epoch FROM ${time}) * 1000)::bigint`;

/** The columns of the API's object for files `a`, with the newest links of each. Index: the primary keys. */
export function attachmentColumns(organizationId: number, maxLinks: number | RawBuilder<number>): RawBuilder<unknown> {
  return sql`a.id, a.name, a.path_id, a.size, ${milliseconds(sql`a.created_at`)} AS create_time, coalesce((
    SELECT json_agg(json_build_object('id', m.id, 'date_sent', ${milliseconds(sql`m.sent_at`)}) ORDER BY m.id DESC)
      FROM (SELECT message_id FROM attachment_messages
             WHERE organization_id = ${organizationId} AND attachment_id = a.id
             ORDER BY message_id DESC LIMIT ${maxLinks}) AS link
     CROSS JOIN LATERAL (SELECT id, sent_at FROM messages
                          WHERE organization_id = ${organizationId} AND id = link.message_id OFFSET 0) AS m), '[]') AS messages`;
}

/** Whether a message that the reader may read links to file `a`. Index: the primary keys. */
export function isReadable(reader: Reader): RawBuilder<boolean> {
  return sql`EXISTS (
    SELECT FROM attachment_messages link
     CROSS JOIN LATERAL (
             SELECT id, channel_id, conversation_id, home_channel_id, stay_channels, stay_since FROM messages
              WHERE organization_id = ${reader.organizationId} AND id = link.message_id
             OFFSET 0) AS m
     WHERE link.organization_id = ${reader.organizationId} AND link.attachment_id = a.id AND ${mayRead(reader)})`;
}

/** A file with everything that serving it needs. */
export interface StoredFile {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly pathId: string;
  readonly key: string;
  readonly contentType: string;
  readonly size: number;
  readonly createdAt: Date;
  readonly picture: StoredPicture | null;
}

const storedColumns = sql`a.id, a.owner_id AS "ownerId", a.name, a.path_id AS "pathId", a.storage_key AS key, a.content_type AS "contentType", a.size,
  a.created_at AS "createdAt", a.picture`;

/**
 * The file at that address, if the viewer can open it now: as its owner, or as a reader of a message that links to it.
 * One statement.
 */
export function fileFor(organization: Organization, viewer: Viewer, pathId: string): Promise<StoredFile | undefined> {
  return organization.readAtOnce(viewer, async ({ directory, caller }) => {
    const reader = readerOf(directory, caller);
    return {
      statement: sql<StoredFile>`
        SELECT ${storedColumns} FROM attachments a
         WHERE a.organization_id = ${reader.organizationId} AND a.path_id = ${pathId}
           AND (a.owner_id = ${reader.userId} OR ${isReadable(reader)})`,
      result: (rows: readonly Partial<StoredFile>[]) => found(rows),
    };
  });
}

/** `readAtOnce` returns a row without a file if there is none. */
function found([row]: readonly Partial<StoredFile>[]): StoredFile | undefined {
  return row === undefined || row.id === null || row.id === undefined ? undefined : (row as StoredFile);
}

/** Without a check of access. */
export async function fileById(db: Db, organizationId: number, id: number): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    SELECT ${storedColumns} FROM attachments a WHERE a.organization_id = ${organizationId} AND a.id = ${id}`.execute(
    db,
  );
  return rows[0];
}

/** The user's files, newest first. Index: attachments_by_owner. */
export async function attachmentsOf(db: Db, organizationId: number, userId: number): Promise<readonly Attachment[]> {
  const count = sql`(SELECT count(*) FROM (SELECT FROM attachments
                             WHERE organization_id = ${organizationId} AND owner_id = ${userId} LIMIT ${MAX_LISTED_FILES}) AS listed)`;
  const each = sql<number>`greatest(${MIN_LISTED_LINKS_PER_FILE}, least(${MAX_LISTED_LINKS_PER_FILE}, ${MAX_LISTED_LINKS} / ${count}))`;
  const { rows } = await sql<Attachment>`
    SELECT ${attachmentColumns(organizationId, each)} FROM attachments a
     WHERE a.organization_id = ${organizationId} AND a.owner_id = ${userId}
     ORDER BY a.id DESC LIMIT ${MAX_LISTED_FILES}`.execute(db);
  return rows;
}

/** Bytes of all files of the organization. */
export async function spaceUsed(db: Db | DbTransaction, organizationId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT bytes FROM upload_space WHERE organization_id = ${organizationId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Bytes that the organization's unfinished uploads will have. Index: resumable_uploads_by_user. */
export async function spaceReserved(db: Db | DbTransaction, organizationId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(size), 0)::bigint AS bytes FROM resumable_uploads
     WHERE organization_id = ${organizationId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
