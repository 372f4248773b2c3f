/** What the push service is asked to bring to devices with encrypted registrations (public reference: "Mobile notifications"). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PushDevice } from './devices.ts';
import { encryptFor } from './encrypting.ts';
import { type PushService, PushServiceError } from './service.ts';

/** What one device is told. */
export interface EncryptedPush {
  readonly device: PushDevice;
  /** JSON. */
  readonly text: string;
  /** Whether phones light up for it; removals come when it suits them. */
  readonly isUrgent: boolean;
}

/** Devices a request. */
const MOST_AT_ONCE = 100;
/** Encrypting takes a fraction of a millisecond each: after so many others have a turn. */
const MOST_A_TURN = 8;

/**
 * Sends to many devices of one organization, in as few requests as may be.
 * @returns the devices that the service says are gone, and those without a usable key
 * @throws PushServiceError where any request failed; what came before it was sent
 */
export async function sendEncrypted(
  service: PushService,
  organizationUuid: string,
  pushes: readonly EncryptedPush[],
): Promise<readonly PushDevice[]> {
  const gone: PushDevice[] = [];
  for (let start = 0; start < pushes.length; start += MOST_AT_ONCE) {
    const some = pushes.slice(start, start + MOST_AT_ONCE);
    const requests: object[] = [];
    for (const push of some) {
      const request = await requestFor(push);
      if (request === undefined) gone.push(push.device);
      else requests.push(request);
      if (requests.length % MOST_A_TURN === 0) await nextTurn();
    }
    if (requests.length === 0) continue;
    const json = JSON.stringify({ realm_uuid: organizationUuid, push_requests: requests });
    const answer = await service.postJson('push/e2ee/notify', withWholeNumbers(json));
    const deleted = answer.delete_device_ids;
    if (!Array.isArray(deleted)) throw new PushServiceError('failing', 'the push service does not say what is gone');
    const names = new Set<unknown>(deleted);
    for (const { device } of some) if (names.has(device.encrypted?.serviceId)) gone.push(device);
  }
  return gone;
}

/** Undefined where the device has no key that anything can be encrypted to: it is of no use. */
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

/** Numbers of 64 bits, which were put there as text. Nothing else in a request is a person's text. */
function withWholeNumbers(json: string): string {
  return json.replace(/"push_account_id":"(-?\d+)"/g, '"push_account_id":$1');
}
