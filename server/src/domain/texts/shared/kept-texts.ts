/** Texts that users keep for themselves. Each register contains all of them. */
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';

/** The most bytes of UTF-8 per user and kind. To read and write that many blocks the process for some 10 ms. */
const MAX_BYTES_PER_USER = 1_000_000;

/** The tables, their text columns, and the name of the texts in errors. */
const KINDS = {
  drafts: { columns: ['content'], name: 'Drafts' },
  saved_snippets: { columns: ['content'], name: 'Saved snippets' },
  scheduled_messages: { columns: ['content', 'rendered_content'], name: 'Scheduled messages' },
  reminders: { columns: ['content', 'rendered_content'], name: 'Reminders' },
} as const;

/**
 * Call this after the write, in the same transaction. It does not read the texts: PostgreSQL knows their sizes. Index:
 * the primary key.
 * @throws ApiError `BAD_REQUEST`: the user's texts are too long in total
 */
export async function checkKeptTexts(
  db: DbTransaction,
  table: keyof typeof KINDS,
  { organizationId, userId }: { readonly organizationId: number; readonly userId: number },
): Promise<void> {
  const { columns, name } = KINDS[table];
  const bytes = sql.join(
    columns.map((column) => sql`octet_length(${sql.ref(column)})`),
    sql` + `,
  );
  const { rows } = await sql<{ isTooMuch: boolean }>`
    SELECT coalesce(sum(${bytes}), 0) > ${MAX_BYTES_PER_USER} AS "isTooMuch" FROM ${sql.table(table)}
     WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(db);
  if (rows[0]?.isTooMuch) throw badRequest(`${name} are too long together (limit: ${MAX_BYTES_PER_USER} bytes)`);
}
