import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';

export type ExportRow = Row<'data_exports'>;

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

/** What decides how long an export takes. */
export interface OrganizationSize {
  /** All messages that were ever sent. */
  readonly messages: number;
  readonly files: number;
  readonly fileBytes: number;
}

/** Index: the primary keys. */
export async function sizeOf(db: DbTransaction, organizationId: number): Promise<OrganizationSize> {
  const { rows } = await sql<OrganizationSize>`
    SELECT (SELECT message_head FROM logs WHERE organization_id = ${organizationId}) AS messages,
           (SELECT count(*) FROM attachments WHERE organization_id = ${organizationId}) AS files,
           coalesce((SELECT bytes FROM upload_space WHERE organization_id = ${organizationId}), 0)::bigint AS "fileBytes"`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the size of an organization has no row');
  return row;
}
