/** How presence is timed, in seconds; clients count on all of it. */

/** How often a client reports. */
export const PING_INTERVAL = 60;

/** Who has not reported for so long is offline: three reports may be missed. */
export const OFFLINE_THRESHOLD = 200;

/** Several clients of somebody's report; what is no longer ago than this is not written again. */
export const LEAST_BETWEEN_REPORTS = 55;

/** Whose last activity is longer ago is about to be shown as offline: when they are back, everybody is told at once. */
export const BACK_AFTER = OFFLINE_THRESHOLD - PING_INTERVAL - 10;

/** Older clients are told that somebody is active where the last activity is no longer than this before the last report. */
export const ACTIVE_WITHIN = 70;

/** When somebody hides, they were last there so long before: offline by every clock. */
export const HIDDEN_SINCE = OFFLINE_THRESHOLD + 120;

export const HISTORY_DAYS = 14;
export const DAY = 86_400;
