/**
 * A real server with the built app, and a browser for each person: the beginning of every browser test.
 *
 * @example
 * const world = browserWorld();
 * world.test('a member reads what another one sends', async () => {
 *   const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
 *   await ada.client.direct([bob.client.userId], 'hello');
 *   const page = await world.open(bob);
 *   await page.getByRole('link', { name: 'Ada' }).click();
 *   await page.getByText('hello').waitFor();
 * });
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type RunningBot, runBot } from '@heddle/client/session/bot.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { startTestServer, type TestServer, type TestUserOptions } from '@heddle/server/testing/server/server.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { ensureWebBuild } from '../../scripts/web-build/ensure.ts';
import { DESKTOP, PHONE, TABLET } from './axe.ts';
import { type BorrowedBrowser, borrowBrowser, withoutBrowser } from './chromium.ts';
import { PageProblems } from './page-problems.ts';
import { PagesRequests } from './page-requests.ts';
import { settled } from './settled.ts';
import { slowDown } from './slow-pages.ts';
import { SLOWNESS } from './slowness.ts';
import { afterTasks } from './still.ts';

const PASSWORD = 'a shuttle flies through the shed';

/** Finding an element takes at most this long. The machine may be busy with other tests. */
const FIND_TIMEOUT_MS = 30_000 * SLOWNESS;

const FAILURES = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'heddle', 'browser-failures');

const SIZES = { desktop: DESKTOP, tablet: TABLET, phone: PHONE } as const;

/** A cookie of a login. */
interface Login {
  readonly name: string;
  readonly value: string;
  readonly httpOnly: boolean;
}

/** A user with a client of the API and a password for the login page. */
export interface Person {
  readonly name: string;
  readonly client: TestClient;
  readonly password: string;
}

export interface OpenOptions {
  /** The default is a desktop. */
  readonly device?: 'desktop' | 'tablet' | 'phone';
  /** The size of the window, if it is none of these. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly theme?: 'light' | 'dark';
  /** The language of the browser. Default: `en-US`. */
  readonly locale?: string;
  readonly timezone?: string;
  /**
   * A page in the profile of an earlier one, like a second tab. Default: a new profile, which shares only the account
   * with others, like a second device.
   */
  readonly beside?: Page;
  /** What the profile may do without asking, for example `['notifications', 'clipboard-read']`. */
  readonly permissions?: readonly string[];
  /** Whether the profile has the service worker of the app. Without it, tests can replace responses. Default: no. */
  readonly hasWorker?: boolean;
}

export interface BotOptions extends Partial<Parameters<typeof runBot>[1]> {
  readonly name?: string;
  /** The owner of the bot. Default: the owner of the organization. */
  readonly owner?: Person;
}

/** A bot that runs on `@heddle/client`. */
export interface TestBot extends RunningBot {
  readonly name: string;
  readonly userId: number;
}

/** Options of the server of the tests. */
export interface WorldOptions {
  /** `HEDDLE_…` variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Starts what stands between the pages and the server. Default: nothing. */
  readonly front?: (server: TestServer, environment: Readonly<Record<string, string>>) => Promise<Front>;
}

/** What pages take for the server. */
export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

export class BrowserWorld {
  readonly #options: WorldOptions;
  #server: TestServer | undefined;
  #front: Front | undefined;
  #borrowed: BorrowedBrowser | undefined;
  /** Cookies of the logged-in users, by email address. */
  readonly #logins = new Map<string, readonly Login[]>();
  /** Ends what a test started, at its end. */
  #ends: (() => Promise<unknown>)[] = [];
  #contexts: { readonly name: string; readonly context: BrowserContext }[] = [];
  #problems = new PageProblems();
  #requests = new PagesRequests();

  constructor(options: WorldOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const [build, borrowed] = await Promise.all([ensureWebBuild(), borrowBrowser()]);
    this.#borrowed = borrowed;
    const environment = { HEDDLE_WEB_DIR: build, ...this.#options.environment };
    this.#server = await startTestServer({ environment });
    this.#front = await this.#options.front?.(this.#server, environment);
  }

  async stop(): Promise<void> {
    await this.#borrowed?.giveBack();
    await this.#front?.close();
    await this.#server?.stop();
  }

  get server(): TestServer {
    assert(this.#server !== undefined, 'the server has not started. Use it in a test');
    return this.#server;
  }

  /** The address that pages have. */
  get url(): string {
    return this.#front?.url ?? this.server.url;
  }

  /** The owner of the organization. */
  get owner(): Person {
    return { name: 'Olive Owner', client: this.server.owner, password: 'correct horse battery' };
  }

  /** Creates a user. */
  async user(options: TestUserOptions = {}): Promise<Person> {
    const client = await this.server.user({ ...options, password: PASSWORD });
    return { name: client.name, client, password: PASSWORD };
  }

  /** Defines a test. It fails also if a page reports an error that `expectProblems` does not name. */
  test(title: string, run: (t: TestContext) => Promise<void>): void {
    void test(title, { skip: withoutBrowser }, async (t) => {
      this.#problems = new PageProblems();
      this.#requests = new PagesRequests();
      try {
        await run(t);
        assert.deepEqual(this.#problems.unexpected(), [], 'a page has problems');
      } catch (error) {
        for (const one of this.#problems.unexpected()) t.diagnostic(one);
        await this.#record(t).catch((reason: unknown) => t.diagnostic(`no pictures: ${reason}`));
        throw error;
      } finally {
        await this.#endTest();
      }
    });
  }

  /** Problems of pages that are part of the test, for example `'status 413'` or `/no response: POST .*messages/`. */
  expectProblems(...problems: readonly (string | RegExp)[]): void {
    this.#problems.expect(...problems);
  }

  /**
   * Opens the app as this person, who logged in through the login page before.
   * @param route the fragment of the URL, for example `#inbox`
   */
  async open(person: Person, route = '', options: OpenOptions = {}): Promise<Page> {
    const context = options.beside?.context() ?? (await this.#profile(person.name, options));
    if (options.beside === undefined) {
      const cookies = this.#logins.get(person.client.email) ?? (await this.#logIn(person));
      await context.addCookies(cookies.map((one) => ({ ...one, url: this.url })));
    }
    return this.#openIn(context, route);
  }

  /** Opens the app without an account. */
  async openAsSpectator(route = '', options: OpenOptions = {}): Promise<Page> {
    return this.#openIn(await this.#profile('spectator', options), route);
  }

  /**
   * Resolves when the page has applied and painted everything that the server had for it at the time of the call. Each request then has a
   * response. Wait for this before you look at what an earlier event has changed (`settled.ts`).
   */
  settled(page: Page, { timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<void> {
    return settled(page, { server: this.server, requests: this.#requests, timeoutMs });
  }

  /** Runs a bot until the end of the test. */
  async bot({ name = 'Loom Bot', owner = this.owner, ...options }: BotOptions = {}): Promise<TestBot> {
    const short_name = name.toLowerCase().replaceAll(/\W+/g, '-');
    const made = await owner.client.ok('POST', '/bots', { full_name: name, short_name });
    const { user } = await owner.client.ok('GET', `/users/${made.user_id}`);
    const account = { url: this.server.url, email: String(user.email), apiKey: String(made.api_key) };
    const bot = runBot(account, { onMessage: () => undefined, ...options });
    this.#ends.push(() => bot.stop());
    return { ...bot, name, userId: Number(made.user_id) };
  }

  /** Runs at the end of the test, also if it fails. */
  atEnd(act: () => Promise<unknown>): void {
    this.#ends.push(act);
  }

  async #openIn(context: BrowserContext, route: string): Promise<Page> {
    const page = await context.newPage();
    await slowDown(page);
    await page.goto(`${this.url}/${route}`);
    await page.getByRole('main').first().waitFor();
    // A page can also go on to another document at once.
    await afterTasks(page).catch(() => undefined);
    return page;
  }

  async #profile(name: string, options: OpenOptions): Promise<BrowserContext> {
    const { device = 'desktop', theme = 'light', locale = 'en-US', timezone = 'Europe/Berlin', permissions } = options;
    const isTouched = device !== 'desktop';
    assert(this.#borrowed !== undefined, 'the browser has not started. Use it in a test');
    const context = await this.#borrowed.browser.newContext({
      viewport: options.size ?? SIZES[device],
      hasTouch: isTouched,
      isMobile: isTouched,
      colorScheme: theme,
      locale,
      timezoneId: timezone,
      reducedMotion: 'reduce',
      serviceWorkers: options.hasWorker ? 'allow' : 'block',
      ...(permissions && { permissions: [...permissions] }),
    });
    context.setDefaultTimeout(FIND_TIMEOUT_MS);
    await this.#problems.watch(context, name);
    this.#requests.watch(context);
    this.#contexts.push({ name, context });
    return context;
  }

  async #logIn({ client, password }: Person) {
    const visitor = new Visitor(this.url);
    const { status, location } = await visitor.logIn(client.email, password);
    assert.equal(status, 303, `${client.email} cannot log in`);
    assert.equal(location, '/');
    const cookies = [...visitor.jar].map(([name, value]) => ({ name, value, httpOnly: name === 'sessionid' }));
    this.#logins.set(client.email, cookies);
    return cookies;
  }

  /** Forgets the login, for example after a test that logs out. The next page of the person logs in again. */
  forgetLogin({ client }: Person): void {
    this.#logins.delete(client.email);
  }

  /** Writes a picture and the HTML of each page. */
  async #record(t: TestContext): Promise<void> {
    if (this.#contexts.length === 0) return;
    const directory = join(FAILURES, `${t.name.replaceAll(/\W+/g, '-').slice(0, 60)}-${Date.now()}`);
    await mkdir(directory, { recursive: true });
    for (const { name, context } of this.#contexts) {
      for (const [index, page] of context.pages().entries()) {
        const path = join(directory, `${name.replaceAll(/\W+/g, '-')}-${index}`);
        await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => undefined);
        await writeFile(`${path}.html`, `<!-- ${page.url()} -->\n${await page.content()}`);
      }
    }
    t.diagnostic(`pictures of the pages: ${directory}`);
  }

  async #endTest(): Promise<void> {
    const ends = this.#ends;
    const contexts = this.#contexts;
    this.#ends = [];
    this.#contexts = [];
    for (const { context } of contexts) await context.close().catch(() => undefined);
    for (const end of ends.reverse()) await end();
  }
}

/** Call this once per test file. It starts the server before the first test, and stops it after the last one. */
export function browserWorld(options: WorldOptions = {}): BrowserWorld {
  const world = new BrowserWorld(options);
  if (withoutBrowser === false) {
    before(() => world.start());
    after(() => world.stop());
  }
  return world;
}
