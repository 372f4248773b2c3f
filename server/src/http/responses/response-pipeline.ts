/** The end of every response, whether the framework sends it or a request was held for it. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Endpoint } from '@heddle/api/contract.ts';
import { type ApiError, internal } from '@heddle/api/errors.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type AcceptedCodings, acceptedCodings } from '../answers/accept-encoding.ts';
import { errorBody } from '../answers/envelope.ts';
import { clientsFault } from '../answers/failures.ts';
import type { SerializedJson } from '../answers/raw-json.ts';
import { discardRest } from '../bodies/request-bodies.ts';
import { challengeFor } from '../requests/authentication.ts';
import { Compression } from './compression.ts';
import type { SlowReaders } from './slow-readers.ts';
import { writePieces } from './unsent-responses.ts';

export interface ResponsePipelineOptions {
  readonly log: FastifyBaseLogger;
  readonly slowReaders: SlowReaders;
  /** Observes each response of a route before it is sent. If it throws, the response is a 500. Tests use it to check the contract. */
  readonly onAnswer?: ((endpoint: Endpoint, status: number, body: string | Buffer) => void) | undefined;
  /** The response for a failure that clients did not cause, such as a database that is down; undefined for all others. */
  readonly outageOf?: ((error: unknown, write: WriteState | undefined) => ApiError | undefined) | undefined;
}

/** How far a request that writes has come. */
export interface WriteState {
  /** Whether it has changed something. */
  readonly hasCommitted: boolean;
}

/** The headers of a response, by their names in lower case. */
export type ResponseHeaders = Record<string, OutgoingHttpHeader | undefined>;

/** A response that is written without the framework. */
export interface DirectResponse {
  readonly response: ServerResponse;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: SerializedJson;
  /** See `SlowReaders.add`. */
  readonly owner: () => string;
}

/** Below this size a compressed response takes as many packets. */
export const MIN_COMPRESSED_BYTES = 1024;

/**
 * The same for polls. Thousands of clients get a new message at once. Compressing it for each would add half of the cost of the delivery, and
 * save little of one packet. So only longer responses are compressed: those of clients that missed events for a while.
 */
export const MIN_COMPRESSED_POLL_BYTES = 16 * 1024;

/** Larger responses are written in parts, as fast as the client reads them. */
export const LARGE_RESPONSE_BYTES = 256 * 1024;

/** When to retry after a 503, in seconds. Most outages are shorter, and all clients can ask that often. */
const RETRY_AFTER_SECONDS = 1;

export class ResponsePipeline {
  readonly #options: ResponsePipelineOptions;
  readonly #compression = new Compression();
  /** From then on responses close their connections, which would otherwise outlive the server. */
  isStopping = false;

  constructor(options: ResponsePipelineOptions) {
    this.#options = options;
  }

  /**
   * The response for an error. Logs the error if it is ours.
   * @param describe what the log says about the request
   * @param write undefined: the request only reads
   */
  faultOf(error: unknown, bodyLimit: number, describe: () => object, write?: WriteState): ApiError {
    const { log, outageOf } = this.#options;
    const fault = clientsFault(error, bodyLimit) ?? outageOf?.(error, write);
    if (fault === undefined) log.error({ err: error, ...describe() }, 'a request failed');
    return fault ?? internal();
  }

  /** Discards what the request still sends, once the response is sent. Call it before any response is sent. */
  discardRequestAfter(response: ServerResponse): void {
    const { req: request } = response;
    if (!request.complete) response.once('finish', () => discardRest(request));
  }

  /**
   * Call it before a response is sent. An objection of the observer is a fault of the server, and the client gets a 500.
   * @returns what to send
   */
  checked<Body extends SerializedJson>(
    endpoint: Endpoint | undefined,
    status: number,
    body: Body,
    describe: () => object,
  ): { readonly status: number; readonly body: Body | string } {
    const { log, onAnswer } = this.#options;
    if (endpoint === undefined || onAnswer === undefined) return { status, body };
    try {
      onAnswer(endpoint, status, typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.concat(body));
      return { status, body };
    } catch (error) {
      log.error({ err: error, ...describe() }, 'an answer was objected to');
      const refusal = internal();
      return { status: refusal.status, body: errorBody(refusal) };
    }
  }

  /**
   * Call it before the framework writes a response.
   * @param owner see `SlowReaders.add`
   */
  writing(response: ServerResponse, body: string | Buffer, owner: () => string): void {
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    this.#options.slowReaders.add(response, typeof body === 'string' ? body : [body], bytes, owner);
  }

  /**
   * The codings that the client accepts for the response; undefined if it is sent uncompressed, because it is small or for another reason.
   */
  codingsFor(request: IncomingMessage, bytes: number, minBytes: number): AcceptedCodings | undefined {
    const header = request.headers['accept-encoding'];
    if (header === undefined || request.method === 'HEAD') return undefined;
    const client = request.headers['sec-fetch-site'] === undefined ? 'other' : 'browser';
    const accepted = acceptedCodings(Array.isArray(header) ? header.join() : header, client);
    if (accepted.coding === undefined || (bytes < minBytes && accepted.acceptsIdentity)) return undefined;
    return accepted;
  }

  /** Writes a response without the framework. It is compressed unless the server is busy compressing others. */
  async writeCompressed(direct: DirectResponse, bytes: number, codings: AcceptedCodings): Promise<void> {
    const { headers, body } = direct;
    headers.vary = 'Accept-Encoding';
    const compressed = await this.#compression.compress(body, bytes, codings).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'a response could not be compressed');
      return undefined;
    });
    if (compressed !== undefined) headers['content-encoding'] = compressed.coding;
    this.write(compressed === undefined ? direct : { ...direct, body: compressed.pieces });
  }

  /** Writes a response without the framework. */
  write({ response, status, headers, body, owner }: DirectResponse): void {
    if (response.destroyed || response.headersSent) return;
    this.discardRequestAfter(response);
    const bytes = lengthOf(body);
    headers['content-type'] = 'application/json';
    headers['content-length'] = bytes;
    if (this.isStopping) headers.connection = 'close';
    response.writeHead(status, headers);
    const { slowReaders } = this.#options;
    if (bytes <= LARGE_RESPONSE_BYTES) {
      const whole = typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.concat(body, bytes);
      slowReaders.add(response, typeof whole === 'string' ? whole : [whole], bytes, owner);
      response.end(whole);
    } else {
      const pieces = typeof body === 'string' ? [Buffer.from(body)] : Buffer.isBuffer(body) ? [body] : body;
      writePieces(response, pieces, slowReaders.add(response, pieces, bytes, owner));
    }
  }
}

/** In bytes. */
export function lengthOf(body: SerializedJson): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return Buffer.isBuffer(body) ? body.length : body.reduce((sum, piece) => sum + piece.length, 0);
}

/** The headers that describe an error. */
export function errorHeaders(request: IncomingMessage, { status, extra }: ApiError): Record<string, string | number> {
  const retryAfter = extra['retry-after'] ?? (status === 503 ? RETRY_AFTER_SECONDS : undefined);
  return {
    ...(status === 401 && { 'www-authenticate': challengeFor(request) }),
    ...(typeof retryAfter === 'number' && { 'retry-after': retryAfter }),
  };
}
