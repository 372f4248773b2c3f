/**
 * Requests to the push service for unencrypted devices. The service can read these notifications; older apps understand
 * only them.
 */
import type { PushDevice } from './devices.ts';
import { type PushService, PushServiceError } from './service.ts';

/** A notification for the devices of one user. */
export interface PlainPush {
  readonly userId: number;
  readonly userUuid: string;
  readonly devices: readonly PushDevice[];
  readonly apns: object;
  readonly gcm: object;
  readonly isUrgent: boolean;
}

/**
 * Sends to all devices of one user in one request.
 * @returns devices that the service no longer knows
 * @throws PushServiceError
 */
export async function sendPlain(
  service: PushService,
  organizationUuid: string,
  { userId, userUuid, devices, apns, gcm, isUrgent }: PlainPush,
): Promise<readonly PushDevice[]> {
  const ofKind = (kind: PushDevice['kind']) => devices.filter((device) => device.kind === kind);
  const tokens = (some: readonly PushDevice[]) => some.map(({ token }) => token);
  const [apple, android] = [ofKind('apns'), ofKind('fcm')];
  const answer = await service.postJson(
    'push/notify',
    JSON.stringify({
      user_uuid: userUuid,
      user_id: userId,
      realm_uuid: organizationUuid,
      apns_payload: apple.length > 0 ? apns : {},
      gcm_payload: android.length > 0 ? gcm : {},
      gcm_options: android.length > 0 ? { priority: isUrgent ? 'high' : 'normal' } : {},
      android_devices: tokens(android),
      apple_devices: tokens(apple),
    }),
  );
  const deleted = answer.deleted_devices;
  if (typeof deleted !== 'object' || deleted === null) {
    throw new PushServiceError('failing', 'the push service does not say which devices are gone');
  }
  const gone = (some: readonly PushDevice[], names: unknown) =>
    Array.isArray(names) ? some.filter(({ token }) => names.includes(token)) : [];
  const { android_devices, apple_devices } = deleted as Readonly<Record<string, unknown>>;
  return [...gone(apple, apple_devices), ...gone(android, android_devices)];
}
