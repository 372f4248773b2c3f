import { notFound } from '@heddle/api/errors.ts';
import { timeoutOf } from '../../../config/timeout-factor.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';
import type { FileSource } from '../../../http/answers/answers.ts';
import { fileInMemory } from '../../../http/answers/file-sources.ts';
import { Networks, resolver } from '../../../outbound/networks.ts';
import { KeptPictures } from '../../../pictures/kept-pictures.ts';
import { FetchSlots } from './fetch-slots.ts';
import { ImageFetcher, NoImageError } from './fetching.ts';
import type { ImageKind } from './signing.ts';

const FETCH_TIMEOUT_MS = timeoutOf(10_000);
const CACHE_BYTES: Readonly<Record<ImageKind, number>> = { message: 32 * 1024 * 1024, GIF: 16 * 1024 * 1024 };
const CACHE_MS = 60 * 60_000;
/** How long a failed address is not tried again. Each reader of the message would wait for it. */
const FAILURE_CACHE_MS = 60_000;
const MAX_FAILURES = 2000;

/** Images of other servers. Many readers who open a message at the same time cause one fetch. */
export class ExternalImages {
  readonly #log: AppContext['log'];
  readonly #fetcher: ImageFetcher;
  readonly #slots = new FetchSlots();
  readonly #kept: KeptPictures;
  readonly #fetches = new Map<string, Promise<FileSource>>();
  /** When each failure expires, in milliseconds; the oldest comes first. */
  readonly #failures = new Map<string, number>();

  /** Those of each kind do not wait for the others and do not displace them. */
  static readonly of = oncePerApp(
    (app: AppContext): Readonly<Record<ImageKind, ExternalImages>> => ({
      message: new ExternalImages(app, CACHE_BYTES.message),
      GIF: new ExternalImages(app, CACHE_BYTES.GIF),
    }),
  );

  /** @param cacheBytes how much stays in memory */
  private constructor({ config, log }: Pick<AppContext, 'config' | 'log'>, cacheBytes: number) {
    this.#log = log;
    this.#kept = new KeptPictures(cacheBytes);
    this.#fetcher = new ImageFetcher({
      networks: new Networks(config.imagePrivateNetworks),
      resolve: resolver(),
      timeoutMilliseconds: FETCH_TIMEOUT_MS,
    });
  }

  /**
   * The image at the address, from memory where it was fetched within the hour.
   * @throws ApiError `NOT_FOUND`: there is no image that readers may see; 503: too many fetches
   */
  async get(organizationId: number, url: string): Promise<FileSource> {
    const now = Date.now();
    const key = `${organizationId} ${Math.floor(now / CACHE_MS)} ${url}`;
    if ((this.#failures.get(key) ?? 0) > now) throw noImage();
    const underWay = this.#fetches.get(key);
    if (underWay !== undefined) return underWay;
    const fetch = this.#kept.get(key, () => this.#fetch(organizationId, url, key));
    this.#fetches.set(key, fetch);
    try {
      return await fetch;
    } finally {
      this.#fetches.delete(key);
    }
  }

  async #fetch(organizationId: number, url: string, key: string): Promise<FileSource> {
    return this.#slots.run(organizationId, async () => {
      try {
        const { bytes, contentType } = await this.#fetcher.fetch(url);
        return fileInMemory(bytes, contentType);
      } catch (error) {
        if (!(error instanceof NoImageError)) throw error;
        this.#log.debug({ organization: organizationId, url, reason: error.message }, 'no image preview');
        this.#rememberFailure(key);
        throw noImage();
      }
    });
  }

  #rememberFailure(key: string): void {
    this.#failures.delete(key);
    this.#failures.set(key, Date.now() + FAILURE_CACHE_MS);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
  }
}

function noImage() {
  return notFound('Image not found.');
}
