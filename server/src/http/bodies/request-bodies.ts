/** Bodies that handlers read as they arrive: with limits of size and time, and never whole in memory. */
import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { type ApiError, badRequest, payloadTooLarge, requestTimeout } from '@heddle/api/errors.ts';
import type { FastifyRequest } from 'fastify';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { endWithTimeout } from '../answers/failures.ts';

/** The limits of a body. */
export interface BodyLimits {
  /** Bytes. */
  readonly maximumBytes: number;
  /** From the first byte to the last, in seconds. */
  readonly withinSeconds: number;
  /** The error for a larger body; default `PAYLOAD_TOO_LARGE`. */
  readonly tooLarge?: () => ApiError;
}

/** After a refusal the rest of the body is discarded for this time, in milliseconds. Then the connection closes. */
const lingerMilliseconds = timeoutOf(2_000);

/** What waits here for the reader of a body. The rest stays with the socket. */
const BUFFER_BYTES = 16 * 1024;

function refusal({ maximumBytes, tooLarge }: BodyLimits): ApiError {
  return tooLarge?.() ?? payloadTooLarge(maximumBytes);
}

export interface OpenBody {
  /**
   * Fails with `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, or `BAD_REQUEST` if the client disconnected. The request stays readable then, so
   * that it gets a response.
   */
  readonly content: Readable;
  /** Releases the body. Call it when the response is known, even if nothing was read. */
  close(): void;
}

/** @throws ApiError `PAYLOAD_TOO_LARGE` at once if the client declares more */
export function openBody(request: Pick<FastifyRequest, 'raw' | 'headers'>, limits: BodyLimits): OpenBody {
  const { raw } = request;
  const { maximumBytes, withinSeconds } = limits;
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) throw refusal(limits);
  let taken = 0;
  const content = raw.pipe(
    new Transform({
      highWaterMark: BUFFER_BYTES,
      transform(chunk: Buffer, _encoding, done) {
        taken += chunk.length;
        if (taken > maximumBytes) done(refusal(limits));
        else done(null, chunk);
      },
    }),
  );
  // The reader gets the error. Without a reader it must not crash the process.
  content.on('error', () => undefined);
  const deadline = setTimeout(() => content.destroy(requestTimeout()), timeoutOf(withinSeconds * 1000));
  deadline.unref();
  const onClose = (): void => {
    clearTimeout(deadline);
    // What has arrived and was not read is gone with the connection.
    if (!raw.readableEnded) content.destroy(badRequest('The connection was closed before the whole body had come'));
  };
  const stopWaiting = (): void => clearTimeout(deadline);
  raw.once('end', stopWaiting);
  raw.once('close', onClose);
  // Node reports a broken connection with an error, too.
  raw.on('error', onClose);
  // The client can hang up while the request is authenticated. Then there is no event any more.
  if (raw.destroyed) onClose();
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
 * After the response, the rest of the body blocks the next request of the connection. It is discarded for a while, so that the client reads
 * the response. Then the connection closes.
 */
export function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const { socket } = raw;
  // A reader that stopped early would pause the body again when it closes.
  raw.unpipe();
  const giveUp = setTimeout(() => {
    // A short body can be complete without an 'end'. The connection then serves other requests already.
    if (!raw.complete) socket.destroy();
  }, lingerMilliseconds);
  giveUp.unref();
  const done = (): void => clearTimeout(giveUp);
  raw.once('end', done);
  raw.once('close', done);
  raw.on('error', () => undefined);
  raw.resume();
}

/** The time to receive a whole form, in milliseconds. */
const formWithin = timeoutOf(60_000);

/** Destroys the connection of a form that takes too long. A request without a body needs no timeout, however long it is held. */
export function expectForm(raw: IncomingMessage): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers;
  if (raw.complete || (length === '0' && encoding === undefined)) return;
  const deadline = setTimeout(() => endWithTimeout(raw.socket), formWithin);
  deadline.unref();
  const done = (): void => clearTimeout(deadline);
  raw.once('end', done);
  raw.once('close', done);
}
