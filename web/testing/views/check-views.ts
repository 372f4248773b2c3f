/** The test of views: axe finds nothing, in both themes. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { checkAccessibilityInThemes } from '../axe.ts';
import { sampleWorld } from '../sample-world.ts';
import { settle, Viewer } from './open-view.ts';
import type { Device, View } from './view.ts';
import { VIEW_AREAS } from './views.ts';

/** Defines a test per area, which reports the problems of all its views. Call this once per test file. */
export function checkViewsOn(device: Device): void {
  const { world, sample } = sampleWorld();
  for (const [area, views] of Object.entries(VIEW_AREAS)) {
    const look = async () => {
      const known = new Set<unknown>();
      // The side columns of a person are the same beside all pages.
      const partOf = (view: View) => {
        if (view.act !== undefined) return 'overlays';
        const person = view.as?.(sample()) ?? sample().people.mara;
        if (known.has(person)) return 'main';
        known.add(person);
        return 'whole';
      };
      const viewer = new Viewer(world, sample(), device, { keepsPages: true });
      const problems: string[] = [];
      for (const view of views) {
        const check = (page: Page) =>
          checkAccessibilityInThemes(page, `${view.title}, ${device}`, () => settle(page, view), {
            part: partOf(view),
          });
        await viewer.show(view, check).catch((error: unknown) => {
          problems.push(`${view.name}: ${error instanceof Error ? error.message : error}`);
        });
      }
      assert.equal(problems.length, 0, problems.join('\n'));
    };
    world.test(`axe finds nothing on a ${device}, in both themes: ${area}`, look);
  }
}
