/** Events that reach the app late, to find tests that act before an event arrives which they need. */
import { setTimeout as delay } from 'node:timers/promises'; // timing: events come late on purpose
import type { BrowserContext } from 'playwright-core';

/** So much later, in milliseconds, `HEDDLE_TEST_LATE_EVENTS_MS=400 npm run test:web` gives events to the app. */
const LATE_MS = Number(process.env.HEDDLE_TEST_LATE_EVENTS_MS ?? 0);

/** Delays the responses to polls of all pages. A test that fails only then has a race. It needs `world.settled(page)`. Polls do not notice `setOffline`. */
export async function delayEvents(context: BrowserContext): Promise<void> {
  if (LATE_MS === 0) return;
  await context.route(/\/json\/events\?/, async (route) => {
    try {
      const response = await route.fetch({ timeout: 0 });
      await delay(LATE_MS);
      await route.fulfill({ response });
    } catch {
      // The server was killed, or the page has ended.
      await route.abort().catch(() => undefined);
    }
  });
}
