import type { DbTransaction } from '../../db/schema.ts';

/** Users who have a device that the push service knows. Index: the primary key of push_devices. */
export async function deviceOwners(db: DbTransaction, organizationId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('push_devices')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'active')
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
