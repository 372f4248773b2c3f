/** A GIF that a service has found, as clients get it. The server signs it, so that clients cannot make it fetch other addresses. */
import type { gif } from '@heddle/api/objects/gif.ts';
import type { Static } from 'typebox';
import { signedPath } from '../../domain/texts/external-images/signing.ts';
import type { ServiceGif } from './service.ts';
import { openSignedText, signedText } from './signed-text.ts';

/** What a user can choose. */
export interface ChoosableGif {
  readonly url: string;
  readonly title: string;
}

export function presentGif(secret: Buffer, organizationId: number, found: ServiceGif): Static<typeof gif> {
  const { title, width, height, url, previewUrl, stillUrl } = found;
  return {
    gif: signedText(secret, meaningOf(organizationId), JSON.stringify([url, title])),
    ...{ title, width, height },
    preview_url: signedPath(secret, organizationId, 'GIF', previewUrl),
    still_url: stillUrl === null ? null : signedPath(secret, organizationId, 'GIF', stillUrl),
  };
}

/** The GIF that this server has signed for the organization; undefined for anything else. */
export function choosableGif(secret: Buffer, organizationId: number, given: string): ChoosableGif | undefined {
  const text = openSignedText(secret, meaningOf(organizationId), given);
  if (text === undefined) return undefined;
  // We have signed it, so it has our format.
  const [url, title] = JSON.parse(text) as readonly [string, string];
  return { url, title };
}

function meaningOf(organizationId: number): string {
  return `GIF\n${organizationId}`;
}
