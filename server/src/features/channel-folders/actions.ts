import { MAX_CHANNEL_FOLDERS } from '@heddle/api/endpoints/channel-folders.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { roleRefusal } from '../../access/setting-changes.ts';
import { violatesUnique } from '../../db/failures.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type FolderRow, findFolder, toFolder } from '../../domain/channels/open-folders.ts';
import type { FolderChanges, FolderEvent } from './events.ts';
import { checkedFolderDescription, checkedFolderName } from './names.ts';

/**
 * All changes of folders hold the organization lock, though the directory contains none. Otherwise a channel could join a folder while that
 * folder is archived.
 */
export interface FolderTexts {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
}

/** Renders a description as HTML. */
type Render = (description: string) => string;

/**
 * Creates a folder, the last in order, and returns its id.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: an invalid text, a name that exists, or too many folders
 */
export async function createFolder(
  change: Change,
  caller: UserRecord,
  texts: FolderTexts,
  render: Render,
): Promise<number> {
  checkMayChange(caller);
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const name = checkedFolderName(texts.name);
  const description = checkedFolderDescription(texts.description);
  const { count, next } = await db
    .selectFrom('channel_folders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_CHANNEL_FOLDERS) throw badRequest(`Too many channel folders (limit: ${MAX_CHANNEL_FOLDERS})`);
  const row = await unlessTaken(() =>
    db
      .insertInto('channel_folders')
      .values({
        organization_id: organizationId,
        name,
        description,
        rendered_description: render(description),
        creator_id: caller.id,
        position: next,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  announce(change, { op: 'add', folder: toFolder(row) });
  return row.id;
}

/** The changes of a folder. */
export interface FolderEdit {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly is_archived: boolean | undefined;
}

/**
 * Applies the given values that differ.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: no such folder, an invalid text, a name that exists, or a folder with channels
 *   that is to be archived
 */
export async function changeFolder(
  change: Change,
  caller: UserRecord,
  id: number,
  edit: FolderEdit & { readonly render: Render },
): Promise<void> {
  checkMayChange(caller);
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const changes = changesOf(await findFolder(db, organizationId, id), edit);
  if (Object.keys(changes).length === 0) return;
  if (changes.is_archived && directory.channels.values().some((channel) => channel.folderId === id)) {
    throw badRequest('You need to remove all the channels from this folder to archive it.');
  }
  await unlessTaken(() =>
    db
      .updateTable('channel_folders')
      .set(changes)
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute(),
  );
  announce(change, { op: 'update', folderId: id, changes });
}

function changesOf(row: FolderRow, edit: FolderEdit & { readonly render: Render }): FolderChanges {
  const name = edit.name === undefined ? row.name : checkedFolderName(edit.name);
  const description = edit.description === undefined ? row.description : checkedFolderDescription(edit.description);
  const isArchived = edit.is_archived ?? row.is_archived;
  return {
    ...(name !== row.name && { name }),
    ...(description !== row.description && { description, rendered_description: edit.render(description) }),
    ...(isArchived !== row.is_archived && { is_archived: isArchived }),
  };
}

/**
 * Puts the folders into this order.
 * @param order the ids of all of them
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: an id is missing, repeated or unknown
 */
export async function reorderFolders(change: Change, caller: UserRecord, order: readonly number[]): Promise<void> {
  checkMayChange(caller);
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const rows = await db
    .selectFrom('channel_folders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute();
  const wanted = new Set(order);
  if (order.length !== rows.length || rows.some(({ id }) => !wanted.has(id)))
    throw badRequest('Invalid order mapping.');
  await sql`
    UPDATE channel_folders SET position = place - 1
      FROM unnest(${order}::bigint[]) WITH ORDINALITY AS wanted (folder_id, place)
     WHERE organization_id = ${organizationId} AND id = folder_id`.execute(db);
  announce(change, { op: 'reorder', folderIds: order });
}

function announce({ append }: Change, body: FolderEvent): void {
  append({ type: 'channel_folder', audience: { to: 'everyone' }, body });
}

function checkMayChange(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}

async function unlessTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violatesUnique(error, 'channel_folders_by_name')) throw badRequest('Channel folder name already in use');
    throw error;
  }
}
