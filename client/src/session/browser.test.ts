/** Sessions in a real browser: its storage, its tabs, and the events of its pages. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { rolldown } from 'rolldown';
import {
  type Page,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from '../../../server/src/testing/clients/browser.ts';
import type { TestClient } from '../../../server/src/testing/clients/client.ts';
import { type HttpProxy, startHttpProxy } from '../../../server/src/testing/faults/http-proxy.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import type { Connection } from '../calls/connection.ts';
import type { attachToPage } from './browser.ts';
import type { IndexedDbStore } from './indexed-db-store.ts';
import type { EventBatch } from './position.ts';
import type { Session } from './session.ts';
import type { Tabs } from './tabs.ts';

const options = { skip: withoutBrowser };

/** What the script of the page defines there. */
declare const heddle: {
  readonly Connection: typeof Connection;
  readonly IndexedDbStore: typeof IndexedDbStore;
  readonly Session: typeof Session;
  readonly Tabs: typeof Tabs;
  readonly attachToPage: typeof attachToPage;
};
/** The app of a page. */
declare const app: {
  readonly session: Session;
  readonly store: IndexedDbStore;
  readonly contents: string[];
  readonly sources: string[];
  readonly problems: string[];
  readonly statuses: string[];
};

let server: TestServer;
let proxy: HttpProxy;
let browser: TestBrowser;
let client: TestClient;
let channel: number;
let pages: Page[];
before(async () => {
  if (withoutBrowser) return;
  const script = await bundle();
  server = await startTestServer();
  proxy = await startHttpProxy(server.url);
  proxy.decide = ({ path }) => {
    if (path === '/app.js') return { status: 200, headers: { 'content-type': 'text/javascript' }, body: script };
    if (path.startsWith('/api/')) return 'pass';
    const body = '<!doctype html><title>Test</title><script type="module" src="/app.js"></script>';
    return { status: 200, headers: { 'content-type': 'text/html' }, body };
  };
  channel = await server.emptyChannel(server.owner, 'looms');
  browser = await startBrowser();
});
after(async () => {
  if (withoutBrowser) return;
  await browser.stop();
  await proxy.close();
  await server.stop();
});
beforeEach(async () => {
  pages = [];
  if (withoutBrowser) return;
  client = await server.user();
  await client.subscribe('looms');
});
afterEach(async () => {
  for (const page of pages) await page.close();
});

/** The code of the page, in one file. */
async function bundle(): Promise<string> {
  const folder = new URL('.', import.meta.url).pathname;
  const code = `
    import { Connection } from '${folder}../calls/connection.ts';
    import { attachToPage } from '${folder}browser.ts';
    import { IndexedDbStore } from '${folder}indexed-db-store.ts';
    import { Session } from '${folder}session.ts';
    import { Tabs } from '${folder}tabs.ts';
    globalThis.heddle = { Connection, IndexedDbStore, Session, Tabs, attachToPage };`;
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? id : null),
    load: (id: string) => (id === 'entry' ? code : null),
  };
  const build = await rolldown({ input: 'entry', plugins: [entry], logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return output[0].code;
}

const send = (content: string) => server.owner.send(channel, 'cloth', content);
const registrations = () => proxy.requests.filter(({ path }) => path.endsWith('/register')).length;

async function open(where = browser): Promise<Page> {
  const page = await where.page();
  pages.push(page);
  await load(page);
  return page;
}

async function load(page: Page): Promise<void> {
  await page.goto(proxy.url);
  await page.waitForFunction(() => 'heddle' in globalThis);
}

interface AppOptions {
  readonly hasTabs?: boolean;
  /** How much the app stores with its events, in characters. */
  readonly extraSize?: number;
}

/** Starts an app in the page, and waits until it is live. */
async function start(page: Page, { hasTabs = false, extraSize = 0 }: AppOptions = {}): Promise<void> {
  const { email, apiKey, userId } = client;
  await page.evaluate(
    async ({ email, apiKey, userId, hasTabs, extraSize }) => {
      const account = { url: location.origin, userId };
      const store = new heddle.IndexedDbStore(account);
      const [contents, sources, problems, statuses]: string[][] = [[], [], [], []];
      const session = new heddle.Session({
        connection: new heddle.Connection({ url: location.origin, credentials: { email, apiKey } }),
        registration: { event_types: ['message'], fetch_event_types: ['realm_user'] },
        onState: (_, { source }) => void sources?.push(source),
        onEvents: (events) => {
          for (const event of events) if (event.type === 'message') contents?.push(event.message.content);
        },
        onStatus: ({ state }) => void statuses?.push(state),
        onProblem: ({ kind, error }) => void problems?.push(`${kind}: ${(error as Error).name}`),
        extra: () => (extraSize === 0 ? new Map() : new Map([['large', 'x'.repeat(extraSize)]])),
        store,
        ...(hasTabs && { tabs: new heddle.Tabs(account) }),
      });
      heddle.attachToPage(session);
      Object.assign(globalThis, { app: { session, store, contents, sources, problems, statuses } });
      await session.start();
    },
    { email, apiKey, userId, hasTabs, extraSize },
  );
  await isLive(page);
}

const isLive = (page: Page) => page.waitForFunction(() => app.session.status.state === 'live');
const contentsOf = (page: Page) => page.evaluate(() => app.contents);
const has = (page: Page, content: string) => page.waitForFunction((last) => app.contents.at(-1) === last, content);
const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));
const databaseName = () => `heddle:${proxy.url}:${client.userId}`;

/** Opens the store of the account in a page, without a session. */
const openStore = (page: Page) =>
  page.evaluate((userId) => {
    const store = new heddle.IndexedDbStore({ url: location.origin, userId });
    Object.assign(globalThis, { app: { store } });
  }, client.userId);

const batch = (previousEventId: number, count: number): EventBatch => ({
  queueId: 'queue',
  previousEventId,
  lastEventId: previousEventId + count,
  events: Array.from({ length: count }, (_, index) => ({ id: previousEventId + index + 1, type: 'invites_changed' })),
});

/** Saves a state at event 10. */
const replaceIn = (page: Page, size = 10) =>
  page.evaluate(async (length) => {
    const state = { queue_id: 'queue', zulip_version: 'x'.repeat(length) };
    const snapshot = { queueId: 'queue', state, previousEventId: 10, lastEventId: 10, events: [] } as never;
    const extra = new Map([['a', { nested: [1] }]]);
    return app.store.save({ kind: 'replace', registration: 'r', snapshot, after: undefined, extra });
  }, size);

const appendIn = (page: Page, next: EventBatch) =>
  page.evaluate(async (events) => {
    const after = (await app.store.position()) ?? { ...events, registration: 'r', events: 0, size: 0 };
    return app.store.save({ kind: 'append', batch: events, after, extra: new Map() });
  }, next);

test('the store returns what was saved, also after a reload', options, async () => {
  const page = await open();
  await openStore(page);
  assert.equal(await page.evaluate(() => app.store.load()), undefined);
  assert.equal(await appendIn(page, batch(10, 1)), undefined);
  await replaceIn(page);
  await appendIn(page, batch(10, 2));
  const position = await appendIn(page, batch(12, 3));
  assert.deepEqual([position?.lastEventId, position?.events], [15, 5]);
  await page.evaluate(() => app.store.keep('unsent', { content: 'hello' }));
  await load(page);
  await openStore(page);
  const stored = await page.evaluate(async () => {
    const { registration, snapshot, extra } = (await app.store.load()) ?? assertNever();
    return { registration, snapshot, extra: [...extra], kept: [...(await app.store.loadKept())] };
    function assertNever(): never {
      throw new Error('nothing is stored');
    }
  });
  assert.equal(stored.registration, 'r');
  assert.deepEqual(stored.snapshot.events, batch(10, 5).events);
  assert.deepEqual(
    [stored.snapshot.queueId, stored.snapshot.previousEventId, stored.snapshot.lastEventId],
    ['queue', 10, 15],
  );
  assert.deepEqual(stored.extra, [['a', { nested: [1] }]]);
  assert.deepEqual(stored.kept, [['unsent', { content: 'hello' }]]);
});

test('the store refuses events that do not follow the stored ones', options, async () => {
  const page = await open();
  await openStore(page);
  await replaceIn(page);
  for (const next of [batch(9, 1), batch(11, 1), { ...batch(10, 1), queueId: 'other' }]) {
    assert.equal(await appendIn(page, next), undefined);
  }
  assert.equal((await page.evaluate(() => app.store.position()))?.lastEventId, 10);
});

test('clear leaves nothing, while other tabs have the store open and want to write', options, async () => {
  const [one, two] = [await open(), await open()];
  for (const page of [one, two]) await openStore(page);
  await replaceIn(one);
  await appendIn(two, batch(10, 1));
  assert((await databases(one)).includes(databaseName()));
  await one.evaluate(() => app.store.clear());
  assert.equal(
    await two.evaluate(() =>
      app.store.keep('draft', 'text').then(
        () => 'stored',
        () => 'refused',
      ),
    ),
    'refused',
  );
  await until(
    async () => !(await databases(one)).includes(databaseName()),
    'the database of the browser to be deleted',
  );
});

test('a reload shows the stored state and events, and registers only once', options, async () => {
  const page = await open();
  const before = registrations();
  await start(page);
  await send('one');
  await has(page, 'one');
  // The page is closed before the next second.
  await send('two');
  await has(page, 'two');
  await load(page);
  await send('between');
  await start(page);
  await has(page, 'between');
  assert.deepEqual(await contentsOf(page), ['one', 'two', 'between']);
  assert.deepEqual(await page.evaluate(() => app.sources), ['store']);
  assert.equal(registrations(), before + 1);
});

test('a session works with a full storage, and the app hears of it once', options, async () => {
  // A browser that has not granted any storage yet.
  const other = await startBrowser();
  try {
    const page = await open(other);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 100_000 });
    await start(page, { extraSize: 5_000_000 });
    await send('one');
    await has(page, 'one');
    await page.waitForFunction(() => app.problems.length > 0);
    await send('two');
    await has(page, 'two');
    await page.evaluate(() => app.session.flush());
    assert.deepEqual(await page.evaluate(() => app.problems), ['storage: QuotaExceededError']);
  } finally {
    await other.stop();
    pages = [];
  }
});

test('a session works without storage: none, refused, or silent', options, async () => {
  const setups: Readonly<Record<string, () => unknown>> = {
    none: () => Reflect.deleteProperty(globalThis, 'indexedDB') && Object.assign(globalThis, { indexedDB: undefined }),
    refused: () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('The user has denied permission', 'SecurityError');
      };
    },
    silent: () => {
      IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest;
    },
  };
  for (const setUp of Object.values(setups)) {
    const page = await open();
    await page.evaluate(setUp);
    await start(page);
    await send('works');
    await has(page, 'works');
    await page.evaluate(() => app.session.flush());
    assert.equal((await page.evaluate(() => app.problems)).length, 1);
  }
});

test('when another tab upgrades the storage, the older one continues without it', options, async () => {
  const [older, newer] = [await open(), await open()];
  await start(older);
  await older.evaluate(() => app.session.flush());
  await newer.evaluate(async (name) => {
    const request = indexedDB.open(name, 1_000);
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve;
      request.onerror = reject;
    });
    request.result.close();
  }, databaseName());
  for (const page of [older, newer]) {
    if (page === newer) await start(page);
    await send('works');
    await has(page, 'works');
    await page.evaluate(() => app.session.flush());
    assert.equal((await page.evaluate(() => app.problems)).length, 1);
  }
});

test('tabs share one queue; when one is closed or frozen, another one continues', options, async () => {
  const before = registrations();
  const [one, two, three] = [await open(), await open(), await open()];
  for (const page of [one, two, three]) await start(page, { hasTabs: true });
  await send('to three');
  for (const page of [one, two, three]) await has(page, 'to three');
  const leads = (page: Page) => page.evaluate(() => app.session.isLeader);
  assert.deepEqual([await leads(one), await leads(two), await leads(three)], [true, false, false]);
  await one.close();
  pages.shift();
  await until(async () => (await leads(two)) || (await leads(three)), 'another tab to lead');
  const [leader, follower] = (await leads(two)) ? [two, three] : [three, two];
  await send('to two');
  for (const page of [leader, follower]) await has(page, 'to two');

  // Browsers freeze only pages that were hidden for minutes, so the test sends the events.
  const dispatch = (type: string) => leader.evaluate((name) => document.dispatchEvent(new Event(name)), type);
  await dispatch('freeze');
  await until(() => leads(follower), 'the follower to lead');
  await send('to one');
  await has(follower, 'to one');
  assert.deepEqual(await contentsOf(leader), ['to three', 'to two']);
  await dispatch('resume');
  await has(leader, 'to one');
  await isLive(leader);
  for (const page of [leader, follower]) {
    assert.deepEqual(await contentsOf(page), ['to three', 'to two', 'to one']);
  }
  assert.equal(registrations(), before + 1);
});

test('the page says when it is offline, and continues at once when the network returns', options, async () => {
  const page = await open();
  await start(page);
  const context = page.context();
  await context.setOffline(true);
  await page.waitForFunction(() => app.session.status.state === 'offline');
  await send('meanwhile');
  await context.setOffline(false);
  await has(page, 'meanwhile');
  assert.deepEqual(await page.evaluate(() => app.sources), ['server']);
  assert.equal(await page.evaluate(() => app.statuses.at(-1)), 'live');
});

test('logOut ends all tabs, and the browser keeps nothing of the account', options, async () => {
  const [one, two] = [await open(), await open()];
  for (const page of [one, two]) await start(page, { hasTabs: true });
  await send('private');
  for (const page of [one, two]) await has(page, 'private');
  await one.evaluate(() => app.session.flush());
  await two.evaluate(() => app.session.logOut());
  await one.waitForFunction(() => app.session.status.state === 'stopped');
  await until(
    async () => !(await databases(one)).includes(databaseName()),
    'the database of the browser to be deleted',
  );
});
