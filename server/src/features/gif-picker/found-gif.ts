/** A GIF that a service has found, as clients get it. The server signs it, so that clients cannot make it fetch other addresses. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { gif } from '@heddle/api/objects/gif.ts';
import type { Static } from 'typebox';
import { signedPath } from '../../domain/texts/external-images/signing.ts';
import type { ServiceGif } from './service.ts';

/** What a user can choose. */
export interface ChoosableGif {
  readonly url: string;
  readonly title: string;
}

export function presentGif(secret: Buffer, organizationId: number, found: ServiceGif): Static<typeof gif> {
  const { title, width, height, url, previewUrl, stillUrl } = found;
  return {
    gif: signed(secret, organizationId, { url, title }),
    ...{ title, width, height },
    preview_url: signedPath(secret, organizationId, previewUrl),
    still_url: stillUrl === null ? null : signedPath(secret, organizationId, stillUrl),
  };
}

function signed(secret: Buffer, organizationId: number, { url, title }: ChoosableGif): string {
  const text = Buffer.from(JSON.stringify([url, title])).toString('base64url');
  return `${text}.${signatureOf(secret, organizationId, text).toString('base64url')}`;
}

/** The GIF that this server has signed for the organization; undefined for anything else. */
export function choosableGif(secret: Buffer, organizationId: number, given: string): ChoosableGif | undefined {
  const [text = '', signature = ''] = given.split('.');
  const expected = signatureOf(secret, organizationId, text);
  const sent = Buffer.from(signature, 'base64url');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  // We have signed it, so it has our format.
  const [url, title] = JSON.parse(Buffer.from(text, 'base64url').toString()) as readonly [string, string];
  return { url, title };
}

function signatureOf(secret: Buffer, organizationId: number, text: string): Buffer {
  return createHmac('sha256', secret).update(`heddle: GIF\n${organizationId}\n${text}`).digest();
}
