import { timeoutOf } from '../config/timeout-factor.ts';

/** How long an idle connection stays open. Proxies commonly keep connections for 60 s. A longer timeout lets them close first. */
export const KEEP_ALIVE_MS = 75_000;

/** How long a worker that retires waits for its connections. Idle ones have ended by then, and others got a response that closes them. */
export const RETIRE_TIMEOUT_MS = KEEP_ALIVE_MS + timeoutOf(5_000);
