import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '@heddle/api/permissions.ts';
import { activeOnly, namesDirectly, presentGroupSetting } from '../../../access/group-settings.ts';
import { organizationSetting, wireNameOf } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import type { WireSettings } from './settings.ts';

export interface OrganizationSummary {
  readonly id: number;
  /** '' at the root domain. */
  readonly subdomain: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly isDeactivated: boolean;
  /** The number of active accounts of people. */
  readonly users: number;
}

/**
 * The permissions that name the account directly, as clients see them after it is closed or reactivated. undefined:
 * none.
 */
export function settingsNaming(
  directory: Directory,
  user: Pick<UserRecord, 'id' | 'isActive'>,
): WireSettings | undefined {
  const names = Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationPermission[];
  const settings = names.flatMap((name) => {
    const value = organizationSetting(directory, name);
    return namesDirectly(value, user.id)
      ? [[wireNameOf(name), presentGroupSetting(activeOnly(directory, value, user))]]
      : [];
  });
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}

/** All organizations of the server, the oldest first. */
export async function listOrganizations(app: Pick<AppContext, 'db'>): Promise<readonly OrganizationSummary[]> {
  const rows = await app.db
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
