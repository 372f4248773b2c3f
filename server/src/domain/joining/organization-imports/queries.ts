import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../../db/schema.ts';

export type ImportRow = Row<'organization_imports'>;

/** The import of the organization; undefined if there is none. */
export async function findImport(db: Db | DbTransaction, organizationId: number): Promise<ImportRow | undefined> {
  return await db
    .selectFrom('organization_imports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/** Why an import cannot replace the organization. */
export type Refusal = 'in_use' | 'other_organizations' | 'not_supported';

/**
 * Whether the organization has what an import would delete: other people, bots, messages of people, channels, groups or invitations that
 * somebody has added. Or the server has other organizations: an import uses ids and space that they share. The organizations of unfinished
 * imports do not count.
 */
export async function refusalToReplace(
  db: Db | DbTransaction,
  organizationId: number,
): Promise<Exclude<Refusal, 'not_supported'> | undefined> {
  const { rows } = await sql<{ has_others: boolean; is_in_use: boolean }>`
    SELECT EXISTS (SELECT FROM organizations o
                    WHERE id <> ${organizationId} AND NOT EXISTS (SELECT FROM imports i WHERE i.organization_id = o.id)) AS has_others,
           (SELECT count(*) FROM users WHERE organization_id = ${organizationId} AND NOT is_bot) <> 1
        OR EXISTS (SELECT FROM users WHERE organization_id = ${organizationId} AND is_bot AND bot_owner_id IS NOT NULL)
        OR EXISTS (SELECT FROM channels WHERE organization_id = ${organizationId} AND creator_id IS NOT NULL)
        OR EXISTS (SELECT FROM user_groups WHERE organization_id = ${organizationId} AND NOT is_system)
        OR EXISTS (SELECT FROM invitations WHERE organization_id = ${organizationId} AND ended_at IS NULL)
        OR EXISTS (SELECT FROM messages m JOIN users u ON u.organization_id = m.organization_id AND u.id = m.sender_id
                    WHERE m.organization_id = ${organizationId} AND NOT u.is_bot) AS is_in_use`.execute(db);
  const [found] = rows;
  if (found === undefined || found.is_in_use) return 'in_use';
  return found.has_others ? 'other_organizations' : undefined;
}
