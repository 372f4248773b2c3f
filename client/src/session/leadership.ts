/** Elects the tab that polls the queue, with the Web Locks of the browser: the tab that holds the lock leads. */

export interface LeadershipHandlers {
  /** This tab leads now. */
  onLead(): void;
  /** Another tab has taken the lead. */
  onLost(): void;
}

export class Leadership {
  readonly #name: string;
  readonly #handlers: LeadershipHandlers;
  /** Ends the request for the lock that waits. */
  #request: AbortController | undefined;
  /** Releases the lock. Undefined if this tab does not lead. */
  #release: (() => void) | undefined;

  constructor(name: string, handlers: LeadershipHandlers) {
    this.#name = name;
    this.#handlers = handlers;
  }

  get isLeader(): boolean {
    return this.#release !== undefined;
  }

  /** Requests the lead. Resolves when it is known whether this tab leads at once. Otherwise it leads when the others have gone. */
  join(): Promise<boolean> {
    const request = new AbortController();
    this.#request = request;
    return new Promise((resolve) => {
      void this.#lock({ ifAvailable: true }, request.signal, resolve).then((wasFree) => {
        if (!wasFree && !request.signal.aborted) void this.#lock({ signal: request.signal }, request.signal);
      });
    });
  }

  /** Takes the lead from a tab that does not respond. */
  steal(): void {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    void this.#lock({ steal: true }, request.signal);
  }

  /** Gives the lead or the request for it up. Does not call the handlers. */
  leave(): void {
    this.#request?.abort();
    this.#request = undefined;
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  /** Resolves when the lock is lost or released, or with false if it was not available. */
  async #lock(options: LockOptions, signal: AbortSignal, onKnown?: (leads: boolean) => void): Promise<boolean> {
    let release: (() => void) | undefined;
    try {
      return await navigator.locks.request(this.#name, options, async (lock) => {
        if (lock === null || signal.aborted) {
          onKnown?.(false);
          return false;
        }
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        this.#release = release;
        onKnown?.(true);
        this.#handlers.onLead();
        await held;
        return true;
      });
    } catch {
      // The request was aborted, or another tab has stolen the lock.
      onKnown?.(false);
      if (release !== undefined && this.#release === release) {
        this.#release = undefined;
        this.#handlers.onLost();
      }
      return true;
    }
  }
}
