/**
 * The addresses of this server's proxy for images of other servers. They are signed, so that it is not an open proxy.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Images at longer addresses get no preview. */
export const MAX_URL_LENGTH = 2048;

/** What an image is for: messages, or the picker of GIFs. The images of each kind have their own slots and memory. */
export type ImageKind = 'message' | 'GIF';

/** The digests of paths in stored messages depend on these words. */
const MEANINGS: Readonly<Record<ImageKind, string>> = { message: 'external image', GIF: 'external image of GIFs' };
const KINDS = Object.keys(MEANINGS) as ImageKind[];

/** The path for readers of the organization, in the form that clients know: `/external_content/<digest>/<address in hexadecimal>`. */
export function signedPath(secret: Buffer, organizationId: number, kind: ImageKind, url: string): string {
  return `/external_content/${digestOf(secret, organizationId, kind, url)}/${Buffer.from(url).toString('hex')}`;
}

/** The address that this server signed for the organization, with the kind of its image; undefined for any other. */
export function signedImage(
  secret: Buffer,
  organizationId: number,
  digest: string,
  encoded: string,
): { readonly kind: ImageKind; readonly url: string } | undefined {
  if (!/^[\da-f]{64}$/.test(digest) || !/^(?:[\da-f]{2})+$/.test(encoded)) return undefined;
  const url = Buffer.from(encoded, 'hex').toString();
  const given = Buffer.from(digest);
  const kind = KINDS.find((one) => timingSafeEqual(Buffer.from(digestOf(secret, organizationId, one, url)), given));
  return kind === undefined ? undefined : { kind, url };
}

function digestOf(secret: Buffer, organizationId: number, kind: ImageKind, url: string): string {
  return createHmac('sha256', secret).update(`heddle: ${MEANINGS[kind]}\n${organizationId}\n${url}`).digest('hex');
}
