/** Compares the signatures of services with ours, in constant time. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Signed } from './integration.ts';

/** Whether the texts are equal. The time depends on their lengths only. */
export function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A person who has seen an older request could repeat it. */
const TOLERANCE_MS = 5 * 60_000;

/** Whether the time is at most five minutes from now. @param seconds since the epoch, as digits */
export function isRecent(seconds: string, now: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS;
}

/** HMAC with SHA-256, as hexadecimal digits. */
export function hmacOf(secret: string, ...parts: readonly (Buffer | string)[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** The check of a header that contains the HMAC of the body after a prefix, such as `sha256=`. */
export function hmacIn(headerName: string, prefix = '', algorithm = 'sha256'): (signed: Signed) => boolean {
  return ({ header, body, secret }) => {
    const expected = createHmac(algorithm, secret).update(body).digest('hex');
    return isEqual(header(headerName), prefix + expected);
  };
}

/** The check of an `Authorization` header that contains the secret. It is for services that do not sign, but send headers that the user sets. */
export function isBearer({ header, secret }: Signed): boolean {
  return isEqual(header('authorization'), `Bearer ${secret}`);
}
