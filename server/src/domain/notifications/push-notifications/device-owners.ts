import type { DbTransaction } from '../../../db/schema.ts';

/** Users who have a phone that the push service knows. Index: the primary key of push_devices. */
export async function phoneOwners(db: DbTransaction, organizationId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('push_devices')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'active')
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Users who have a browser with Web Push. Index: the primary key of web_push_subscriptions. */
export async function browserOwners(db: DbTransaction, organizationId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('web_push_subscriptions')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
