/** The longest pause that another server can ask for. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/** The seconds of a `Retry-After` header, which is a number or a date; 0 without one. */
export function secondsOfRetryAfter(header = ''): number {
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), MAX_RETRY_AFTER_SECONDS);
}
