/** Helpers of tests without a server. */
import { until } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';

/** Resolves when the service worker answers for the page, and has all that a start needs. */
export async function canStartOffline(page: Page): Promise<void> {
  // `waitForFunction` does not wait for promises.
  await until(
    () =>
      page.evaluate(
        async () =>
          navigator.serviceWorker.controller?.state === 'activated' && (await caches.match('/')) !== undefined,
      ),
    'a worker that has the start page',
  );
}
