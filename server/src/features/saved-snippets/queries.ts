import type { savedSnippet } from '@heddle/api/objects/saved-snippet.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { NumberInSql } from '../../db/parameters.ts';
import type { Row } from '../../db/schema.ts';

export type SavedSnippet = Static<typeof savedSnippet>;

/** The columns of the wire's object. */
export const SNIPPET_COLUMNS = ['id', 'title', 'content', 'created_at'] as const;

/** All of the user's, oldest first, in the wire format. Index: the primary key; a user has a bounded number (kept-texts.ts). */
export function selectSnippets(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<SavedSnippet[]> {
  return sql`
    SELECT coalesce(json_agg(snippet), '[]') FROM (
      SELECT id, title, content, floor(extract(epoch FROM created_at))::bigint AS date_created FROM saved_snippets
       WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY id
    ) AS snippet`;
}

export function toSnippet(row: Pick<Row<'saved_snippets'>, (typeof SNIPPET_COLUMNS)[number]>): SavedSnippet {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    date_created: Math.floor(row.created_at.getTime() / 1000),
  };
}
