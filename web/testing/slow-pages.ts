/** Pages that get something late, or render late, to find tests and code of the app that act before what they need. */
import { setTimeout as delay } from 'node:timers/promises'; // timing: pages get things late on purpose
import type { CDPSession, Page } from 'playwright-core';

/**
 * So much later, in milliseconds, pages get the responses of their polls, other responses of the API, and code, styles and pictures. And
 * so much later React renders: `HEDDLE_TEST_LATE_EVENTS_MS=400 npm run test:web`.
 */
const LATE_MS = {
  events: lateMs('EVENTS'),
  answers: lateMs('ANSWERS'),
  files: lateMs('FILES'),
};
const LATE_RENDERS_MS = lateMs('RENDERS');

/** So many times slower is the processor of pages: `HEDDLE_TEST_CPU_SLOWDOWN=4 npm run test:web`. */
export const CPU_SLOWDOWN_FACTOR = Number(process.env.HEDDLE_TEST_CPU_SLOWDOWN ?? 1);

function lateMs(kind: string): number {
  return Number(process.env[`HEDDLE_TEST_LATE_${kind}_MS`] ?? 0);
}

/** Slows the page down as these variables say. A test that fails only then has a race, and often needs `world.settled(page)`. */
export async function slowDown(page: Page): Promise<void> {
  if (LATE_RENDERS_MS > 0) await page.addInitScript(delayMessages, LATE_RENDERS_MS);
  const areResponsesLate = Object.values(LATE_MS).some((ms) => ms > 0);
  if (!areResponsesLate && CPU_SLOWDOWN_FACTOR === 1) return;
  const browser = await page.context().newCDPSession(page);
  if (CPU_SLOWDOWN_FACTOR !== 1) await browser.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR });
  if (areResponsesLate) await delayResponses(browser);
}

/** From now on, React renders so much later, unless the user has caused it. On a busy machine it does. */
export function renderLate(page: Page, ms: number): Promise<void> {
  return page.evaluate(delayMessages, ms);
}

/** In the page. React renders when it receives a message that it has sent to itself. */
function delayMessages(ms: number): void {
  const { postMessage } = MessagePort.prototype;
  const later = window.setTimeout; // timing: messages come late on purpose
  MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
    later(() => Reflect.apply(postMessage, this, message), ms);
  };
}

/** The browser itself sends the requests, and holds their responses back. So `setOffline`, stored files and routes of tests work as usual. */
async function delayResponses(browser: CDPSession): Promise<void> {
  browser.on('Fetch.requestPaused', async ({ requestId, request }) => {
    await delay(LATE_MS[kindOf(new URL(request.url))]);
    // The page may have ended.
    await browser.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: 'http*', requestStage: 'Response' }] });
}

function kindOf({ pathname }: URL): keyof typeof LATE_MS {
  if (pathname === '/json/events') return 'events';
  return pathname.startsWith('/json/') ? 'answers' : 'files';
}
