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
