/** Turns anything that was thrown into a response. */
import { ApiError, badRequest, headersTooLarge, payloadTooLarge, requestTimeout } from '@heddle/api/errors.ts';

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

/** The error for bytes that are not HTTP or came too slowly; `undefined` if no client is connected. */
export function connectionFault(code: string): ApiError | undefined {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined;
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    default:
      return badRequest('The request is not valid HTTP');
  }
}
