/** One Chromium per test process, also for several files. Tests use it one after the other, each person with a profile of their own. */
import { CHROMIUM } from '@heddle/server/testing/clients/chromium.ts';
import { atProcessEnd } from '@heddle/server/testing/process-end.ts';
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
/** Whether the browser runs until the process ends, for the next files. */
let isShared = false;

export interface BorrowedBrowser {
  readonly browser: Browser;
  /** The last user closes the browser, unless the process has more files. */
  readonly giveBack: () => Promise<void>;
}

/**
 * Starts the browser, or returns the running one.
 * @param more additional arguments of the program. They and the program need a browser of their own
 */
export async function borrowBrowser(more: readonly string[] = [], program = CHROMIUM): Promise<BorrowedBrowser> {
  if (program === undefined) throw new Error('Chromium is not installed');
  const start = () => chromium.launch({ executablePath: program, headless: true, args: [...ARGUMENTS, ...more] });
  if (more.length > 0 || program !== CHROMIUM) {
    const own = await start();
    return { browser: own, giveBack: () => own.close() };
  }
  users += 1;
  // A browser that ended with a test is replaced for the next one.
  if (running !== undefined && !(await running).isConnected()) running = undefined;
  if (running === undefined) {
    running = start();
    isShared = atProcessEnd(close);
  }
  const browser = await running;
  let isBorrowed = true;
  return {
    browser,
    async giveBack() {
      if (!isBorrowed) return;
      isBorrowed = false;
      users -= 1;
      if (users === 0 && !isShared) await close();
    },
  };
}

async function close(): Promise<void> {
  const browser = await running;
  running = undefined;
  await browser?.close();
}
