/**
 * The addresses of this server's proxy for images of other servers. They are signed, so that it is not an open proxy.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Images at longer addresses get no preview. */
export const MAX_URL_LENGTH = 2048;

/** The path for readers of the organization, in the form that clients know: `/external_content/<digest>/<address in hexadecimal>`. */
export function signedPath(secret: Buffer, organizationId: number, url: string): string {
  return `/external_content/${digestOf(secret, organizationId, url)}/${Buffer.from(url).toString('hex')}`;
}

/** The address that this server signed for the organization; undefined for any other. */
export function signedUrl(secret: Buffer, organizationId: number, digest: string, encoded: string): string | undefined {
  if (!/^[\da-f]{64}$/.test(digest) || !/^(?:[\da-f]{2})+$/.test(encoded)) return undefined;
  const url = Buffer.from(encoded, 'hex').toString();
  const expected = Buffer.from(digestOf(secret, organizationId, url));
  return timingSafeEqual(expected, Buffer.from(digest)) ? url : undefined;
}

function digestOf(secret: Buffer, organizationId: number, url: string): string {
  return createHmac('sha256', secret).update(`heddle: external image\n${organizationId}\n${url}`).digest('hex');
}
