/** Asks the services of GIFs. A slow or failing service of one organization delays no other organization. Each request has a time limit. */
import type { IncomingMessage } from 'node:http';
import { type GifFailure, gifServiceFailed } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import { type LimitRule, RateLimiter } from '../../http/limits/limits.ts';
import { turn } from '../../http/limits/turns.ts';
import { bytesOf } from '../../outbound/following.ts';
import { Networks, resolver } from '../../outbound/networks.ts';
import { type Reach, sendOutbound } from '../../outbound/request.ts';
import { secondsOfRetryAfter } from '../../outbound/retry-after.ts';
import { SERVER_VERSION } from '../../version.ts';
import { giphy } from './giphy.ts';
import type { GifPage, Search, Service, ServiceName } from './service.ts';
import { tenor } from './tenor.ts';

const SERVICES: Readonly<Record<ServiceName, Service>> = { giphy, tenor };

/** With the wait for a slot. */
const TIMEOUT_MS = timeoutOf(5000);
const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_REQUESTS_PER_ORGANIZATION = 2;
const MAX_WAITING_REQUESTS_PER_ORGANIZATION = 20;
/** Requests of this process. An organization uses a part of them. */
const MAX_REQUESTS = 8;
const MAX_WAITING_REQUESTS = 100;
/**
 * Requests that no cached page answers. The bots of an account count as it. So one account does not use up what the service allows the
 * organization: Giphy gives a new key 100 requests per hour.
 */
const RULES_OF_ACCOUNTS: readonly LimitRule[] = [
  { requests: 30, windowSeconds: 60 },
  { requests: 40, windowSeconds: 3600 },
];
const CACHE_MS = 10 * 60_000;
/** How long a failing service is not asked. */
const FAILURE_CACHE_MS = 10_000;
/** The same for a service that allows no more requests, unless it names a longer time. */
const LIMITED_CACHE_MS = 5 * 60_000;
const MAX_CACHED_PAGES = 300;
const MAX_CACHED_PAGES_PER_ORGANIZATION = 60;
const MAX_FAILING_ORGANIZATIONS = 1000;

export interface Asking {
  readonly organizationId: number;
  /** See `accountOf`. */
  readonly accountId: number;
  readonly service: ServiceName;
  readonly key: string;
  readonly search: Search;
}

interface Failure {
  readonly reason: GifFailure;
  /** Another service or key is tried at once. */
  readonly service: ServiceName;
  readonly key: string;
  readonly until: number;
}

interface CachedPage {
  readonly organizationId: number;
  readonly page: Promise<GifPage>;
  readonly until: number;
}

/** The service responded, but not with GIFs. */
class ServiceError extends Error {
  readonly reason: GifFailure;
  /** The status code of the response, unless it is 200. */
  readonly status: number | undefined;
  /** How long the service wants no requests. */
  readonly retryAfterSeconds: number;

  constructor(reason: GifFailure, message: string, status?: number, retryAfterSeconds = 0) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class GifSearches {
  static readonly of = oncePerApp((app: AppContext) => new GifSearches(app));

  readonly #app: Pick<AppContext, 'config' | 'log'>;
  readonly #now: () => number;
  readonly #reach: Reach;
  /** The least recently fetched page comes first. Equal searches at the same time cause one request. */
  readonly #pages = new Map<string, CachedPage>();
  /** By organization. The oldest comes first. */
  readonly #failures = new Map<number, Failure>();
  readonly #accounts: readonly RateLimiter[];
  readonly #ofOrganization = new ConcurrencyLimiter<number>({
    atOnce: MAX_REQUESTS_PER_ORGANIZATION,
    maxWaiting: MAX_WAITING_REQUESTS_PER_ORGANIZATION,
    refusal: () => gifServiceFailed('limited'),
  });
  readonly #all = new ConcurrencyLimiter({
    atOnce: MAX_REQUESTS,
    maxWaiting: MAX_WAITING_REQUESTS,
    refusal: () => gifServiceFailed('limited'),
  });

  /** @param now milliseconds of a monotonic clock */
  constructor({ config, log }: Pick<AppContext, 'config' | 'log'>, now = () => performance.now()) {
    this.#app = { config, log };
    this.#now = now;
    this.#accounts = RULES_OF_ACCOUNTS.map((rule) => new RateLimiter(rule, now));
    this.#reach = { networks: new Networks(config.imagePrivateNetworks), resolve: resolver() };
  }

  /** @throws ApiError `GIF_SERVICE_FAILED` */
  async find(asking: Asking): Promise<GifPage> {
    const { organizationId, accountId, service, key, search } = asking;
    const { query, position = '', rating, language } = search;
    const name = JSON.stringify([organizationId, service, key, rating, language, query, position]);
    const now = this.#now();
    const known = this.#pages.get(name);
    if (known !== undefined && known.until > now) return known.page;
    const failure = this.#failures.get(organizationId);
    const isSame = failure?.service === service && failure.key === key;
    if (isSame && failure.until > now) throw gifServiceFailed(failure.reason);
    const account = `${organizationId} ${accountId}`;
    if (!this.#accounts.every((rule) => rule.take(account).isAllowed)) throw gifServiceFailed('limited');
    const page = this.#inTurn(asking);
    this.#keep(name, { organizationId, page, until: now + CACHE_MS });
    page.catch(() => {
      if (this.#pages.get(name)?.page === page) this.#pages.delete(name);
    });
    return page;
  }

  #keep(name: string, page: CachedPage): void {
    this.#pages.delete(name);
    this.#pages.set(name, page);
    const own = [...this.#pages].filter(([, { organizationId }]) => organizationId === page.organizationId);
    const [oldest] = own.length > MAX_CACHED_PAGES_PER_ORGANIZATION ? own : [];
    if (oldest !== undefined) this.#pages.delete(oldest[0]);
    dropOldest(this.#pages, MAX_CACHED_PAGES);
  }

  #inTurn(asking: Asking): Promise<GifPage> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const ask = () => this.#all.run('all', () => this.#ask(asking, signal), 0, signal);
    return this.#ofOrganization.run(asking.organizationId, ask, 0, signal);
  }

  async #ask(asking: Asking, signal: AbortSignal): Promise<GifPage> {
    const { organizationId, service: name, search } = asking;
    const service = SERVICES[name];
    try {
      const body = await this.#bodyOf(asking, signal);
      // Parsing a large body is work for the processor.
      await turn();
      return service.page(jsonOf(body), search);
    } catch (error) {
      // An error of the connection does not contain the address, and so not the key.
      const isAboutAll = search.position === undefined || signal.aborted || concernsAll(error);
      const reason = error instanceof ServiceError && isAboutAll ? error.reason : 'unreachable';
      const problem = signal.aborted ? 'timeout' : error instanceof Error ? error.message : String(error);
      this.#app.log.warn({ organization: organizationId, service: name, problem }, 'a service of GIFs fails');
      if (isAboutAll) this.#remember(asking, reason, restOf(error));
      throw gifServiceFailed(reason);
    }
  }

  /** The other searches of the organization are not tried for a while. */
  #remember({ organizationId, service, key }: Asking, reason: GifFailure, milliseconds: number): void {
    this.#failures.delete(organizationId);
    this.#failures.set(organizationId, { reason, service, key, until: this.#now() + milliseconds });
    dropOldest(this.#failures, MAX_FAILING_ORGANIZATIONS);
  }

  async #bodyOf({ service, key, search }: Asking, signal: AbortSignal): Promise<Buffer> {
    const { config } = this.#app;
    const { path, query } = SERVICES[service].request(key, search);
    const url = new URL(path, service === 'giphy' ? config.giphyUrl : config.tenorUrl);
    url.search = new URLSearchParams(query).toString();
    const headers = {
      'user-agent': `Heddle/${SERVER_VERSION} (GIFs)`,
      accept: 'application/json',
      // A compressed response could unpack to any size.
      'accept-encoding': 'identity',
    };
    const response = await sendOutbound(this.#reach, { method: 'GET', url, headers, signal });
    try {
      checkResponse(response);
      return await bytesOf(response, { maxBytes: MAX_RESPONSE_BYTES, longer: 'refuse' });
    } finally {
      response.destroy();
    }
  }
}

/** Tenor refuses a wrong key with 400. */
const REFUSING: ReadonlySet<number> = new Set([400, 401, 403]);
const CONCERNING_ALL: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether other searches would fail, too. A later page can fail because of its position alone. */
function concernsAll(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.status === undefined) return false;
  return CONCERNING_ALL.has(error.status) || error.status >= 500;
}

/** How long the service is not asked after the failure, in milliseconds. */
function restOf(error: unknown): number {
  if (!(error instanceof ServiceError)) return FAILURE_CACHE_MS;
  const least = error.reason === 'limited' ? LIMITED_CACHE_MS : FAILURE_CACHE_MS;
  return Math.max(least, error.retryAfterSeconds * 1000);
}

/** A redirect is not followed, because it would get the key. */
function checkResponse({ statusCode: status = 0, headers }: IncomingMessage): void {
  if (status !== 200) {
    const isPause = status === 429 || status === 503;
    const retryAfterSeconds = isPause ? secondsOfRetryAfter(headers['retry-after']) : 0;
    throw new ServiceError(reasonOf(status), `status ${status}`, status, retryAfterSeconds);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new ServiceError('unreachable', 'compressed');
}

function reasonOf(status: number): GifFailure {
  if (REFUSING.has(status)) return 'refused';
  return status === 429 ? 'limited' : 'unreachable';
}

/** The error of `JSON.parse` would bring a part of the body into the log. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ServiceError('unreachable', 'no JSON');
  }
}

function dropOldest(map: Map<unknown, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max) map.delete(oldest);
}
