/** Turns whatever was thrown into what the client is told. */
import { ApiError, badRequest, headersTooLarge, payloadTooLarge, requestTimeout } from '@heddle/api/errors.ts';

/**
 * The error to answer with, or `undefined` if the failure is ours: then it belongs in the log, and the client hears only
 * that there was one. Fastify marks what the client did wrong with a status below 500.
 */
export function clientsFault(error: unknown, bodyLimit: number): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  if (error.statusCode === 413) return payloadTooLarge(bodyLimit);
  if (error.statusCode >= 400 && error.statusCode < 500) return badRequest(error.message);
  return undefined;
}

/** The error for bytes that are not HTTP, or that came too slowly; `undefined` if there is nobody to tell. */
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
