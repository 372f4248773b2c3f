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

/** Keeps whoever else saves for the user waiting until the commit, so that a count stays true: the oldest stands for all. */
export async function lockSnippets(db: DbTransaction, organizationId: number, userId: number): Promise<void> {
  await db
    .selectFrom('saved_snippets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .execute();
}

/** How many the user has. Index: the primary key. */
export async function countSnippets(db: DbTransaction, organizationId: number, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('saved_snippets')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export function toSnippet(row: Pick<Row<'saved_snippets'>, (typeof SNIPPET_COLUMNS)[number]>): SavedSnippet {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    date_created: Math.floor(row.created_at.getTime() / 1000),
  };
}
