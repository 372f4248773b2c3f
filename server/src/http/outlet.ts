/** What happens to every answer as it leaves, whether the framework sends it or a request was held for it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@heddle/api/contract.ts';
import { type ApiError, internal } from '@heddle/api/errors.ts';
import type { FastifyBaseLogger } from 'fastify';
import { challengeFor } from './authentication.ts';
import { errorBody } from './envelope.ts';
import { clientsFault } from './failures.ts';
import { discardRest } from './request-bodies.ts';
import type { SlowReaders } from './slow-readers.ts';

export interface OutletOptions {
  readonly log: FastifyBaseLogger;
  readonly slowReaders: SlowReaders;
  /** Sees each answer of a route just before it is sent; if it throws, the answer is a 500. Tests check the contract so. */
  readonly onAnswer?: ((endpoint: Endpoint, status: number, body: string | Buffer) => void) | undefined;
  /** What clients are told of a failure that is nobody's fault, such as a database that is down; undefined for all others. */
  readonly outageOf?: ((error: unknown) => ApiError | undefined) | undefined;
}

/** An answer that is whole in memory. */
interface WholeAnswer {
  readonly status: number;
  readonly body: string | Buffer;
}

/** When to ask a server again that cannot serve now, in seconds: most outages are over by then, and all can be asked about. */
const UNAVAILABLE_FOR = 1;

export class Outlet {
  readonly #options: OutletOptions;
  /** From when on no connection is kept: it would outlive the server. */
  isStopping = false;

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  /**
   * What the client is told of a failure; what is a failure of ours is in the log.
   * @param describe what the log says of the request
   */
  faultOf(error: unknown, bodyLimit: number, describe: () => object): ApiError {
    const { log, outageOf } = this.#options;
    const fault = clientsFault(error, bodyLimit) ?? outageOf?.(error);
    if (fault === undefined) log.error({ err: error, ...describe() }, 'a request failed');
    return fault ?? internal();
  }

  /** Before any answer is sent. */
  leaving(response: ServerResponse): void {
    const { req: request } = response;
    if (!request.complete) response.once('finish', () => discardRest(request));
  }

  /**
   * Before an answer is sent that is whole. What an observer objects to is a failure of ours, and is answered as one.
   * @returns what is to be sent
   */
  checked(endpoint: Endpoint | undefined, status: number, body: string | Buffer, describe: () => object): WholeAnswer {
    const { log, slowReaders, onAnswer } = this.#options;
    slowReaders.answered(body.length);
    if (endpoint === undefined || onAnswer === undefined) return { status, body };
    try {
      onAnswer(endpoint, status, body);
      return { status, body };
    } catch (error) {
      log.error({ err: error, ...describe() }, 'an answer was objected to');
      const told = internal();
      return { status: told.status, body: errorBody(told) };
    }
  }
}

/** The headers that say more of an error. */
export function errorHeaders(request: IncomingMessage, { status, extra }: ApiError): Record<string, string | number> {
  const retryAfter = extra['retry-after'] ?? (status === 503 ? UNAVAILABLE_FOR : undefined);
  return {
    ...(status === 401 && { 'www-authenticate': challengeFor(request) }),
    ...(typeof retryAfter === 'number' && { 'retry-after': retryAfter }),
  };
}
