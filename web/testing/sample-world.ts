/** The sample organization in a browser, for tests of how its views look. */
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { type BrowserWorld, browserWorld } from './browser-world.ts';
import { withoutBrowser } from './chromium.ts';
import { type SampleOrganization, sampleOrganization } from './views/sample-organization.ts';
import type { View } from './views/view.ts';
import { VIEWS } from './views/views.ts';

/** Creating the organization takes some seconds on a busy machine. */
const MAX_SETUP_MS = 120_000;

export interface SampleWorld {
  readonly world: BrowserWorld;
  /** Only tests can call this. */
  readonly sample: () => SampleOrganization;
  /** A view of the table, by the name of its files. */
  readonly viewNamed: (name: string) => View;
}

/** Call this once per test file. */
export function sampleWorld(): SampleWorld {
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
  return {
    world,
    sample() {
      assert(sample !== undefined, 'the organization was not created');
      return sample;
    },
    viewNamed(name) {
      const view = VIEWS.find((one) => one.name === name);
      assert(view !== undefined, `there is no view ${name}`);
      return view;
    },
  };
}
