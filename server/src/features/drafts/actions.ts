import { resourceNotFound } from '@heddle/api/errors.ts';
import type { ChangedSetting } from '../../directory/change.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkAddedTexts, checkChangedTexts } from '../../domain/texts/shared/kept-texts.ts';
import { checkedDraft, type WrittenDraft } from './checking.ts';
import { draftEvent } from './events.ts';
import { hasDraft, toDraft } from './queries.ts';

/**
 * Stores drafts of the caller, all or none, and notifies their clients. Returns the ids in the order of the drafts.
 * @throws ApiError `BAD_REQUEST`: an invalid draft, or too many or too much
 */
export async function createDrafts(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  written: readonly WrittenDraft[],
): Promise<number[]> {
  if (written.length === 0) return [];
  const organizationId = directory.organization.id;
  const now = Date.now();
  const drafts = written.map((draft) => checkedDraft(directory, caller, draft, now));
  const rows = await db
    .insertInto('drafts')
    .values(drafts.map((draft) => ({ organization_id: organizationId, user_id: caller.id, ...draft })))
    .returningAll()
    .execute();
  await checkAddedTexts(db, 'drafts', { organizationId, userId: caller.id });
  append(draftEvent(caller.id, { op: 'add', drafts: rows.map(toDraft) }));
  return rows.map(({ id }) => id);
}

/**
 * Replaces a draft.
 * @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such draft; `BAD_REQUEST`: the new one is invalid or too long
 */
export async function editDraft(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  id: number,
  written: WrittenDraft,
): Promise<void> {
  const organizationId = directory.organization.id;
  if (!(await hasDraft(db, organizationId, caller.id, id))) throw noSuchDraft();
  const row = await db
    .updateTable('drafts')
    .set(checkedDraft(directory, caller, written, Date.now()))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', caller.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw noSuchDraft();
  await checkChangedTexts(db, 'drafts', { organizationId, userId: caller.id });
  append(draftEvent(caller.id, { op: 'update', draft: toDraft(row) }));
}

/**
 * @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such draft
 */
export async function deleteDraft(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  id: number,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('drafts')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw noSuchDraft();
  append(draftEvent(caller.id, { op: 'remove', id }));
}

/** Deletes the drafts of a user who turns their synchronization off. Clients keep their copies, so there is no event. */
export async function deleteUnsynchronizedDrafts(
  { db, directory }: OptimisticChange,
  userId: number,
  { property, value }: ChangedSetting,
): Promise<void> {
  if (property !== 'enable_drafts_synchronization' || value !== false) return;
  const organizationId = directory.organization.id;
  await db.deleteFrom('drafts').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute();
}

function noSuchDraft() {
  return resourceNotFound('Draft does not exist');
}
