import type { Page } from 'playwright-core';

/**
 * Resolves when no element moves or fades. Before, places and colours are those between two states. Spinners never end, so they do not
 * count.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}

/** Resolves after the tasks that the page has begun. For example, the keyboard listens from the effects of a first render on. */
export async function afterTasks(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(undefined);
      }),
  );
}
