import { serviceUnavailable } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../../../concurrency-limiter.ts';
import { timeoutOf } from '../../../config/timeout-factor.ts';

/** Fetches of this process at the same time. Each may hold an image in memory. */
const MAX_FETCHES = 8;
const MAX_FETCHES_PER_ORGANIZATION = 5;
const MAX_WAITING_FETCHES = 300;
const MAX_WAITING_FETCHES_PER_ORGANIZATION = 100;
const MAX_WAIT_MS = timeoutOf(5000);

/** Limits how many images the server fetches at the same time, so that one organization leaves slots for the others. */
export class FetchSlots {
  readonly #all = new ConcurrencyLimiter({ atOnce: MAX_FETCHES + MAX_WAITING_FETCHES, maxWaiting: 0, refusal });
  readonly #ofOrganization = new ConcurrencyLimiter<number>({
    atOnce: MAX_FETCHES_PER_ORGANIZATION,
    maxWaiting: MAX_WAITING_FETCHES_PER_ORGANIZATION,
    refusal,
  });
  readonly #fetches = new ConcurrencyLimiter({ atOnce: MAX_FETCHES, maxWaiting: MAX_WAITING_FETCHES, refusal });

  /**
   * Runs the task when there is a slot.
   * @throws ApiError 503: too many wait, or none became free in time
   */
  run<Result>(organizationId: number, task: () => Promise<Result>): Promise<Result> {
    const late = AbortSignal.timeout(MAX_WAIT_MS);
    const fetch = () => this.#fetches.run('all', task, 0, late);
    return this.#all.run('all', () => this.#ofOrganization.run(organizationId, fetch, 0, late));
  }
}

function refusal() {
  return serviceUnavailable('Too many images at once; please try again');
}
