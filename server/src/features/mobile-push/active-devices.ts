import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { DEVICE_COLUMNS, type DeviceRow, type PushDevice, toDevice } from '../../push/devices.ts';

/** The devices of the users that the push service knows. Index: the primary key. */
export async function devicesOf(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PushDevice[]>> {
  const { rows } = await sql<DeviceRow>`
    SELECT ${DEVICE_COLUMNS} FROM push_devices
     WHERE organization_id = ${organizationId} AND user_id = ANY (${userIds}::integer[]) AND state = 'active'
     ORDER BY user_id, id`.execute(db);
  return Map.groupBy(rows.map(toDevice), ({ userId }) => userId);
}
