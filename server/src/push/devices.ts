/** The devices of users, and what the push service is asked for each kind. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

/** A device that the push service knows. */
export interface PushDevice {
  readonly id: number;
  readonly userId: number;
  readonly kind: 'apns' | 'fcm';
  /** Of an encrypted registration. */
  readonly encrypted: { readonly accountId: string; readonly key: Buffer; readonly serviceId: number } | null;
  /** Of one that is not; '' where it is encrypted. */
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

/** The columns of that, of `push_devices`. */
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

/** How the service numbers the kinds of tokens. */
export function kindNumber(kind: string): number {
  return kind === 'apns' ? 1 : 2;
}
