/** Texts that users keep for themselves, of which each register tells all. */
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';

/** So much of a kind, in bytes of UTF-8: to read and write it keeps everybody else waiting for some 10 ms. */
const MOST_BYTES = 1_000_000;

/** The columns that hold texts, by table, and what the texts are called. */
const KINDS = {
  drafts: { columns: ['content'], name: 'Drafts' },
  saved_snippets: { columns: ['content'], name: 'Saved snippets' },
  scheduled_messages: { columns: ['content', 'rendered_content'], name: 'Scheduled messages' },
  reminders: { columns: ['content', 'rendered_content'], name: 'Reminders' },
} as const;

/**
 * To be asked when the change has been written. Index: the primary key; sizes are known without reading the texts.
 * @throws ApiError `BAD_REQUEST`: the user's are longer together than is kept, as they are told
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
    SELECT coalesce(sum(${bytes}), 0) > ${MOST_BYTES} AS "isTooMuch" FROM ${sql.table(table)}
     WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(db);
  if (rows[0]?.isTooMuch) throw badRequest(`${name} are too long together (limit: ${MOST_BYTES} bytes)`);
}
