/** Bodies that handlers read as they arrive: within a length and a time, and never whole in memory. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type ApiError, badRequest, payloadTooLarge, requestTimeout } from '@heddle/api/errors.ts';
import type { FastifyRequest } from 'fastify';
import { cutOff } from './connections.ts';
import { Relay } from './relay.ts';

/** How much a body may be, and how long it may take. */
export interface BodyLimits {
  /** Bytes. */
  readonly maximumBytes: number;
  /** From the first byte to the last, in seconds. */
  readonly withinSeconds: number;
  /** What a body that is larger is refused with; `PAYLOAD_TOO_LARGE` if not given. */
  readonly tooLarge?: () => ApiError;
}

/** After a refusal what still comes is thrown away for so long, in milliseconds; then the connection is closed. */
const lingerMilliseconds = 2_000;

function refusal({ maximumBytes, tooLarge }: BodyLimits): ApiError {
  return tooLarge?.() ?? payloadTooLarge(maximumBytes);
}

export interface OpenBody {
  /**
   * Fails with `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, or `BAD_REQUEST` where the client hung up. The request itself stays readable
   * then, so that it can be answered.
   */
  readonly content: Readable;
  /** Lets go of the body. Call it when the answer is known, whatever was read. */
  close(): void;
}

/** @throws ApiError `PAYLOAD_TOO_LARGE` at once where the client says that it has more */
export function openBody(request: Pick<FastifyRequest, 'raw' | 'headers'>, limits: BodyLimits): OpenBody {
  const { raw } = request;
  const { maximumBytes, withinSeconds } = limits;
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) throw refusal(limits);
  const content = new Relay(raw, (taken) => {
    if (taken > maximumBytes) throw refusal(limits);
  });
  // Whoever reads hears of a failure; nobody may be reading.
  content.on('error', () => undefined);
  const deadline = setTimeout(() => content.destroy(requestTimeout()), withinSeconds * 1000);
  const onClose = (): void => {
    // What had come and was not read yet is lost with the connection.
    if (!raw.readableEnded) content.destroy(badRequest('The connection was closed before the whole body had come'));
  };
  const stopWaiting = (): void => clearTimeout(deadline);
  raw.once('end', stopWaiting);
  raw.once('close', onClose);
  // Node tells of a broken connection with an error, too.
  raw.on('error', onClose);
  return {
    content,
    close() {
      stopWaiting();
      raw.off('close', onClose);
      content.destroy();
    },
  };
}

/**
 * Once a request is answered, whatever is left of its body is in the way of the connection's next request: it is thrown away for a
 * while, so that the client comes to read the answer, and then the connection is closed.
 */
export function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const { socket } = raw;
  const giveUp = setTimeout(() => socket.destroy(), lingerMilliseconds);
  giveUp.unref();
  const done = (): void => clearTimeout(giveUp);
  raw.once('end', done);
  raw.once('close', done);
  raw.on('error', () => undefined);
  raw.resume();
}

/**
 * Gives all of a form to `take` as it arrives, the next piece when that is done with the one before: else a megabyte or two of what one
 * client has sent would come at once. The request stays readable where it fails.
 * @throws ApiError `PAYLOAD_TOO_LARGE`, at once where the client says that it has more than its route takes; `BAD_REQUEST` where the client
 *   hung up
 */
export async function readBody(
  request: FastifyRequest,
  take: (piece: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const { raw, headers, routeOptions } = request;
  const maximumBytes = routeOptions.bodyLimit ?? 0;
  if (Number(headers['content-length'] ?? 0) > maximumBytes) throw payloadTooLarge(maximumBytes);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let size = 0;
  const onData = (piece: Buffer): void => {
    size += piece.length;
    try {
      if (size > maximumBytes) throw payloadTooLarge(maximumBytes);
      const taken = take(piece);
      if (taken === undefined) return;
      raw.pause();
      taken.then(() => raw.resume(), reject);
    } catch (error) {
      reject(error);
    }
  };
  const onError = (error: Error): void => reject(badRequest(error.message));
  raw.on('data', onData);
  raw.on('end', resolve);
  raw.on('error', onError);
  try {
    await promise;
  } finally {
    raw.off('data', onData);
    raw.off('end', resolve);
    raw.off('error', onError);
  }
}

/** To receive a form whole, in milliseconds. */
const formWithin = 60_000;

/** Cuts off a form that takes too long. Where none is announced there is nothing to wait for, however long the request is held. */
export function expectForm(raw: IncomingMessage): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers;
  if (raw.complete || (length === '0' && encoding === undefined)) return;
  const deadline = setTimeout(() => cutOff(raw.socket), formWithin);
  deadline.unref();
  const done = (): void => clearTimeout(deadline);
  raw.once('end', done);
  raw.once('close', done);
}
