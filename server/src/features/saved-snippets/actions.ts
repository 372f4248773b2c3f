import { invalidParameter, resourceNotFound } from '@heddle/api/errors.ts';
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkAddedTexts, checkChangedTexts } from '../../domain/texts/shared/kept-texts.ts';
import type { SavedSnippetEvent } from './events.ts';
import { SNIPPET_COLUMNS, toSnippet } from './queries.ts';

const MAX_TITLE_LENGTH = 60;

export interface SnippetTexts {
  readonly title: string;
  readonly content: string;
}

/** The texts that change. */
type ChangedTexts = { readonly [Name in keyof SnippetTexts]?: SnippetTexts[Name] | undefined };

/**
 * Saves a snippet of the caller, notifies their clients and returns its id.
 * @throws ApiError `BAD_REQUEST`: a text that is blank or too long, or too many or too much
 */
export async function saveSnippet(change: OptimisticChange, caller: UserRecord, texts: SnippetTexts): Promise<number> {
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  const title = checkedTitle(texts.title);
  const content = checkedContent(texts.content);
  const row = await db
    .insertInto('saved_snippets')
    .values({ organization_id: organizationId, user_id: caller.id, title, content })
    .returning(SNIPPET_COLUMNS)
    .executeTakeFirstOrThrow();
  await checkAddedTexts(db, 'saved_snippets', { organizationId, userId: caller.id });
  append(eventFor(caller, { op: 'add', snippet: toSnippet(row) }));
  return row.id;
}

/**
 * Changes the given texts (interface document, `PATCH /saved_snippets/{saved_snippet_id}`).
 * @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such snippet; `BAD_REQUEST`: a text that is blank or too long, or too much
 */
export async function editSnippet(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  id: number,
  { title, content }: ChangedTexts,
): Promise<void> {
  const organizationId = directory.organization.id;
  const row = await db
    .updateTable('saved_snippets')
    // Without any text this only finds and locks the row.
    .set({
      user_id: caller.id,
      ...(title !== undefined && { title: checkedTitle(title) }),
      ...(content !== undefined && { content: checkedContent(content) }),
    })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', caller.id)
    .where('id', '=', id)
    .returning(SNIPPET_COLUMNS)
    .executeTakeFirst();
  if (row === undefined) throw noSuchSnippet();
  if (title === undefined && content === undefined) return;
  await checkChangedTexts(db, 'saved_snippets', { organizationId, userId: caller.id });
  append(eventFor(caller, { op: 'update', snippet: toSnippet(row) }));
}

/**
 * @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such snippet
 */
export async function deleteSnippet(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  id: number,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_snippets')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw noSuchSnippet();
  append(eventFor(caller, { op: 'remove', snippetId: id }));
}

/** The audience is only the owner of the snippet. */
function eventFor(caller: UserRecord, body: SavedSnippetEvent) {
  return { type: 'saved_snippets', audience: { to: 'users', users: [caller.id] }, body } as const;
}

function noSuchSnippet() {
  return resourceNotFound('Saved snippet does not exist.');
}

function checkedTitle(text: string): string {
  return checkedText('title', text, MAX_TITLE_LENGTH);
}

function checkedContent(text: string): string {
  return checkedText('content', text, MAX_MESSAGE_LENGTH);
}

function checkedText(name: string, text: string, most: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidParameter(name, 'cannot be blank');
  if ([...trimmed.slice(0, 2 * most + 1)].length > most) {
    throw invalidParameter(name, `is too long (limit: ${most} characters)`);
  }
  return trimmed;
}
