/** Counts and times the requests, and logs slow ones. */
import { type Endpoint, fullPathOf } from '@heddle/api/contract.ts';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { requestSeconds, requestsAnswered } from '../../measures.ts';
import type { TimeSpent } from '../../time-spent.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where its time goes. Null for requests that the framework refuses itself. */
    timeSpent: TimeSpent | null;
  }
}

/** At most this many slow requests are logged per period. An overloaded server would write thousands of lines. */
const MAX_LOGGED_REQUESTS = 20;
const PERIOD_MS = 60_000;

const operations = new WeakMap<Endpoint, string>();

/** Like `GET /api/v1/messages/{message_id}`. */
function operationOf(endpoint: Endpoint | undefined): string {
  if (endpoint === undefined) return 'other';
  const known = operations.get(endpoint);
  if (known !== undefined) return known;
  const made = `${endpoint.method} ${fullPathOf(endpoint)}`;
  operations.set(endpoint, made);
  return made;
}

/** Counts a response. */
export function countAnswer(endpoint: Endpoint | undefined, status: number): void {
  requestsAnswered.inc({ operation: operationOf(endpoint), status });
}

export interface Measured {
  readonly request: FastifyRequest;
  /** What the log says about the request. */
  describe(): object;
  /** The time depends on how fast the client sends a file. */
  readonly isUpload: boolean;
}

/** Measures the time until the response is ready, or until the request is held. */
export class RequestTimer {
  readonly #log: FastifyBaseLogger;
  readonly #slowMs: number;
  #periodEndsAt = 0;
  #logged = 0;
  #omitted = 0;

  /** @param slowMs requests that take longer are logged */
  constructor(log: FastifyBaseLogger, slowMs: number) {
    this.#log = log;
    this.#slowMs = slowMs;
  }

  note({ request, describe, isUpload }: Measured, status: number | 'held'): void {
    const time = request.timeSpent;
    if (time === null) return;
    const milliseconds = performance.now() - time.begunAt;
    requestSeconds.observe({ operation: operationOf(request.routeOptions.config.endpoint) }, milliseconds / 1000);
    // A client may take as long as it likes to send its form.
    if (isUpload || milliseconds - time.in('body') < this.#slowMs) return;
    this.#logSlow({ ...describe(), status, milliseconds: Math.round(milliseconds), spent: time.stages });
  }

  #logSlow(facts: object): void {
    const now = performance.now();
    if (now >= this.#periodEndsAt) {
      if (this.#omitted > 0) this.#log.warn({ requests: this.#omitted }, 'more requests were slow');
      this.#periodEndsAt = now + PERIOD_MS;
      this.#logged = 0;
      this.#omitted = 0;
    }
    if (this.#logged >= MAX_LOGGED_REQUESTS) this.#omitted += 1;
    else this.#log.warn(facts, 'a request was slow');
    this.#logged += 1;
  }
}
