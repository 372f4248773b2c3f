/** Fetches an image from another server. A member chose the address, so the time, the size, the type and the redirects have limits. */
import type { IncomingMessage } from 'node:http';
import { bytesOf, FetchRefusedError, fetchFollowing } from '../../../outbound/following.ts';
import type { Reach } from '../../../outbound/request.ts';
import { rasterType } from '../../../pictures/raster-type.ts';
import { SERVER_VERSION } from '../../../version.ts';

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export interface FetchedImage {
  readonly bytes: Buffer;
  /** Derived from the content, whatever the other server says. */
  readonly contentType: string;
}

/** The other server gives no image that readers may see. The message is for the log. */
export class NoImageError extends Error {
  override readonly name = 'NoImageError';
}

export interface FetcherOptions extends Reach {
  /** From the first lookup of the name to the last byte, with all redirects. */
  readonly timeoutMilliseconds: number;
}

export class ImageFetcher {
  readonly #options: FetcherOptions;

  constructor(options: FetcherOptions) {
    this.#options = options;
  }

  /** @throws NoImageError */
  async fetch(address: string): Promise<FetchedImage> {
    const signal = AbortSignal.timeout(this.#options.timeoutMilliseconds);
    try {
      const bytes = await this.#read(address, signal);
      return { bytes, contentType: await rasterType(bytes) };
    } catch (error) {
      if (error instanceof NoImageError) throw error;
      if (error instanceof FetchRefusedError) throw new NoImageError(error.message);
      throw new NoImageError(signal.aborted ? 'timeout' : messageOf(error), { cause: error });
    }
  }

  #read(address: string, signal: AbortSignal): Promise<Buffer> {
    const headers = {
      'user-agent': `Heddle/${SERVER_VERSION} (image previews)`,
      accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
      // A compressed response could unpack to any size.
      'accept-encoding': 'identity',
    };
    return fetchFollowing(this.#options, { address, headers, signal }, imageBytes);
  }
}

/** @throws NoImageError, and what reading the response throws */
async function imageBytes(response: IncomingMessage): Promise<Buffer> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = response.headers;
  if (response.statusCode !== 200) throw new NoImageError(`status ${response.statusCode}`);
  if (!/^image\//i.test(type) || encoding !== 'identity') throw new NoImageError('no image, or a compressed one');
  return bytesOf(response, { maxBytes: MAX_IMAGE_BYTES, longer: 'refuse' });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
