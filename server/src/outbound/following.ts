/** Fetches from an address that a user has chosen, and follows redirects. Each step is a request of its own with all its checks. */
import type { IncomingMessage } from 'node:http';
import { type Reach, sendOutbound } from './request.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The address or the response of the other server is not acceptable. The message is for the log. */
export class FetchRefusedError extends Error {
  override readonly name = 'FetchRefusedError';
}

export interface Fetching {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends everything, from the first lookup of a name to the last byte. */
  readonly signal: AbortSignal;
}

/**
 * Reads the last response, the first that is no redirect.
 * @param read gets its own address, too. The response ends when it is done.
 * @throws FetchRefusedError; what `sendOutbound` and `read` throw
 */
export async function fetchFollowing<Result>(
  reach: Reach,
  { address, headers, signal }: Fetching,
  read: (response: IncomingMessage, url: URL) => Promise<Result>,
): Promise<Result> {
  let url = webUrl(address);
  for (let redirects = 0; ; redirects++) {
    const response = await sendOutbound(reach, { method: 'GET', url, headers, signal });
    try {
      if (!REDIRECTS.has(response.statusCode ?? 0)) return await read(response, url);
      if (redirects === MAX_REDIRECTS) throw new FetchRefusedError('too many redirects');
      url = webUrl(response.headers.location ?? '', url);
    } finally {
      response.destroy();
    }
  }
}

/** @throws FetchRefusedError */
function webUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new FetchRefusedError('no web address');
  // They would become an Authorization header.
  url.username = '';
  url.password = '';
  return url;
}

export interface BodyLimit {
  readonly maxBytes: number;
  /** What happens to a longer body. */
  readonly longer: 'refuse' | 'cut';
}

/** @throws FetchRefusedError */
export async function bytesOf(response: IncomingMessage, { maxBytes, longer }: BodyLimit): Promise<Buffer> {
  if (longer === 'refuse' && Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= maxBytes) continue;
    if (longer === 'refuse') throw tooLarge();
    break;
  }
  return Buffer.concat(chunks, Math.min(size, maxBytes));
}

function tooLarge(): FetchRefusedError {
  return new FetchRefusedError('too large');
}
