import type { AppContext } from '../../../extension/app-context.ts';
import { MAX_URL_LENGTH, signedPath } from './signing.ts';

/** Returns the address of the proxy for an image of another server; undefined if the image cannot be shown. */
export type ImageProxy = (url: string) => string | undefined;

/**
 * The proxy for messages of the organization; undefined if the operator has disabled it. This function fetches nothing.
 */
export function imageProxyOf(
  { config, secret }: Pick<AppContext, 'config' | 'secret'>,
  organizationId: number,
): ImageProxy | undefined {
  if (!config.imagePreviews) return undefined;
  return (url) => (url.length > MAX_URL_LENGTH ? undefined : signedPath(secret, organizationId, 'message', url));
}
