/** Automatic checks of accessibility (WCAG 2.2 AA) with axe. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

let source: string | undefined;

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export interface AxeOptions {
  /** Rules that do not count, each with a reason in a comment of the test. */
  readonly without?: readonly string[];
}

/** Fails if axe finds a problem in the page as it is now. */
export async function checkAccessibility(page: Page, name: string, { without = [] }: AxeOptions = {}): Promise<void> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // The policy of the page refuses a script element. The protocol of the browser evaluates the text beside the page.
  const session = await page.context().newCDPSession(page);
  try {
    const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
    // Axe would copy style sheets that are still loading into elements, which the policy of the page refuses. Only an experimental rule
    // and one about sounds that play by themselves need this.
    const options = { runOnly: RULES, rules, resultTypes: ['violations'], preload: false };
    const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`;
    await session.send('Runtime.evaluate', { expression: `if (!globalThis.axe) { ${source} }; undefined` });
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: run,
      awaitPromise: true,
      returnByValue: true,
    });
    assert.equal(exceptionDetails, undefined, `axe failed: ${JSON.stringify(exceptionDetails)}`);
    const violations: AxeResults['violations'] = JSON.parse(String(result.value));
    const told = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary?.replaceAll('\n', '\n  ')}`,
      ),
    );
    assert.equal(told.length, 0, `axe found ${told.length} problems of ${name}:\n${told.join('\n')}`);
  } finally {
    await session.detach();
  }
}

/** Width and height of the windows that views are checked in. */
export const DESKTOP = { width: 1440, height: 900 };
export const TABLET = { width: 820, height: 1180 };
export const PHONE = { width: 390, height: 844 };

/** The same on a desktop and a phone, in both themes. The page has the size and theme of before at the end. */
export async function checkAccessibilityEverywhere(page: Page, name: string, options: AxeOptions = {}): Promise<void> {
  const before = page.viewportSize();
  for (const [device, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours in the middle of a transition are those of neither theme.
      await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
        await Promise.allSettled(transitions.map(({ finished }) => finished));
      });
      await checkAccessibility(page, `${name} (${device}, ${colorScheme})`, options);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
