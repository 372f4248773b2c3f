/** Texts that users keep for themselves. Each register contains all of them. */
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import { lockUsers } from '../../../db/user-locks.ts';

/** The most bytes of UTF-8 per user and kind. To read and write that many blocks the process for some 10 ms. */
const MAX_BYTES_PER_USER = 1_000_000;

/** The tables, their text columns, the most rows per user, and the name of the rows in errors. */
const KINDS = {
  drafts: { columns: ['content'], most: 500, name: 'drafts' },
  saved_snippets: { columns: ['content'], most: 500, name: 'saved snippets' },
  scheduled_messages: { columns: ['content', 'rendered_content'], most: 200, name: 'scheduled messages' },
  reminders: { columns: ['content', 'rendered_content'], most: 200, name: 'reminders' },
} as const;

type Table = keyof typeof KINDS;

interface Whose {
  readonly organizationId: number;
  readonly userId: number;
}

interface Totals {
  readonly count: number;
  readonly isTooMuch: boolean;
}

/**
 * Checks the number and the size of the user's rows. Call this after rows were added, in the same transaction.
 * @throws ApiError `BAD_REQUEST`: there are too many, or their texts are too long in total
 */
export async function checkAddedTexts(db: DbTransaction, table: Table, whose: Whose): Promise<void> {
  const { most, name } = KINDS[table];
  const totals = await lockedTotals(db, table, whose);
  if (totals.count > most) throw badRequest(`Too many ${name} (limit: ${most})`);
  checkSize(table, totals);
}

/**
 * Checks the size of the user's rows. Call this after a text was changed, in the same transaction.
 * @throws ApiError `BAD_REQUEST`: the user's texts are too long in total
 */
export async function checkChangedTexts(db: DbTransaction, table: Table, whose: Whose): Promise<void> {
  checkSize(table, await lockedTotals(db, table, whose));
}

/**
 * The user's rows, with those that this transaction wrote. Other requests of the user wait here until the commit, so the totals include what
 * they wrote. The lock comes after all writes: a delivery, too, locks rows and files before users. It does not read the texts: PostgreSQL
 * knows their sizes. Index: the primary key.
 */
async function lockedTotals(db: DbTransaction, table: Table, { organizationId, userId }: Whose): Promise<Totals> {
  const bytes = sql.join(
    KINDS[table].columns.map((column) => sql`octet_length(${sql.ref(column)})`),
    sql` + `,
  );
  // Sent together: on one connection, the second statement runs after the lock is acquired.
  const [, { rows }] = await Promise.all([
    lockUsers(db, organizationId, [userId]),
    sql<Totals>`
      SELECT count(*)::integer AS count, coalesce(sum(${bytes}), 0) > ${MAX_BYTES_PER_USER} AS "isTooMuch"
        FROM ${sql.table(table)} WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(db),
  ]);
  const [totals] = rows;
  if (totals === undefined) throw new Error('totals without a row');
  return totals;
}

function checkSize(table: Table, { isTooMuch }: Totals): void {
  if (!isTooMuch) return;
  const { name } = KINDS[table];
  throw badRequest(
    `${name.charAt(0).toUpperCase()}${name.slice(1)} are too long together (limit: ${MAX_BYTES_PER_USER} bytes)`,
  );
}
