/**
 * Which push services get a lane. Members choose the names of services, and a service that answers late holds its lane for long. So services that
 * answered late, or that this process does not know yet, have few lanes of their own. A member's service can answer quickly first and hang
 * afterwards. So the services of the browsers' vendors share their lanes with no other.
 */

const KINDS = ['vendor', 'quick', 'other'] as const;
type Kind = (typeof KINDS)[number];

/** Push services that a process serves at the same time. */
const MAX_CONCURRENT_HOSTS: Readonly<Record<Kind, number>> = { vendor: 16, quick: 16, other: 8 };
/** Requests to each at the same time. */
const MAX_CONCURRENT_REQUESTS: Readonly<Record<Kind, number>> = { vendor: 100, quick: 100, other: 32 };
/** The mean time of the requests in a run of a quick service is at most this, in milliseconds. */
const MAX_QUICK_REQUEST_MS = 2000;
/** Quick services that a process remembers. */
const MAX_QUICK_HOSTS = 1000;
/** Of Chrome, Firefox, Safari and Edge, for JavaScript and PostgreSQL. */
export const VENDORS =
  '^(fcm\\.googleapis\\.com|updates\\.push\\.services\\.mozilla\\.com|web\\.push\\.apple\\.com|[a-z0-9-]+\\.notify\\.windows\\.com)$';
const isVendor = new RegExp(VENDORS);

export type FreeLanes = Readonly<Record<Kind, number>>;

export class Lanes {
  /** Each with what it was at the beginning of its run. */
  readonly #busy = new Map<string, Kind>();
  /** The last one comes last. */
  readonly #quick = new Set<string>();

  get free(): FreeLanes {
    const free = { ...MAX_CONCURRENT_HOSTS };
    for (const kind of this.#busy.values()) free[kind] -= 1;
    return free;
  }

  get isFull(): boolean {
    return KINDS.every((kind) => this.free[kind] === 0);
  }

  get busy(): readonly string[] {
    return [...this.#busy.keys()];
  }

  get quick(): readonly string[] {
    return [...this.#quick];
  }

  /** Returns how many requests the run may make at the same time. */
  begin(host: string): number {
    const kind = isVendor.test(host) ? 'vendor' : this.#quick.has(host) ? 'quick' : 'other';
    this.#busy.set(host, kind);
    return MAX_CONCURRENT_REQUESTS[kind];
  }

  /** @param requestMs the mean time of the requests in milliseconds; undefined: there was none */
  end(host: string, requestMs: number | undefined): void {
    this.#busy.delete(host);
    if (requestMs === undefined || isVendor.test(host)) return;
    this.#quick.delete(host);
    if (requestMs > MAX_QUICK_REQUEST_MS) return;
    this.#quick.add(host);
    const [oldest] = this.#quick;
    if (this.#quick.size > MAX_QUICK_HOSTS && oldest !== undefined) this.#quick.delete(oldest);
  }
}
