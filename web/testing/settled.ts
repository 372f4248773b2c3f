/**
 * The signal "everything received is applied and painted". It changes nothing in the app, so tests use the build that people use. It knows:
 *
 * - what the app has applied, from its poll: the app asks for more events only when it has applied and painted the ones before;
 * - what the server still has for the app, from the log of the server;
 * - which requests of the app have no response, from the browser.
 */
import assert from 'node:assert/strict';
import type { TestServer } from '@heddle/server/testing/server/server.ts';
import type { Page } from 'playwright-core';
import type { PagesRequests, Poll } from './page-requests.ts';
import { SLOWNESS } from './slowness.ts';

/** A page settles within this time. The machine may be busy with other tests. */
const SETTLE_TIMEOUT_MS = 30_000 * SLOWNESS;

/** Two tabs use this channel to learn that both have handled all messages of the app before. */
const FENCE = 'heddle-test-fence';

export interface SettleOptions {
  readonly server: TestServer;
  readonly requests: PagesRequests;
  readonly timeoutMs?: number | undefined;
}

/**
 * Resolves when the page
 *
 * 1. has applied all events that the server had committed for its user at the time of the call,
 * 2. has no request without a response, except its poll, and
 * 3. has painted the result. A hidden page paints nothing, so it has only handled what it received.
 *
 * A tab that leaves the polls to another tab is settled when that one is, and when it has handled its messages. A page without a login has
 * no events. A page that reconnects is settled when it is live again.
 *
 * This does not wait for what the app does later, such as marking as read what was visible for a second.
 *
 * @throws Error that says what is not settled
 */
export async function settled(page: Page, options: SettleOptions): Promise<void> {
  const { server, requests, timeoutMs = SETTLE_TIMEOUT_MS } = options;
  const organization = await homeOf(server);
  // Another process may have committed events.
  await organization.catchUp();
  const through = organization.position;
  const limit = AbortSignal.timeout(timeoutMs);
  let missing: string | undefined;
  let isPainted = false;
  try {
    // timing: the limit ends this loop.
    while (missing !== undefined || !isPainted) {
      limit.throwIfAborted();
      const change = nextChange(page, requests, limit);
      missing = await missingIn(page, options, through);
      if (missing !== undefined) await change.promise;
      change.stop();
      isPainted = false;
      if (missing !== undefined) continue;
      await beforeLimit(painted(page, requests), limit);
      // The page may have requested more because of what it received.
      missing = await missingIn(page, options, through);
      isPainted = true;
    }
  } catch (error) {
    if (!limit.aborted) throw error;
    const reason = missing ?? 'it does not paint, or its other tab does not respond';
    throw new Error(`${page.url()} is not settled after ${timeoutMs / 1000} s: ${reason}`);
  }
}

export async function homeOf(server: TestServer) {
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  return home;
}

/** Resolves when the requests of the page, or of a tab beside it, change. Stop it when it is not needed any more. */
function nextChange(page: Page, requests: PagesRequests, limit: AbortSignal) {
  const stopped = new AbortController();
  const signal = AbortSignal.any([limit, stopped.signal]);
  const promise = Promise.race(tabsOf(page).map((tab) => requests.of(tab).nextChange(signal)));
  promise.catch(() => undefined);
  return { promise, stop: () => stopped.abort() };
}

/** The page and the other tabs of its profile. */
function tabsOf(page: Page): Page[] {
  return [
    page,
    ...page
      .context()
      .pages()
      .filter((one) => one !== page),
  ];
}

/** What the app has not received yet, for people. Undefined if it has received everything. */
async function missingIn(
  page: Page,
  { server, requests }: SettleOptions,
  through: number,
): Promise<string | undefined> {
  const { pending } = requests.of(page);
  if (pending.length > 0) return `no response yet: ${pending.join(', ')}`;
  if (!(await hasLogin(page))) return undefined;
  const polling = pollingTab(page, requests);
  const poll = polling && requests.of(polling).poll;
  if (poll === undefined) return 'no tab of its profile polls for events';
  return eventsAfter(poll, server, through);
}

async function hasLogin(page: Page): Promise<boolean> {
  const cookies = await page.context().cookies(page.url());
  return new URL(page.url()).pathname === '/' && cookies.some(({ name }) => name === 'sessionid');
}

/** The tab that receives the events of the page. */
function pollingTab(page: Page, requests: PagesRequests): Page | undefined {
  return tabsOf(page).find((tab) => requests.of(tab).poll !== undefined);
}

/** The events that the server has for the queue, and the app has not applied. */
async function eventsAfter(poll: Poll, server: TestServer, through: number): Promise<string | undefined> {
  const home = await homeOf(server);
  const queue = await server.app.queues.find(home.id, poll.queueId);
  if (queue === undefined) return 'its queue of events has ended';
  // The server holds a poll only if it has nothing for it.
  if (home.polls.isHeld(queue)) return undefined;
  const answer = await home.polls.poll({ queue, lastEventId: poll.lastEventId, block: false });
  assert(!('whenAnswered' in answer));
  if ('ended' in answer) return `its queue of events has ended (${answer.ended})`;
  const events = answer.events.map((bytes): { id: number; type: string } => JSON.parse(bytes.toString()));
  const missing = events.filter(({ id, type }) => id <= through && type !== 'heartbeat');
  if (missing.length === 0) return undefined;
  return `events are not applied: ${missing.map(({ id, type }) => `${id} ${type}`).join(', ')}`;
}

/** Resolves when the page has handled everything that it has received, and painted the result. */
async function painted(page: Page, requests: PagesRequests): Promise<void> {
  const polling = pollingTab(page, requests);
  if (polling !== undefined && polling !== page) await exchangeWith(polling, page);
  await page.evaluate(async () => {
    const frame = () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve());
        // A hidden page has no frames, and neither has one that becomes hidden now.
        const wasHidden = () => document.visibilityState === 'hidden' && resolve();
        document.addEventListener('visibilitychange', wasHidden, { once: true });
        wasHidden();
      });
    await frame();
    await frame();
    // React continues work that it has begun in a task of its own.
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(undefined);
    });
  });
}

/**
 * Resolves when each of two tabs has handled what the other one had posted. Messages between two tabs arrive in their order, also those of
 * different channels.
 */
async function exchangeWith(polling: Page, page: Page): Promise<void> {
  await polling.evaluate((name) => {
    const channel = new BroadcastChannel(name);
    channel.onmessage = () => {
      channel.postMessage('answer');
      channel.close();
    };
  }, FENCE);
  await page.evaluate(
    (name) =>
      new Promise<void>((resolve) => {
        const channel = new BroadcastChannel(name);
        channel.onmessage = () => {
          channel.close();
          resolve();
        };
        channel.postMessage('question');
      }),
    FENCE,
  );
}

async function beforeLimit(work: Promise<void>, limit: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(limit.reason);
  limit.addEventListener('abort', abort);
  try {
    limit.throwIfAborted();
    await Promise.race([work, aborted.promise]);
  } finally {
    limit.removeEventListener('abort', abort);
  }
}
