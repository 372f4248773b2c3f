/**
 * Which push services get a lane. Members choose the names of services, and a service that answers late holds its lane for long. So services that
 * answered late, or that this process does not know yet, have few lanes of their own.
 */

/** Push services that a process serves at the same time. */
const MAX_CONCURRENT_QUICK_HOSTS = 24;
const MAX_CONCURRENT_OTHER_HOSTS = 8;
/** The mean time of the requests in a run of a quick service is at most this, in milliseconds. */
const MAX_QUICK_REQUEST_MS = 2000;
/** Quick services that a process remembers. */
const MAX_QUICK_HOSTS = 1000;
/** They are quick until they answer late. Others are it after their first run. */
const WELL_KNOWN = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];

export interface FreeLanes {
  readonly quick: number;
  readonly others: number;
}

export class Lanes {
  /** Each with whether it was quick at the beginning of its run. */
  readonly #busy = new Map<string, boolean>();
  /** The last one comes last. */
  readonly #quick = new Set(WELL_KNOWN);

  get free(): FreeLanes {
    const quick = [...this.#busy.values()].filter((isQuick) => isQuick).length;
    return {
      quick: MAX_CONCURRENT_QUICK_HOSTS - quick,
      others: MAX_CONCURRENT_OTHER_HOSTS - (this.#busy.size - quick),
    };
  }

  get busy(): readonly string[] {
    return [...this.#busy.keys()];
  }

  get quick(): readonly string[] {
    return [...this.#quick];
  }

  begin(host: string): void {
    this.#busy.set(host, this.#quick.has(host));
  }

  /** @param requestMs the mean time of the requests in milliseconds; undefined: there was none */
  end(host: string, requestMs: number | undefined): void {
    this.#busy.delete(host);
    if (requestMs === undefined) return;
    this.#quick.delete(host);
    if (requestMs > MAX_QUICK_REQUEST_MS) return;
    this.#quick.add(host);
    const [oldest] = this.#quick;
    if (this.#quick.size > MAX_QUICK_HOSTS && oldest !== undefined) this.#quick.delete(oldest);
  }
}
