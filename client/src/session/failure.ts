/** What the session does after a request failed. */
import { ApiError, isTemporary, UnexpectedAnswerError } from '../calls/errors.ts';
import type { StopReason } from './status.ts';

export type Failure =
  /** Try again, but not before `afterMs`. */
  | { readonly action: 'retry'; readonly afterMs: number }
  /** The queue is gone, or its events are. */
  | { readonly action: 'register' }
  | { readonly action: 'stop'; readonly reason: StopReason; readonly code: string; readonly message: string };

/** The session respects a longer `Retry-After` only up to this time, in milliseconds: a person waits for it. */
const MAX_RETRY_AFTER_MS = 300_000;

/** @param step the request that failed */
export function failureOf(error: unknown, step: 'register' | 'poll'): Failure {
  const retryAfter = error instanceof ApiError || error instanceof UnexpectedAnswerError ? error.retryAfter : undefined;
  // Without a response of the API, a network or a proxy failed. The server may return.
  if (!(error instanceof ApiError) || isTemporary(error) || error.status >= 500) {
    return { action: 'retry', afterMs: Math.min((retryAfter ?? 0) * 1000, MAX_RETRY_AFTER_MS) };
  }
  const { status, code, message } = error;
  if (code === 'USER_DEACTIVATED' || code === 'REALM_DEACTIVATED') {
    return { action: 'stop', reason: 'deactivated', code, message };
  }
  // 403: the browser lost its CSRF token together with its session.
  if (status === 401 || status === 403) return { action: 'stop', reason: 'logged-out', code, message };
  // BAD_EVENT_QUEUE_ID, or BAD_REQUEST if the server no longer keeps the events after the client's last one.
  if (status === 400 && step === 'poll') return { action: 'register' };
  return { action: 'stop', reason: 'unsupported', code, message };
}
