/** The devices of users, as the push service and the database represent them. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';

/** A device that the push service knows. */
export interface PushDevice {
  readonly id: number;
  readonly userId: number;
  readonly kind: 'apns' | 'fcm';
  /** The keys of an encrypted registration; null for others. */
  readonly encrypted: { readonly accountId: string; readonly key: Buffer; readonly serviceId: number } | null;
  /** The token of an unencrypted registration; '' for encrypted ones. */
  readonly token: string;
}

export interface DeviceRow {
  readonly id: number;
  readonly user_id: number;
  readonly kind: string;
  readonly push_account_id: string | null;
  readonly push_key: Buffer | null;
  readonly service_device_id: number | null;
  readonly token: string | null;
}

/** The columns of `DeviceRow` in `push_devices`. */
export const DEVICE_COLUMNS: RawBuilder<unknown> = sql`
  id, user_id, kind, push_account_id::text AS push_account_id, push_key, service_device_id, token`;

export function toDevice(row: DeviceRow): PushDevice {
  const { id, user_id: userId, push_account_id: accountId, push_key: key, service_device_id: serviceId } = row;
  const isEncrypted = accountId !== null && key !== null && serviceId !== null;
  return {
    id,
    userId,
    kind: row.kind === 'apns' ? 'apns' : 'fcm',
    encrypted: isEncrypted ? { accountId, key, serviceId } : null,
    token: row.token ?? '',
  };
}

/** The service's number for the kind of a token. */
export function kindNumber(kind: string): number {
  return kind === 'apns' ? 1 : 2;
}

/**
 * Ends all devices of the user. The push service notifies an encrypted device only if a request names it, but it has to forget a token, so
 * tokens wait for that. Index: the primary key.
 */
export async function endDevicesOf(db: DbTransaction, organizationId: number, userId: number): Promise<void> {
  await sql`
    DELETE FROM push_devices
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND token IS NULL`.execute(db);
  await sql`
    UPDATE push_devices SET state = 'leaving', attempts = 0, due_at = now()
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND state <> 'leaving'`.execute(db);
}
