/**
 * Which messages link to which files. This decides who can open a file. A message links only to files that its sender
 * can open. So writing an address into a message gives no access.
 */
import { sql } from 'kysely';
import { readerOf } from '../../access/readable-messages.ts';
import type { Viewer } from '../../access/spectators.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';
import { MESSAGE_ID, type RowWriter } from '../../log/rows.ts';
import { attachmentEvent, type EarlierLink } from './events.ts';
import { filesNamedIn } from './names.ts';
import type { StoredPicture } from './picture.ts';
import type { Attachment } from './present.ts';
import { attachmentColumns, isReadable, MAX_LINKS_PER_FILE, maxLinksPerFile, spaceUsed } from './queries.ts';

/** A file that a user can link to. */
export interface LinkableFile {
  readonly ownerId: number;
  readonly contentType: string;
  readonly picture: StoredPicture | null;
  /** With the newest messages that link to it. */
  readonly attachment: Attachment;
  /** The number of messages that link to it. */
  readonly links: number;
  /** Bytes of all files of the organization. */
  readonly space: number;
}

/** The files that a text can link to, by address. */
export type LinkableFiles = ReadonlyMap<string, LinkableFile>;

export const NO_FILES: LinkableFiles = new Map();

interface Row extends Attachment {
  owner_id: number;
  content_type: string;
  picture: StoredPicture | null;
  links: number;
}

/** A text and its author. */
export interface AskingText {
  readonly user: UserRecord;
  readonly content: string;
}

/**
 * Returns the files that each of the texts can link to. Indexes: attachments by address, the primary keys.
 * @param hold `change` locks the files until the end of the transaction, in the order of ids. Then no other transaction
 * links to them or draws them.
 */
export async function linkableFiles(
  db: Db | DbTransaction,
  directory: Directory,
  texts: readonly AskingText[],
  hold: 'look' | 'change',
): Promise<readonly LinkableFiles[]> {
  const named = texts.map(({ content }) => filesNamedIn(content));
  const paths = [...new Set(named.flat())];
  if (paths.length === 0) return texts.map(() => NO_FILES);
  const organizationId = directory.organization.id;
  if (hold === 'change') {
    await sql`
      SELECT FROM attachments WHERE organization_id = ${organizationId} AND path_id = ANY (${paths}::text[])
       ORDER BY id FOR NO KEY UPDATE`.execute(db);
  }
  const { rows } = await sql<Row>`
    SELECT a.owner_id, a.content_type, a.picture, ${attachmentColumns(organizationId, maxLinksPerFile(paths.length))},
           (SELECT count(*)::integer FROM attachment_messages
             WHERE organization_id = ${organizationId} AND attachment_id = a.id) AS links
      FROM attachments a
     WHERE a.organization_id = ${organizationId} AND a.path_id = ANY (${paths}::text[])`.execute(db);
  if (rows.length === 0) return texts.map(() => NO_FILES);
  const space = await spaceUsed(db, organizationId);
  const byPath = new Map(rows.map((row) => [row.path_id, row]));
  const mayOpen = await whoMayOpen(db, directory, texts, rows);
  return texts.map(({ user }, place) => {
    const files = new Map<string, LinkableFile>();
    for (const path of named[place] ?? []) {
      const row = byPath.get(path);
      if (row === undefined || !mayOpen(user, row)) continue;
      const { owner_id: ownerId, content_type: contentType, picture, links, ...attachment } = row;
      files.set(path, { ownerId, contentType, picture, attachment, links, space });
    }
    return files;
  });
}

/** One statement for each user who names a file of another user. */
async function whoMayOpen(
  db: Db | DbTransaction,
  directory: Directory,
  texts: readonly AskingText[],
  rows: readonly Row[],
): Promise<(user: UserRecord, row: Row) => boolean> {
  const readable = new Map<number, ReadonlySet<number>>();
  for (const { user } of texts) {
    if (readable.has(user.id)) continue;
    const others = rows.flatMap((row) => (row.owner_id === user.id ? [] : row.id));
    readable.set(user.id, others.length === 0 ? new Set() : await readableAmong(db, directory, user, others));
  }
  return (user, row) => row.owner_id === user.id || readable.get(user.id)?.has(row.id) === true;
}

async function readableAmong(db: Db | DbTransaction, directory: Directory, viewer: Viewer, ids: readonly number[]) {
  const reader = readerOf(directory, viewer);
  const { rows } = await sql<{ id: number }>`
    SELECT a.id FROM attachments a
     WHERE a.organization_id = ${reader.organizationId} AND a.id = ANY (${ids}::bigint[]) AND ${isReadable(reader)}`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns those files that a text really links to, without files that have the maximum of links.
 * @param linked addresses, as the renderer found them
 */
export function filesLinkedBy(files: LinkableFiles, linked: readonly string[]): readonly LinkableFile[] {
  return linked.flatMap((path) => {
    const file = files.get(path);
    return file === undefined || file.links >= MAX_LINKS_PER_FILE ? [] : file;
  });
}

/** The uploaded files that a message links to. */
export interface MessageFiles {
  readonly attachmentIds: readonly number[];
  /** Events for the owners of the files. The log adds the message's id to each. */
  readonly events: readonly NewEvent[];
}

/** The links themselves. */
export const fileLinks = {
  table: 'attachment_messages',
  columns: { attachment_id: 'bigint', message_id: MESSAGE_ID },
} as const satisfies RowWriter;

/** Links to earlier messages of the same change, for all of its files together. */
const MAX_EARLIER_LINKS = 1000;

/** Collects the links of all messages that one change sends. Call `next` once per message, in the order of sending. */
export class NewLinks {
  #sent = 0;
  /** How many links to messages of the same change the events can still contain. */
  #left = MAX_EARLIER_LINKS;
  readonly #links = new Map<number, { readonly place: number; readonly dateSent: number }[]>();

  /**
   * Returns the links of the next message.
   * @param sentAt seconds since the epoch
   */
  next(files: readonly LinkableFile[], sentAt: number): MessageFiles | undefined {
    this.#sent += 1;
    if (files.length === 0) return undefined;
    const dateSent = sentAt * 1000;
    return {
      attachmentIds: files.map(({ attachment }) => attachment.id),
      events: files.map((file) => this.#linked(file, dateSent)),
    };
  }

  #linked({ ownerId, attachment, space }: LinkableFile, dateSent: number): NewEvent {
    const place = this.#sent;
    const links = this.#links.get(attachment.id) ?? [];
    const earlier: EarlierLink[] = links
      .slice(Math.max(0, links.length - this.#left))
      .map((link) => ({ before: place - link.place, dateSent: link.dateSent }))
      .reverse();
    this.#left -= earlier.length;
    this.#links.set(attachment.id, [...links, { place, dateSent }]);
    return attachmentEvent(ownerId, { op: 'update', attachment, space, dateSent, earlier });
  }
}

/** Marks files as linked. The statement that inserts the message inserts the links themselves. */
export async function markLinked(
  db: DbTransaction,
  organizationId: number,
  attachmentIds: readonly number[],
): Promise<void> {
  if (attachmentIds.length === 0) return;
  await sql`
    UPDATE attachments SET unlinked_since = NULL
     WHERE organization_id = ${organizationId} AND id = ANY (${attachmentIds}::bigint[])
       AND unlinked_since IS NOT NULL`.execute(db);
}

/**
 * Marks those of the files that have no links any more, and returns them. The files must be locked, or belong to
 * scheduled messages of this change.
 */
export async function markLeft(
  db: DbTransaction,
  organizationId: number,
  attachmentIds: readonly number[],
): Promise<readonly number[]> {
  if (attachmentIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    UPDATE attachments a SET unlinked_since = now()
     WHERE a.organization_id = ${organizationId} AND a.id = ANY (${attachmentIds}::bigint[])
       AND NOT EXISTS (SELECT FROM attachment_messages link
                        WHERE link.organization_id = ${organizationId} AND link.attachment_id = a.id)
       AND NOT EXISTS (SELECT FROM attachment_scheduled_messages link
                        WHERE link.organization_id = ${organizationId} AND link.attachment_id = a.id)
    RETURNING a.id`.execute(db);
  return rows.map(({ id }) => id);
}
