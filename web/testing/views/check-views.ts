/** The test of views: axe finds nothing, on a desktop and a phone, in both themes. */
import assert from 'node:assert/strict';
import { before, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../axe.ts';
import { browserWorld } from '../browser-world.ts';
import { withoutBrowser } from '../chromium.ts';
import { settle, Viewer } from './open-view.ts';
import { type SampleOrganization, sampleOrganization } from './sample-organization.ts';
import type { View } from './view.ts';

/** Creating the organization takes some seconds on a busy machine. */
const MAX_SETUP_MS = 120_000;

/** A test looks at some forty views, each in two themes. */
const TEST_TIMEOUT_MS = 400_000;

/** Defines a test per device. It reports the problems of all views. Call this once per test file. */
export function checkViews(views: readonly View[]): void {
  const world = browserWorld();
  let sample: SampleOrganization | undefined;
  if (withoutBrowser === false) {
    before(
      async () => {
        sample = await sampleOrganization(world);
      },
      { timeout: MAX_SETUP_MS },
    );
  }
  for (const device of ['desktop', 'phone'] as const) {
    const title = `axe finds nothing on a ${device}, in both themes`;
    const look = async (t: TestContext) => {
      if (sample === undefined) throw new Error('the organization was not created');
      const viewer = new Viewer(world, sample, device);
      const problems: string[] = [];
      for (const view of views) {
        await viewer
          .show(view, (page) => checkThemes(page, view, device))
          .catch((error: unknown) => {
            problems.push(view.name);
            t.diagnostic(`${view.name}: ${error instanceof Error ? error.message : error}`);
          });
      }
      assert.deepEqual(problems, [], 'some views have problems');
    };
    world.test(title, look, TEST_TIMEOUT_MS);
  }
}

async function checkThemes(page: Page, view: View, device: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settle(page, view);
    await checkAccessibility(page, `${view.title} (${device}, ${colorScheme})`);
  }
}
