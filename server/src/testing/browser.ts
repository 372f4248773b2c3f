/** A real browser: Debian's Chromium, with a new profile for each test file. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

export type { Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Why tests that need one are skipped; false where there is one. */
export const withoutBrowser = CHROMIUM !== undefined ? false : 'Chromium is not installed';

/** A phone's width and height, in CSS pixels. */
const PHONE = { width: 375, height: 667 };

export interface TestBrowser {
  /** A new page, as wide as a phone's screen. Cookies are the browser's, and so shared. */
  page(options?: { readonly width?: number }): Promise<Page>;
  /** Forgets all cookies. */
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
  context.setDefaultTimeout(20_000);
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

/** What has the focus: the element's name for people who cannot see it, or its tag. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null) return '';
    const label = element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`);
    return (label?.textContent ?? element.textContent ?? '').trim() || element.tagName.toLowerCase();
  });
}

/** Whether something sticks out of the page to the side. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
