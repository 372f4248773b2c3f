import { tooManyAtOnce } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';

/**
 * The number of concurrent requests per account; others wait. It is small compared with the database connections, so an account that sends
 * expensive requests leaves most of the server to others.
 */
const MAX_REQUESTS_PER_ACCOUNT = 2;

/** The same for spectators, per network and in total. The total leaves most connections to accounts. */
const MAX_SPECTATOR_REQUESTS_PER_NETWORK = 1;
const MAX_SPECTATOR_REQUESTS = 2;

/** Files that are sent concurrently to one account, or to one network without credentials. Others wait. */
const MAX_CONCURRENT_FILES = 8;

/** The total size of the bodies of an account's waiting requests, in bytes. It allows several of the largest and many usual ones. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** The number of waiting requests per account. */
const MAX_WAITING_REQUESTS = 2_000;

/**
 * The concurrency slots of requests. The weight of a request is the size of its body. A held request has no slot. A request that sends a
 * file takes as long as its client needs, so files have slots of their own.
 */
export class RequestSlots {
  readonly accounts = slots(MAX_REQUESTS_PER_ACCOUNT);
  /** By account, or by network without credentials. */
  readonly files = slots(MAX_CONCURRENT_FILES);
  readonly #networks = slots(MAX_SPECTATOR_REQUESTS_PER_NETWORK);
  readonly #spectators = slots(MAX_SPECTATOR_REQUESTS);

  /** Runs the task with a slot of the network and one of all spectators. */
  runForSpectator<Result>(network: string, task: () => Promise<Result>, bytes: number): Promise<Result> {
    return this.#networks.run(network, () => this.#spectators.run('all', task, bytes), bytes);
  }
}

function slots(atOnce: number): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    atOnce,
    maxWaiting: MAX_WAITING_REQUESTS,
    maxWaitingWeight: MAX_WAITING_BYTES,
    refusal: tooManyAtOnce,
  });
}
