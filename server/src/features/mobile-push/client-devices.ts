import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { clientDeviceEvent } from './events.ts';

/** Each register returns all of them. */
const MAX_CLIENT_DEVICES_PER_USER = 100;

/** Adds a logged-in device of the caller and returns its id. Beyond the bound it deletes the oldest. */
export async function addClientDevice(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
): Promise<number> {
  const organizationId = directory.organization.id;
  await lockUsers(db, organizationId, [caller.id]);
  const { id } = await db
    .insertInto('client_devices')
    .values({ organization_id: organizationId, user_id: caller.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ id: number }>`
    DELETE FROM client_devices
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT ctid FROM client_devices WHERE organization_id = ${organizationId} AND user_id = ${caller.id}
              ORDER BY id DESC OFFSET ${MAX_CLIENT_DEVICES_PER_USER}))
    RETURNING id`.execute(db);
  for (const old of rows) append(clientDeviceEvent(caller.id, { op: 'remove', id: old.id }));
  append(clientDeviceEvent(caller.id, { op: 'add', id }));
  return id;
}

/** @throws ApiError if the caller has no such device */
export async function removeClientDevice(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  id: number,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('client_devices')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw badRequest('Invalid `device_id`');
  append(clientDeviceEvent(caller.id, { op: 'remove', id }));
}
