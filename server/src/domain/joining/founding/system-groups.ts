import type { DbTransaction } from '../../../db/schema.ts';
import { SystemGroup } from '../../../directory/records.ts';

/** The groups of every organization. `holds` is the group directly inside it: the members of a stronger role. */
export const SYSTEM_GROUPS: readonly {
  readonly name: SystemGroup;
  readonly description: string;
  readonly holds?: SystemGroup;
}[] = [
  { name: SystemGroup.nobody, description: 'Nobody' },
  { name: SystemGroup.owners, description: 'The owners' },
  {
    name: SystemGroup.administrators,
    description: 'Administrators and owners',
    holds: SystemGroup.owners,
  },
  {
    name: SystemGroup.moderators,
    description: 'Moderators and all with a stronger role',
    holds: SystemGroup.administrators,
  },
  {
    name: SystemGroup.fullMembers,
    description: 'Everyone but guests and new accounts',
    holds: SystemGroup.moderators,
  },
  {
    name: SystemGroup.members,
    description: 'Everyone but guests',
    holds: SystemGroup.fullMembers,
  },
  {
    name: SystemGroup.everyone,
    description: 'Everyone, guests too',
    holds: SystemGroup.members,
  },
  { name: SystemGroup.internet, description: 'Everyone, without an account too', holds: SystemGroup.everyone },
];

/** Inserts the system groups of a new organization. */
export async function insertSystemGroups(db: DbTransaction, organizationId: number): Promise<void> {
  const rows = await db
    .insertInto('user_groups')
    .values(
      SYSTEM_GROUPS.map(({ name, description }) => ({
        organization_id: organizationId,
        name,
        description,
        is_system: true,
        creator_id: null,
        deactivated_at: null,
      })),
    )
    .returning(['id', 'name'])
    .execute();
  const idOf = new Map(rows.map((row) => [row.name, row.id]));
  const nesting = SYSTEM_GROUPS.flatMap(({ name, holds }) => {
    const groupId = idOf.get(name);
    const subgroupId = holds === undefined ? undefined : idOf.get(holds);
    if (groupId === undefined || subgroupId === undefined) return [];
    return [{ organization_id: organizationId, group_id: groupId, subgroup_id: subgroupId }];
  });
  await db.insertInto('user_group_subgroups').values(nesting).execute();
}
