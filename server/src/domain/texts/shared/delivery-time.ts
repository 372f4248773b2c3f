import { badRequest } from '@heddle/api/errors.ts';

/** Ten years, in seconds. A later time is a mistake. */
const MAX_DELAY_SECONDS = 10 * 366 * 86_400;

/**
 * @param timestamp seconds since the epoch, from a client
 * @throws ApiError `BAD_REQUEST`: it is in the past, or too far away
 */
export function checkedDeliveryTime(timestamp: number): Date {
  const now = Date.now() / 1000;
  if (timestamp <= now) throw notInFuture();
  if (timestamp > now + MAX_DELAY_SECONDS) throw badRequest('Scheduled delivery time is too far in the future.');
  return new Date(timestamp * 1000);
}

export function notInFuture() {
  return badRequest('Scheduled delivery time must be in the future.');
}
