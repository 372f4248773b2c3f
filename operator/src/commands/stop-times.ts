import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';

/** The timeout of requests during a stop. The rest of ten seconds is for the database. */
export const FINISH_REQUESTS_MS = timeoutOf(4000);

/** The timeout of a stop after the drain, for requests, jobs and the database. */
export const STOP_MS = timeoutOf(10_000);
