/**
 * Links that the server mails to an address, with a table for each use. A link works once, within one day. It proves that
 * its holder reads the mails to the address.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../../db/schema.ts';

type LinkTable = 'account_links' | 'address_confirmations';

/** How long a link is valid. */
export const LINK_LASTS = sql.lit('1 day');
/** Mails per address (reference: the limits of such mails). */
const MAX_MAILS_PER_HOUR = 2;
const MAX_MAILS_PER_DAY = 5;

/** The condition that a row of either table has neither ended nor expired. */
export const isOpen = sql<boolean>`ended_at IS NULL AND created_at > now() - ${LINK_LASTS}::interval`;

/**
 * Whether no further link may be mailed to the address now. Requests for one address run one after the other, so
 * concurrent ones are all counted.
 * @param counts the condition of the rows that count
 */
export async function hasReachedLimit(
  db: DbTransaction,
  table: LinkTable,
  { organizationId, address, counts }: Counting,
): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(${organizationId}::integer, hashtext(lower(${address})))`.execute(db);
  const { rows } = await sql<{ this_hour: number; today: number }>`
    SELECT count(*) FILTER (WHERE created_at > now() - interval '1 hour') AS this_hour, count(*) AS today
      FROM ${sql.table(table)}
     WHERE organization_id = ${organizationId} AND created_at > now() - interval '1 day' AND ${counts}`.execute(db);
  const [had] = rows;
  return had === undefined || had.this_hour >= MAX_MAILS_PER_HOUR || had.today >= MAX_MAILS_PER_DAY;
}

interface Counting {
  readonly organizationId: number;
  readonly address: string;
  readonly counts: RawBuilder<boolean>;
}

/** Finds a link that is still valid. Index: the primary key. */
export async function findOpenLink<Table extends LinkTable>(
  db: Db | DbTransaction,
  table: Table,
  organizationId: number,
  id: number,
): Promise<Row<Table> | undefined> {
  const { rows } = await sql<Row<Table>>`
    SELECT * FROM ${sql.table(table)}
     WHERE organization_id = ${organizationId} AND id = ${id} AND ${isOpen}`.execute(db);
  return rows[0];
}

/** Ends a link, which succeeds once. A concurrent use waits for this transaction. */
export async function endLink<Table extends LinkTable>(
  db: DbTransaction,
  table: Table,
  organizationId: number,
  id: number,
): Promise<Row<Table> | undefined> {
  const { rows } = await sql<Row<Table>>`
    UPDATE ${sql.table(table)} SET ended_at = now()
     WHERE organization_id = ${organizationId} AND id = ${id} AND ${isOpen} RETURNING *`.execute(db);
  return rows[0];
}

/** Deletes a batch of old links. Indexes: account_links_by_age, address_confirmations_by_age. */
export async function deleteOldLinks(db: Db | DbTransaction, table: LinkTable, olderThanDays: number): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(table)}
     WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM ${sql.table(table)}
              WHERE created_at < now() - make_interval(days => ${olderThanDays}) LIMIT 10000))`.execute(db);
}
