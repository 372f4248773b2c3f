/** One Chromium per test process. Tests use it one after the other, each person with a profile of their own. */
import { CHROMIUM } from '@heddle/server/testing/clients/chromium.ts';
import { type Browser, chromium } from 'playwright-core';

export { WHOLE_CHROMIUM, withoutBrowser } from '@heddle/server/testing/clients/chromium.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The small /dev/shm of containers is not enough for several tabs.
  '--disable-dev-shm-usage',
];

let running: Promise<Browser> | undefined;
let users = 0;

export interface BorrowedBrowser {
  readonly browser: Browser;
  /** The last user closes the browser. */
  readonly giveBack: () => Promise<void>;
}

/**
 * Starts the browser, or returns the running one.
 * @param more additional arguments of the program. They and the program count only for the first user
 */
export async function borrowBrowser(more: readonly string[] = [], program = CHROMIUM): Promise<BorrowedBrowser> {
  if (program === undefined) throw new Error('Chromium is not installed');
  users += 1;
  running ??= chromium.launch({ executablePath: program, headless: true, args: [...ARGUMENTS, ...more] });
  const browser = await running;
  let isBorrowed = true;
  return {
    browser,
    async giveBack() {
      if (!isBorrowed) return;
      isBorrowed = false;
      users -= 1;
      if (users > 0) return;
      running = undefined;
      await browser.close();
    },
  };
}
