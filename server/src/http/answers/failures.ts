/** Turns anything that was thrown into a response, and ends connections that get none of a route. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, badRequest, headersTooLarge, payloadTooLarge, requestTimeout } from '@heddle/api/errors.ts';
import { errorBody } from './envelope.ts';

/**
 * The error to return, or `undefined` if the failure is ours. Then the log gets it, and the client learns only that there was one. Fastify
 * marks errors of clients with a status below 500.
 */
export function clientsFault(error: unknown, bodyLimit: number): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  if (error.statusCode === 413) return payloadTooLarge(bodyLimit);
  if (error.statusCode >= 400 && error.statusCode < 500) return badRequest(error.message);
  return undefined;
}

/** Responds to data that never became a request. */
export function answerBrokenConnection({ code }: Error & { readonly code: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || code === 'EPIPE') socket.destroy();
  else if (code === 'HPE_HEADER_OVERFLOW') endWith(headersTooLarge(), socket);
  else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') endWithTimeout(socket);
  else endWith(badRequest('The request is not valid HTTP'), socket);
}

/** Ends a connection whose request did not arrive in time. */
export function endWithTimeout(socket: Socket): void {
  endWith(requestTimeout(), socket);
}

function endWith(fault: ApiError, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorBody(fault);
  socket.end(
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
