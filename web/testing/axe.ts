/** Automatic checks of accessibility (WCAG 2.2 AA) with axe. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { untilStill } from './still.ts';

let source: string | undefined;

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of {@link RULES} that see colours. All others see only the document and where things are. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

export interface AxeOptions {
  /** Rules that do not count, each with a reason in a comment of the test. */
  readonly without?: readonly string[];
  /**
   * A part of the page, if the rest is the same as in views that are checked: `overlays` are the dialogs and menus, or the whole page if
   * there are none; `main` is the page without its side columns. Default: the whole page.
   */
  readonly part?: 'whole' | 'overlays' | 'main';
}

const SIDE_COLUMNS = ':has(> main) > :is(nav, aside)';

/** What stands above the page: dialogs, sheets and menus. They are outside of the element of the app. */
export const OVERLAYS = 'body > :not(#app) :is([role=dialog], [role=alertdialog], [role=menu], [role=listbox])';

/** Fails if axe finds a problem in the page as it is when nothing moves. */
export async function checkAccessibility(page: Page, name: string, options: AxeOptions = {}): Promise<void> {
  await untilStill(page);
  await withAxe(page, (axe) => axe.check(name, RULES, options));
}

/**
 * The same in both themes. `still` resolves when a new theme is complete. The themes differ only in colours (`tokens.css`), so only the rules
 * of colours look at the second one.
 */
export function checkAccessibilityInThemes(
  page: Page,
  name: string,
  still: () => Promise<void>,
  options: AxeOptions = {},
): Promise<void> {
  return withAxe(page, async (axe) => {
    for (const [colorScheme, rules] of [
      ['light', RULES],
      ['dark', COLOUR_RULES],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await still();
      await axe.check(`${name}, ${colorScheme}`, rules, options);
    }
  });
}

/** The same on a desktop and a phone. The page has the size and theme of before at the end. */
export async function checkAccessibilityEverywhere(page: Page, name: string, options: AxeOptions = {}): Promise<void> {
  const before = page.viewportSize();
  const still = () => untilStill(page);
  for (const [device, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(size);
    await checkAccessibilityInThemes(page, `${name}, ${device}`, still, options);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}

/** Axe in a page. */
interface Axe {
  check(name: string, rules: readonly string[], options: AxeOptions): Promise<void>;
}

async function withAxe(page: Page, use: (axe: Axe) => Promise<void>): Promise<void> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // The policy of the page refuses a script element. The protocol of the browser evaluates the text beside the page.
  const session = await page.context().newCDPSession(page);
  try {
    const { result } = await session.send('Runtime.evaluate', { expression: 'typeof globalThis.axe' });
    if (result.value === 'undefined') await session.send('Runtime.evaluate', { expression: `${source}; undefined` });
    await use({ check: (name, rules, options) => check(session, name, rules, options) });
  } finally {
    await session.detach();
  }
}

async function check(
  session: CDPSession,
  name: string,
  rulesOrTags: readonly string[],
  { without = [], part = 'whole' }: AxeOptions,
): Promise<void> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const runOnly = rulesOrTags.filter((rule) => !without.includes(rule));
  // Axe would copy style sheets that are still loading into elements, which the policy of the page refuses. Only an experimental rule
  // and one about sounds that play by themselves need this.
  const options = { runOnly, rules, resultTypes: ['violations'], preload: false, elementRef: true };
  const where = { whole: 'document', overlays: elements('include', OVERLAYS), main: elements('exclude', SIDE_COLUMNS) }[
    part
  ];
  const run = `axe.run(${where}, ${JSON.stringify(options)}).then(${problemsOf})`;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined, `axe failed: ${JSON.stringify(exceptionDetails)}`);
  const problems: string[] = result.value;
  assert.equal(problems.length, 0, `axe found ${problems.length} problems of ${name}:\n${problems.join('\n')}`);
}

/**
 * Runs in the page. The bar at the top of a list can cover a part of a target, which then scrolls out from below it. That is no target that is
 * too small.
 */
function problemsOf({ violations }: AxeResults): string[] {
  const bar = document.querySelector('[data-list-top]');
  const isBelowBar = (element: Element | undefined) => {
    if (bar === null || element === undefined || bar.contains(element)) return false;
    const [covers, target] = [bar.getBoundingClientRect(), element.getBoundingClientRect()];
    return target.top < covers.bottom && target.bottom > covers.top && element.closest('[data-feed-scroller]') !== null;
  };
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ element }) => id !== 'target-size' || !isBelowBar(element))
      .map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary?.replaceAll('\n', '\n  ')}`),
  );
}

/** An expression for axe: the elements that match, or the whole document if there are none. */
function elements(use: 'include' | 'exclude', selector: string): string {
  const found = `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
  return `((all) => all.length > 0 ? { ${use}: all } : document)(${found})`;
}

/** Width and height of the windows that views are checked in. */
export const DESKTOP = { width: 1440, height: 900 };
export const TABLET = { width: 820, height: 1180 };
export const PHONE = { width: 390, height: 844 };
