/** The measurements of the web app in Chromium. Each returns milliseconds, unless its name says otherwise. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { bringArchive, storeConversations, storedConversations } from '../../../web/testing/archive-in-page.ts';
import { canStartOffline } from '../../../web/testing/offline.ts';
import type { WebOrganization, WebTopic } from './web-organization.ts';
import { installProbe, type PageProbe, scrollThrough, switchTo } from './web-page.ts';

/** How much work the measurements do. */
export interface WebEffort {
  /** How often conversations are switched and messages are sent. */
  readonly switches: number;
  readonly keys: number;
  /** Milliseconds until the app has stored its state, which it does when nothing happens. A reload before measures a registration. */
  readonly storing: number;
  readonly scrolled: number;
  /** Messages that are scrolled before the memory is measured. 0: it is not measured. */
  readonly remembered: number;
  /** Days of use before the store is measured. 0: it is not measured. */
  readonly days: number;
}

export interface WebFigures {
  readonly first: number;
  readonly reload: number;
  /** A start without a network. */
  readonly offline: number;
  readonly cached: readonly number[];
  readonly uncached: readonly number[];
  readonly keys: readonly number[];
  readonly longestTask: number;
  readonly ownEcho: readonly number[];
  readonly othersScreen: readonly number[];
  readonly scriptKilobytes: number;
  /** Undefined if it is not measured. */
  readonly memory: { readonly tabMegabytes: number; readonly heapMegabytes: number } | undefined;
  /** Undefined if it is not measured. */
  readonly month: StoredMonth | undefined;
}

/** What the browser has stored for the account after a month. */
interface StoredMonth {
  /** All databases of the app, as the browser counts them. */
  readonly storeMegabytes: number;
  readonly archiveMegabytes: number;
  readonly conversations: number;
}

/** The conversations that a member opens on a day, most of them each day, and what is stored of each. */
const CONVERSATIONS_PER_DAY = 200;
const DAILY_CONVERSATIONS = 150;
const STORED_MESSAGES = 100;
const TEXT_LENGTH = 250;

/** Messages per second that arrive while the user types. */
const ARRIVING_PER_SECOND = 20;

type ProbedWindow = Window & { probe: PageProbe };

interface Tab {
  readonly page: Page;
  readonly cdp: CDPSession;
}

export class WebMeasures {
  readonly #browser: Browser;
  readonly #site: WebOrganization;
  readonly #slowdown: number;
  readonly #effort: WebEffort;
  #sent = 0;

  /** @param slowdown how many times slower the processor of the tab is */
  constructor(browser: Browser, site: WebOrganization, slowdown: number, effort: WebEffort) {
    this.#browser = browser;
    this.#site = site;
    this.#slowdown = slowdown;
    this.#effort = effort;
  }

  async run(): Promise<WebFigures> {
    const context = await this.#profile('reader');
    const others = await this.#profile('writer');
    try {
      const tab = await this.#tab(context);
      const { topics } = this.#site;
      const [home, ...rest] = topics;
      if (home === undefined) throw new Error('there are no topics');
      const scripts = countScripts(tab.cdp);
      const first = await this.#load(tab, home);
      const scriptKilobytes = scripts() / 1024;
      await tab.page.waitForFunction(isResumable);
      await delay(this.#effort.storing);
      const reload = await this.#load(tab, home);
      const offline = await this.#loadOffline(context, tab, home);
      const uncached = await this.#switches(tab, rest);
      const cached = await this.#switches(tab, rest);
      const { ownEcho, othersScreen } = await this.#send(tab, await this.#tab(others), home);
      const keys = await this.#type(tab, home);
      const longestTask = await this.#scroll(tab);
      const memory = this.#effort.remembered > 0 ? await this.#memory(tab) : undefined;
      const month = this.#effort.days > 0 ? await this.#month(tab) : undefined;
      return {
        first,
        reload,
        offline,
        cached,
        uncached,
        keys,
        longestTask,
        ownEcho,
        othersScreen,
        scriptKilobytes,
        memory,
        month,
      };
    } finally {
      await context.close();
      await others.close();
    }
  }

  /** Only the first message with an empty cache. */
  async first(): Promise<number> {
    const [home] = this.#site.topics;
    if (home === undefined) throw new Error('there are no topics');
    const context = await this.#profile('reader');
    try {
      return await this.#load(await this.#tab(context), home);
    } finally {
      await context.close();
    }
  }

  async #profile(who: 'reader' | 'writer'): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(installProbe);
    await context.addCookies([...(await this.#site.cookiesOf(who))]);
    return context;
  }

  async #tab(context: BrowserContext): Promise<Tab> {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: this.#slowdown });
    await cdp.send('Network.enable');
    return { page, cdp };
  }

  /** From the start of the navigation to the frame with the first message. */
  async #load({ page }: Tab, topic: WebTopic): Promise<number> {
    const url = `${this.#site.url}/${topic.hash}`;
    // The same URL with another fragment would load nothing.
    if (page.url() === url) await page.reload({ waitUntil: 'commit' });
    else await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => (window as unknown as ProbedWindow).probe.firstMessageAt !== undefined);
    return page.evaluate(
      () => ((window as unknown as ProbedWindow).probe.firstMessageAt ?? 0) - performance.timeOrigin,
    );
  }

  /** The same without a network, from what the service worker and the store keep. */
  async #loadOffline(context: BrowserContext, tab: Tab, topic: WebTopic): Promise<number> {
    await canStartOffline(tab.page);
    await context.setOffline(true);
    const offline = await this.#load(tab, topic);
    await context.setOffline(false);
    await this.#load(tab, topic);
    await tab.page.waitForFunction(isResumable);
    return offline;
  }

  async #switches({ page }: Tab, topics: readonly WebTopic[]): Promise<number[]> {
    const times: number[] = [];
    for (const { hash, ids } of topics.slice(0, this.#effort.switches)) {
      times.push(await page.evaluate(switchTo, { hash, ids }));
      // What the app does afterwards would otherwise count for the next one.
      await delay(300);
    }
    return times;
  }

  async #send(tab: Tab, other: Tab, topic: WebTopic) {
    await this.#load(other, topic);
    await tab.page.evaluate(switchTo, topic);
    await tab.page.keyboard.press('End');
    await other.page.keyboard.press('End');
    const ownEcho: number[] = [];
    const othersScreen: number[] = [];
    for (let index = 0; index < this.#effort.switches; index++) {
      this.#sent += 1;
      const text = `echo ${this.#slowdown} ${this.#sent} of ${process.pid}`;
      await compose(tab.page, text);
      const [own, their] = await this.#watched([tab.page, other.page], text, () =>
        tab.page.keyboard.press('Control+Enter'),
      );
      const pressedAt = await tab.page.evaluate(() => (window as unknown as ProbedWindow).probe.enteredAt);
      ownEcho.push((own ?? 0) - pressedAt);
      othersScreen.push((their ?? 0) - pressedAt);
    }
    // Another user's tab is on another machine. It must not show what arrives while this one is measured.
    await other.page.close();
    return { ownEcho, othersScreen };
  }

  /** The times at which the pages show a text after an action. */
  async #watched(pages: readonly Page[], text: string, act: () => Promise<void>): Promise<number[]> {
    const shown = pages.map((page) =>
      page.evaluate((one) => (window as unknown as ProbedWindow).probe.untilText(one), text),
    );
    // The pages must have begun to look.
    for (const page of pages) await page.evaluate(() => undefined);
    await act();
    return Promise.all(shown);
  }

  async #type({ page }: Tab, topic: WebTopic): Promise<number[]> {
    await compose(page, '');
    await page.evaluate(() => {
      (window as unknown as ProbedWindow).probe.keys = [];
    });
    let isTyping = true;
    const arriving = (async () => {
      for (let number = 0; isTyping; number++) {
        await Promise.all([this.#site.send(topic, `arriving ${number}`), delay(1000 / ARRIVING_PER_SECOND)]);
      }
    })();
    await delay(500);
    const words = 'the quick brown fox jumps over the lazy dog '.repeat(Math.ceil(this.#effort.keys / 44));
    await page.keyboard.type(words.slice(0, this.#effort.keys), { delay: 60 });
    isTyping = false;
    await arriving;
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    return page.evaluate(() => (window as unknown as ProbedWindow).probe.keys);
  }

  /** The longest task while scrolling from the first unread message of all channels. */
  async #scroll({ page }: Tab): Promise<number> {
    const ids = this.#site.topics.flatMap((topic) => topic.ids);
    await page.evaluate(switchTo, { hash: '#feed', ids });
    await delay(1000);
    await page.evaluate(() => {
      (window as unknown as ProbedWindow).probe.longTasks = [];
    });
    await page.evaluate(scrollThrough, { count: this.#effort.scrolled, step: 0.8 });
    const tasks = await page.evaluate(() => (window as unknown as ProbedWindow).probe.longTasks);
    return Math.max(0, ...tasks);
  }

  /** The memory of the tab after more scrolling, without garbage. */
  async #memory({ page, cdp }: Tab) {
    const { remembered, scrolled } = this.#effort;
    // The feed has few more messages than `scrolled`, so this goes back and forth. A jump of the script can miss some messages near the end of
    // what is loaded.
    const most = Math.floor(scrolled * 0.9);
    for (let left = remembered - scrolled, step = -0.8; left > 0; left -= most, step = -step) {
      await page.evaluate(scrollThrough, { count: Math.min(left, most), step });
    }
    await cdp.send('HeapProfiler.enable');
    await cdp.send('HeapProfiler.collectGarbage');
    await delay(2_000);
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    return { tabMegabytes: await rendererMegabytes(this.#browser), heapMegabytes: usedSize / 2 ** 20 };
  }

  /** The store after days of use, beside what the app itself has stored before. */
  async #month({ page }: Tab): Promise<StoredMonth> {
    const userId = await userOf(page);
    await bringArchive(page);
    for (let day = 0; day < this.#effort.days; day++) {
      const keys = Array.from({ length: CONVERSATIONS_PER_DAY }, (_, index) =>
        index < DAILY_CONVERSATIONS ? `daily ${index}` : `of day ${day}: ${index}`,
      );
      await storeConversations(page, { userId, keys, messages: STORED_MESSAGES, textLength: TEXT_LENGTH });
    }
    // The browser removes what was replaced when it has nothing else to do.
    await delay(this.#effort.storing);
    const { keys, bytes } = await storedConversations(page, userId);
    const usage = await page.evaluate(async () => {
      const { usageDetails } = (await navigator.storage.estimate()) as { usageDetails?: { indexedDB?: number } };
      return usageDetails?.indexedDB ?? 0;
    });
    return { storeMegabytes: usage / 2 ** 20, archiveMegabytes: bytes / 2 ** 20, conversations: keys.length };
  }
}

/** The person whose app the page shows. */
function userOf(page: Page): Promise<number> {
  return page.evaluate(() => JSON.parse(document.getElementById('start')?.textContent ?? '').userId as number);
}

/** Opens the compose box with a text. */
async function compose(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.click();
  await box.fill(text);
}

/** Whether the app can continue after a reload without a registration. */
function isResumable(): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith('heddle-resumable-until-'));
}

/** Counts the bytes of scripts on the wire, without the headers of their responses. Returns a function that returns the sum up to then. */
function countScripts(cdp: CDPSession): () => number {
  /** The size of the headers, by request. */
  const headers = new Map<string, number>();
  let sum = 0;
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headers.set(requestId, response.encodedDataLength);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const before = headers.get(requestId);
    if (before !== undefined) sum += encodedDataLength - before;
  });
  return () => sum;
}

/** The memory of the largest tab in megabytes: its own pages, and its share of those that processes have in common. */
async function rendererMegabytes(browser: Browser): Promise<number> {
  const cdp = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    const sizes = await Promise.all(
      renderers.map(async ({ id }) => {
        const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
        return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024;
      }),
    );
    return Math.max(...sizes);
  } finally {
    await cdp.detach();
  }
}
