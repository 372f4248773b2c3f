/** A real browser: Debian's Chromium, with a new profile for each test file. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { until } from '../server/until.ts';
import { CHROMIUM } from './chromium.ts';

export type { Page } from 'playwright-core';

export { withoutBrowser } from './chromium.ts';

/** How long an action in a page may take. It only bounds tests that would never end. */
const ACTION_LIMIT_MS = 90_000;

/** A phone's width and height, in CSS pixels. */
const PHONE = { width: 375, height: 667 };

export interface TestBrowser {
  /** A new page with the width of a phone. Pages of a browser share its cookies. */
  page(options?: { readonly width?: number }): Promise<Page>;
  /** Deletes all cookies. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBrowser(): Promise<TestBrowser> {
  if (CHROMIUM === undefined) throw new Error('there is no browser');
  const profile = await mkdtemp(join(tmpdir(), 'heddle-browser-'));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    viewport: PHONE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  context.setDefaultTimeout(ACTION_LIMIT_MS);
  return {
    async page({ width = PHONE.width } = {}) {
      const page = await context.newPage();
      await page.setViewportSize({ ...PHONE, width });
      return page;
    },
    forget: () => context.clearCookies(),
    async stop() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Returns the accessible name of the focused element, or its tag; '' if nothing has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const label = element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`);
    return (label?.textContent ?? element.textContent ?? '').trim() || element.tagName.toLowerCase();
  });
}

/** Waits for the focus that a page sets when it opens: the browser does that with the first frame, which may be after the page has loaded. */
export async function untilFocused(page: Page, expected: string | RegExp): Promise<void> {
  const isExpected = (text: string) => (typeof expected === 'string' ? text === expected : expected.test(text));
  await until(async () => isExpected(await focused(page)), `the focus at ${expected}`);
}

/** Waits for the focus on the problems of a form, from where the keyboard goes on. */
export async function untilProblemsFocused(page: Page): Promise<void> {
  await page.waitForSelector('[role=alert]');
  const areFocused = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'alert');
  await until(areFocused, 'the focus on the problems of the form');
}

/** Whether content overflows the page horizontally. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** Returns the contrast of the text of the first matching element with its background (WCAG 2). */
export function contrastOf(page: Page, selector: string): Promise<number> {
  return page.evaluate(contrastInPage, selector);
}

function contrastInPage(selector: string): number {
  const element = document.querySelector(selector);
  if (element === null) throw new Error(`there is no ${selector}`);
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([red = 0, green = 0, blue = 0]: readonly number[]) => {
    const linear = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  let behind: Element | null = element;
  let ground = [255, 255, 255];
  while (behind !== null) {
    const color = channels(getComputedStyle(behind).backgroundColor);
    if (color.length === 3 || color[3] !== 0) {
      ground = color;
      break;
    }
    behind = behind.parentElement;
  }
  const [one, other] = [luminance(channels(getComputedStyle(element).color)), luminance(ground)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Saves a screenshot of the page for inspection if `HEDDLE_TEST_SCREENSHOTS` names a directory. */
export async function picture(page: Page, name: string): Promise<void> {
  const directory = process.env.HEDDLE_TEST_SCREENSHOTS;
  if (directory) await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
}

/**
 * Checks that the page fits the width of a phone and the minimum width, and has enough contrast in light and dark mode.
 * Saves a screenshot of each.
 */
export async function isFit(page: Page, name: string): Promise<void> {
  for (const width of [375, 320]) {
    await page.setViewportSize({ width, height: 667 });
    assert.equal(await isTooWide(page), false, `${name} at ${width}`);
  }
  await page.setViewportSize({ width: 375, height: 667 });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const selector of ['h1', 'p', 'a', 'label', '.hint', '.problem', 'button']) {
      if ((await page.locator(selector).count()) === 0) continue;
      assert((await contrastOf(page, selector)) >= 4.5, `${selector} of ${name}, ${colorScheme}`);
    }
    await picture(page, `${name}-${colorScheme}`);
  }
}

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let count = 0; count < 12; count += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the keyboard does not get to ${name}`);
}
