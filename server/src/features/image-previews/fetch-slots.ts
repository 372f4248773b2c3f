import { serviceUnavailable } from '@heddle/api/errors.ts';

/** Fetches of this process at the same time. Each may hold an image in memory. */
const MAX_FETCHES = 8;
const MAX_FETCHES_PER_ORGANIZATION = 5;
const MAX_WAITING = 300;
const MAX_WAITING_PER_ORGANIZATION = 100;
const MAX_WAIT_MS = 5000;

interface Waiter {
  readonly organizationId: number;
  readonly begin: () => void;
}

/** Limits how many images the server fetches at the same time, so that one organization leaves slots for the others. */
export class FetchSlots {
  readonly #running = new Map<number, number>();
  #total = 0;
  readonly #waiting: Waiter[] = [];

  /**
   * Runs the task when there is a slot.
   * @throws ApiError 503: too many wait, or none became free in time
   */
  async run<Result>(organizationId: number, task: () => Promise<Result>): Promise<Result> {
    if (this.#hasSlot(organizationId)) this.#take(organizationId);
    else await this.#wait(organizationId);
    try {
      return await task();
    } finally {
      this.#leave(organizationId);
    }
  }

  #hasSlot(organizationId: number): boolean {
    return this.#total < MAX_FETCHES && (this.#running.get(organizationId) ?? 0) < MAX_FETCHES_PER_ORGANIZATION;
  }

  #take(organizationId: number): void {
    this.#total += 1;
    this.#running.set(organizationId, (this.#running.get(organizationId) ?? 0) + 1);
  }

  /** Resolves with the slot taken. */
  #wait(organizationId: number): Promise<void> {
    const ofOrganization = this.#waiting.filter((one) => one.organizationId === organizationId).length;
    if (this.#waiting.length >= MAX_WAITING || ofOrganization >= MAX_WAITING_PER_ORGANIZATION) throw tooManyFetches();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        organizationId,
        begin: () => {
          clearTimeout(timeout);
          this.#take(organizationId);
          resolve();
        },
      };
      const timeout = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(tooManyFetches());
      }, MAX_WAIT_MS);
      this.#waiting.push(waiter);
    });
  }

  #leave(organizationId: number): void {
    this.#total -= 1;
    const left = (this.#running.get(organizationId) ?? 1) - 1;
    if (left === 0) this.#running.delete(organizationId);
    else this.#running.set(organizationId, left);
    const next = this.#waiting.findIndex((waiter) => this.#hasSlot(waiter.organizationId));
    if (next >= 0) this.#waiting.splice(next, 1)[0]?.begin();
  }
}

function tooManyFetches() {
  return serviceUnavailable('Too many images at once; please try again');
}
