import { createHmac } from 'node:crypto';

/**
 * The identities of organizations and users for the push service: UUIDs that reveal nothing. They follow from the
 * server's secret and stay the same as long as it does, so they need not be stored.
 */
export function organizationUuid(secret: Buffer, organizationId: number): string {
  return uuidFrom(secret, `push organization ${organizationId}`);
}

export function userUuid(secret: Buffer, organizationId: number, userId: number): string {
  return uuidFrom(secret, `push user ${organizationId} ${userId}`);
}

/** Returns it in the form of a random UUID (version 4). */
function uuidFrom(secret: Buffer, name: string): string {
  const bytes = createHmac('sha256', secret).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
