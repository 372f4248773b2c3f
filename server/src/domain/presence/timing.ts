/** The durations of presence in seconds. Clients rely on all of them. */

/** How often a client reports. */
export const PING_INTERVAL_SECONDS = 60;

/** A user without a report for this long is offline. Three reports can be missed. */
export const OFFLINE_THRESHOLD_SECONDS = 200;

/** A user can have several clients. A report within this time of the last one is not written. */
export const MIN_REPORT_INTERVAL_SECONDS = 55;

/**
 * A user whose last activity is older than this is about to be shown as offline. The return of such a user is announced
 * at once.
 */
export const RETURN_THRESHOLD_SECONDS = OFFLINE_THRESHOLD_SECONDS - PING_INTERVAL_SECONDS - 10;

/** Older clients show a user as active if the last activity is at most this long before the last report. */
export const ACTIVE_THRESHOLD_SECONDS = 70;

/** Hiding sets the last connection this long ago, which is offline for every client. */
export const HIDDEN_AGE_SECONDS = OFFLINE_THRESHOLD_SECONDS + 120;

export const HISTORY_DAYS = 14;
export const DAY_SECONDS = 86_400;

/** The presence of a user; seconds since the epoch. */
export interface Presence {
  readonly connectedAt: number;
  /** The user's last activity; null: never. */
  readonly activeAt: number | null;
}
