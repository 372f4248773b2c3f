/** The size of an organization decides how long an export takes. */
import { sql } from 'kysely';
import { readValue } from '../../db/prepared.ts';
import type { Db } from '../../db/schema.ts';

export interface OrganizationSize {
  readonly messages: number;
  readonly files: number;
  readonly fileBytes: number;
}

/** The rows of an export of this size take about a minute, and the files at most an hour. `heddle backup` copies larger organizations. */
export const MAX_SIZE: OrganizationSize = { messages: 1_000_000, files: 200_000, fileBytes: 20 * 1024 ** 3 };

/**
 * Whether the organization exceeds one of the limits. Messages are counted only if more than the limit were ever sent, and no further than
 * the limit. Index: the primary keys.
 */
export async function exceeds(db: Db, organizationId: number, limits = MAX_SIZE): Promise<boolean> {
  const { messages, files, fileBytes } = limits;
  const countUpTo = (table: string, limit: number) => sql`
    (SELECT count(*) FROM (SELECT FROM ${sql.table(table)} WHERE organization_id = ${organizationId} LIMIT ${limit + 1}) AS counted)`;
  return readValue(
    db,
    sql<boolean>`
      CASE WHEN (SELECT message_head FROM logs WHERE organization_id = ${organizationId}) > ${messages}
           THEN ${countUpTo('messages', messages)} > ${messages} ELSE false END
      OR ${countUpTo('attachments', files)} > ${files}
      OR coalesce((SELECT bytes FROM upload_space WHERE organization_id = ${organizationId}), 0) > ${fileBytes}::bigint`,
  );
}
