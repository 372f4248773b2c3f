import type { Rooms } from '../rooms.ts';

export interface OrganizationSummary {
  readonly id: number;
  /** '' at the root domain. */
  readonly subdomain: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly isDeactivated: boolean;
  /** Active accounts of people. */
  readonly users: number;
}

/** All organizations of the server, the oldest first. */
export async function listOrganizations(rooms: Pick<Rooms, 'db'>): Promise<readonly OrganizationSummary[]> {
  const rows = await rooms.db
    .selectFrom('organizations')
    .select(['id', 'subdomain', 'name', 'created_at', 'deactivated_at'])
    .select(({ selectFrom }) =>
      selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('users.organization_id', '=', 'organizations.id')
        .where('is_active', '=', true)
        .where('is_bot', '=', false)
        .as('users'),
    )
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    subdomain: row.subdomain,
    name: row.name,
    createdAt: row.created_at,
    isDeactivated: row.deactivated_at !== null,
    users: row.users ?? 0,
  }));
}
