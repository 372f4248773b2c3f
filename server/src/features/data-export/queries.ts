import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';

export type ExportRow = Row<'data_exports'>;

/** What an export contains, and of which organization. */
export interface ExportedOrganization extends Pick<ExportRow, 'id' | 'organization_id' | 'requested_at'> {
  /** `everything`: the operator of the server exports all data. */
  readonly type: ExportRow['type'] | 'everything';
}

/** Per list. Years, at five per week. */
const MAX_LISTED_EXPORTS = 500;

/** The latest ones, oldest first. Index: the primary key. */
export async function listExports(db: Db | DbTransaction, organizationId: number): Promise<readonly ExportRow[]> {
  const rows = await db
    .selectFrom('data_exports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_EXPORTS)
    .execute();
  return rows.reverse();
}

export async function findExport(
  db: Db | DbTransaction,
  organizationId: number,
  id: number,
): Promise<ExportRow | undefined> {
  return db
    .selectFrom('data_exports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The exports that were requested within a week, including failed and deleted ones. */
export async function countInWeek(db: DbTransaction, organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM data_exports
     WHERE organization_id = ${organizationId} AND requested_at > now() - interval '7 days'`.execute(db);
  return rows[0]?.count ?? 0;
}

const isOld = (days: number) => sql<boolean>`
  completed_at < now() - make_interval(days => ${days}) AND deleted_at IS NULL`;

/** Reads the whole table, which has at most five rows per week and organization. */
export async function organizationsWithOldArchives(db: Db, days: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT organization_id AS id FROM data_exports WHERE ${isOld(days)} ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Index: the primary key. */
export async function oldArchives(
  db: DbTransaction,
  organizationId: number,
  days: number,
): Promise<readonly ExportRow[]> {
  return db
    .selectFrom('data_exports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(isOld(days))
    .execute();
}
