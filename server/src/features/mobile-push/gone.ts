import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../../db/schema.ts';
import type { PushDevice } from '../../push/devices.ts';

/**
 * Deletes devices that the push service reports as gone: the app was deleted there, or its token was replaced. There is no event. Index:
 * the primary key.
 */
export async function removeGone(
  db: Db,
  log: Logger,
  organizationId: number,
  devices: readonly PushDevice[],
): Promise<void> {
  if (devices.length === 0) return;
  await sql`
    DELETE FROM push_devices device
     USING unnest(${devices.map(({ userId }) => userId)}::integer[], ${devices.map(({ id }) => id)}::bigint[])
        AS gone (user_id, id)
     WHERE device.organization_id = ${organizationId} AND device.user_id = gone.user_id AND device.id = gone.id`.execute(
    db,
  );
  log.info({ organization: organizationId, devices: devices.length }, 'devices are gone, says the push service');
}
