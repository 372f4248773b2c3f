import type { savedSnippet } from '@heddle/api/objects/saved-snippet.ts';
import type { Static } from 'typebox';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';

export type SavedSnippet = Static<typeof savedSnippet>;

/** The columns that the wire's object is made of. */
export const SNIPPET_COLUMNS = ['id', 'title', 'content', 'created_at'] as const;

/** All of the user's, oldest first. Index: the primary key; a user has a bounded number (actions.ts). */
export async function savedSnippetsOf(
  db: Db | DbTransaction,
  organizationId: number,
  userId: number,
): Promise<SavedSnippet[]> {
  const rows = await db
    .selectFrom('saved_snippets')
    .select(SNIPPET_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(toSnippet);
}

export function toSnippet(row: Pick<Row<'saved_snippets'>, (typeof SNIPPET_COLUMNS)[number]>): SavedSnippet {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    date_created: Math.floor(row.created_at.getTime() / 1000),
  };
}
