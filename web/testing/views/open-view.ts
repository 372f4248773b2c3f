/** Brings a page to a view of the table. */
import type { Page } from 'playwright-core';
import type { BrowserWorld, OpenOptions } from '../browser-world.ts';
import type { SampleOrganization } from './sample-organization.ts';
import type { Device, View } from './view.ts';

/**
 * Opens the view in a new page, and waits until it is complete and still. Views must not see what earlier ones left, so each has a
 * new profile.
 */
export async function openView(
  world: BrowserWorld,
  sample: SampleOrganization,
  view: View,
  device: Device,
  options: OpenOptions,
): Promise<Page> {
  const person = view.as?.(sample) ?? sample.people.mara;
  const route = view.route(sample);
  if (view.problems !== undefined) world.expectProblems(...view.problems);
  const page =
    typeof person === 'string' ? await world.openAsSpectator(route, options) : await world.open(person, route, options);
  await view.act?.({ page, device, sample });
  await view.shows(page).waitFor();
  await settle(page);
  return page;
}

/** Waits until pictures and fonts are there and nothing moves. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}
