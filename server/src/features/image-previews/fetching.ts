/** Fetches an image from another server. A member chose the address, so the time, the size, the type and the redirects have limits. */
import type { IncomingMessage } from 'node:http';
import { type Reach, sendOutbound } from '../../outbound/request.ts';
import { rasterType } from '../../pictures/raster-type.ts';
import { SERVER_VERSION } from '../../version.ts';

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

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
      throw new NoImageError(signal.aborted ? 'timeout' : messageOf(error), { cause: error });
    }
  }

  async #read(address: string, signal: AbortSignal): Promise<Buffer> {
    let url = webUrl(address);
    for (let redirects = 0; ; redirects++) {
      const response = await this.#get(url, signal);
      try {
        const { statusCode: status = 0 } = response;
        if (!REDIRECTS.has(status)) return await imageBytes(response, status);
        if (redirects === MAX_REDIRECTS) throw new NoImageError('too many redirects');
        url = webUrl(response.headers.location ?? '', url);
      } finally {
        response.destroy();
      }
    }
  }

  #get(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = {
      'user-agent': `Heddle/${SERVER_VERSION} (image previews)`,
      accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
      // A compressed response could unpack to any size.
      'accept-encoding': 'identity',
    };
    return sendOutbound(this.#options, { method: 'GET', url, headers, signal });
  }
}

/** @throws NoImageError */
function webUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new NoImageError('no web address');
  // They would become an Authorization header.
  url.username = '';
  url.password = '';
  return url;
}

/** @throws NoImageError, and what reading the response throws */
async function imageBytes(response: IncomingMessage, status: number): Promise<Buffer> {
  const {
    'content-type': type = '',
    'content-encoding': encoding = 'identity',
    'content-length': length,
  } = response.headers;
  if (status !== 200) throw new NoImageError(`status ${status}`);
  if (!/^image\//i.test(type) || encoding !== 'identity') throw new NoImageError('no image, or a compressed one');
  if (Number(length ?? 0) > MAX_IMAGE_BYTES) throw new NoImageError('too large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_IMAGE_BYTES) throw new NoImageError('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
