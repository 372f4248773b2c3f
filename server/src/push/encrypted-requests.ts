/** Requests to the push service for devices with encrypted registrations (public reference: "Mobile notifications"). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PushDevice } from './devices.ts';
import { encryptFor } from './encrypting.ts';
import { type PushService, PushServiceError } from './service.ts';

/** A notification for one device. */
export interface EncryptedPush {
  readonly device: PushDevice;
  /** JSON. */
  readonly text: string;
  /** Whether the phone shows it at once. Removals are not urgent. */
  readonly isUrgent: boolean;
}

/** How many devices one request names. */
const DEVICES_PER_REQUEST = 100;
/**
 * How many notifications are encrypted before other work of the process has its turn. Each takes a fraction of a
 * millisecond.
 */
const ENCRYPTIONS_PER_TURN = 8;

/**
 * Sends to many devices of one organization, in as few requests as possible. Returns the devices that the service no
 * longer knows, and those without a usable key.
 * @throws PushServiceError if a request failed; earlier requests were sent
 */
export async function sendEncrypted(
  service: PushService,
  organizationUuid: string,
  pushes: readonly EncryptedPush[],
): Promise<readonly PushDevice[]> {
  const gone: PushDevice[] = [];
  for (let start = 0; start < pushes.length; start += DEVICES_PER_REQUEST) {
    const some = pushes.slice(start, start + DEVICES_PER_REQUEST);
    const requests: object[] = [];
    for (const push of some) {
      const request = await requestFor(push);
      if (request === undefined) gone.push(push.device);
      else requests.push(request);
      if (requests.length % ENCRYPTIONS_PER_TURN === 0) await nextTurn();
    }
    if (requests.length === 0) continue;
    const json = JSON.stringify({ realm_uuid: organizationUuid, push_requests: requests });
    const answer = await service.postJson('push/e2ee/notify', withWholeNumbers(json));
    const deleted = answer.delete_device_ids;
    if (!Array.isArray(deleted))
      throw new PushServiceError('failing', 'the push service does not say which devices are gone');
    const names = new Set<unknown>(deleted);
    for (const { device } of some) if (names.has(device.encrypted?.serviceId)) gone.push(device);
  }
  return gone;
}

/** Returns undefined if the device has no key to encrypt for. Such a device is useless. */
async function requestFor({ device, text, isUrgent }: EncryptedPush): Promise<object | undefined> {
  if (device.encrypted === null) return undefined;
  const { accountId, key, serviceId } = device.encrypted;
  const encrypted_data = await encryptFor(key, text).catch(() => undefined);
  if (encrypted_data === undefined) return undefined;
  const payload = { push_account_id: accountId, encrypted_data };
  if (device.kind === 'fcm') return { device_id: serviceId, fcm_priority: isUrgent ? 'high' : 'normal', payload };
  return {
    device_id: serviceId,
    http_headers: { apns_priority: isUrgent ? 10 : 5, apns_push_type: isUrgent ? 'alert' : 'background' },
    payload: { ...payload, aps: { 'mutable-content': 1, alert: { title: 'New notification' } } },
  };
}

/**
 * Writes 64-bit numbers, which JavaScript holds as text, as JSON numbers. No other text in a request comes from a user.
 */
function withWholeNumbers(json: string): string {
  return json.replace(/"push_account_id":"(-?\d+)"/g, '"push_account_id":$1');
}
