/** Fetches what messages show of websites. Members choose the addresses, so time, size, type and redirects have limits. */
import type { IncomingMessage } from 'node:http';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import { bytesOf, FetchRefusedError, fetchFollowing } from '../../outbound/following.ts';
import { Networks, resolver } from '../../outbound/networks.ts';
import type { Reach } from '../../outbound/request.ts';
import { SERVER_VERSION } from '../../version.ts';
import { oembedAddress, websiteOfOembed } from './oembed.ts';
import { type Website, websiteOf } from './website.ts';

/** For each address, with its redirects. */
export const WEBSITE_TIMEOUT_MS = timeoutOf(10_000);
/** What a page says about itself is at its beginning. */
const MAX_PAGE_BYTES = 512 * 1024;
const MAX_OEMBED_BYTES = 64 * 1024;
const MAX_URL_LENGTH = 2000;
const MAX_CACHED_WEBSITES = 1000;
/** Fetches that wait for another one from the same host. */
const MAX_WAITING_FETCHES = 100;
/** Hosts that did not respond in time. They are not asked for as long as a failure is cached. */
const MAX_SLOW_HOSTS = 1000;
const CACHE_MS = 60 * 60_000;
const FAILURE_CACHE_MS = 5 * 60_000;

interface Cached {
  readonly website: Promise<Website | undefined>;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export class Websites {
  static readonly of = oncePerApp((app: AppContext) => new Websites(app));

  readonly #reach: Reach;
  readonly #log: AppContext['log'];
  /** By the address. The oldest comes first. Messages with the same link at the same time cause one fetch. */
  readonly #cached = new Map<string, Cached>();
  /** One fetch from a host at a time. */
  readonly #hosts = new ConcurrencyLimiter({
    atOnce: 1,
    maxWaiting: MAX_WAITING_FETCHES,
    refusal: () => new FetchRefusedError('the host is busy'),
  });
  /** Until when they are not asked, in milliseconds since the epoch. The oldest comes first. */
  readonly #slowHosts = new Map<string, number>();

  constructor({ config, log }: Pick<AppContext, 'config' | 'log'>) {
    this.#reach = { networks: new Networks(config.imagePrivateNetworks), resolve: resolver() };
    this.#log = log;
  }

  /** What the website at the address says about itself; undefined if it says nothing or cannot be reached. */
  get(url: string): Promise<Website | undefined> {
    const now = Date.now();
    const known = this.#cached.get(url);
    if (known !== undefined && known.expiresAt > now) return known.website;
    const cached: Cached = { website: this.#fetch(url), expiresAt: now + CACHE_MS };
    this.#cached.delete(url);
    this.#cached.set(url, cached);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_CACHED_WEBSITES && oldest !== undefined) this.#cached.delete(oldest);
    void cached.website.then((website) => {
      if (website === undefined) cached.expiresAt = now + FAILURE_CACHE_MS;
    });
    return cached.website;
  }

  async #fetch(url: string): Promise<Website | undefined> {
    if (url.length > MAX_URL_LENGTH) return undefined;
    const signal = AbortSignal.timeout(WEBSITE_TIMEOUT_MS);
    const described = oembedAddress(url);
    const address = described ?? url;
    const host = URL.parse(address)?.host ?? '';
    let askedAt = Number.POSITIVE_INFINITY;
    const headers = {
      'user-agent': `Heddle/${SERVER_VERSION} (link previews)`,
      accept: described === undefined ? 'text/html,application/xhtml+xml' : 'application/json',
      // A compressed response could unpack to any size.
      'accept-encoding': 'identity',
    };
    try {
      const read = described === undefined ? readPage : readOembed;
      const fetched = async () => {
        if ((this.#slowHosts.get(host) ?? 0) > Date.now()) throw new FetchRefusedError('the host is slow');
        askedAt = performance.now();
        return fetchFollowing(this.#reach, { address, headers, signal }, read);
      };
      return await this.#hosts.run(host, fetched, 0, signal);
    } catch (error) {
      if (signal.aborted && performance.now() - askedAt > WEBSITE_TIMEOUT_MS / 2) this.#noteSlow(host);
      const reason = signal.aborted ? 'timeout' : error instanceof Error ? error.message || error.name : String(error);
      this.#log.debug({ reason }, 'no link preview');
      return undefined;
    }
  }

  #noteSlow(host: string): void {
    this.#slowHosts.delete(host);
    this.#slowHosts.set(host, Date.now() + FAILURE_CACHE_MS);
    const [oldest] = this.#slowHosts.keys();
    if (this.#slowHosts.size > MAX_SLOW_HOSTS && oldest !== undefined) this.#slowHosts.delete(oldest);
  }
}

async function readPage(response: IncomingMessage, url: URL): Promise<Website | undefined> {
  checkType(response, /^(?:text\/html|application\/xhtml\+xml)\b/i);
  const bytes = await bytesOf(response, { maxBytes: MAX_PAGE_BYTES, longer: 'cut' });
  return websiteOf(decoded(bytes, response.headers['content-type'] ?? ''), url);
}

async function readOembed(response: IncomingMessage, url: URL): Promise<Website | undefined> {
  checkType(response, /^(?:application|text)\/(?:json|javascript)\b/i);
  const bytes = await bytesOf(response, { maxBytes: MAX_OEMBED_BYTES, longer: 'refuse' });
  return websiteOfOembed(bytes.toString(), url);
}

function checkType({ statusCode, headers }: IncomingMessage, type: RegExp): void {
  if (statusCode !== 200) throw new FetchRefusedError(`status ${statusCode}`);
  const { 'content-type': given = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!type.test(given) || encoding !== 'identity') throw new FetchRefusedError('another type, or compressed');
}

/** The page or its server names the encoding; otherwise it is UTF-8. */
function decoded(bytes: Buffer, contentType: string): string {
  const inPage = /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1];
  const name = /charset=["']?([\w-]{1,40})/i.exec(contentType)?.[1] ?? inPage ?? 'utf-8';
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    return bytes.toString();
  }
}
