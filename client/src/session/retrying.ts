import { ApiError, isTemporary } from '../calls/errors.ts';
import { BackOff, wait } from './back-off.ts';

/** Repeats a request until it succeeds. It must have the same effect once and twice. Throws errors that are not temporary. Undefined: aborted. */
export async function keepTrying<Result>(
  request: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const backOff = new BackOff();
  while (!signal.aborted) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted) break;
      if (!isTemporary(error)) throw error;
      await waitAfter(error, backOff, signal);
    }
  }
  return undefined;
}

/** Waits before the next attempt, and at least as long as the server has asked for. */
export function waitAfter(error: unknown, backOff: BackOff, signal: AbortSignal): Promise<void> {
  const stated = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  return wait(Math.max(backOff.next(), stated * 1000), signal);
}
