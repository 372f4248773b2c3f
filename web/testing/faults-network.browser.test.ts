/** The network, the queue of events, other tabs, other devices and the storage fail, or change, while people use the app. */
import assert from 'node:assert/strict';
import type { StoredPosition } from '@heddle/client/session/store.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { browserWorld, type Person } from './browser-world.ts';
import { type FaultScene, faultScene, send } from './fault-scene.ts';
import { faultyFront } from './faulty-front.ts';
import { homeOf } from './settled.ts';
import { assertSameAsFresh, boxOf, messageOf } from './views.ts';

const front = faultyFront();
const world = browserWorld({ front: front.start });

/** The queues that pages have polled since the last call, and the number of registrations. */
function requestsSince(begin: number) {
  const requests = front.proxy.requests.slice(begin);
  const polls = requests.filter(({ path }) => path.startsWith('/json/events?'));
  const queues = polls.map(({ path }) => new URL(path, world.url).searchParams.get('queue_id') ?? '');
  return {
    queues: [...new Set(queues)],
    registrations: requests.filter(({ path }) => path === '/json/register').length,
  };
}

/** The queue of the page. The messages of a page can be there before its first poll. */
const queueSince = (begin: number): Promise<string> =>
  until(() => requestsSince(begin).queues[0], 'the first poll of the page');

/** The entry of the app's store in this browser, or nothing. */
function storedIn<Entry>(page: Page, store: 'session' | 'extra', key: string): Promise<readonly Entry[]> {
  return page.evaluate(
    async ([inStore, entryKey]) => {
      const done = <Value>(request: IDBRequest<Value>) =>
        new Promise<Value>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const [{ name } = {}] = await indexedDB.databases();
      if (name === undefined) return [];
      const database = await done(indexedDB.open(name));
      const entry = await done(database.transaction(inStore).objectStore(inStore).get(entryKey));
      database.close();
      return entry === undefined ? [] : [entry];
    },
    [store, key] as const,
  );
}

/** All that can change for a reader who does not listen. */
async function muchChanges({ ada, bob, channelId, write }: FaultScene): Promise<void> {
  const moved = await write('is moved away');
  const edited = await write('is edited');
  const deleted = await write('is deleted');
  await write('stays');
  await write('in another topic', 'spindles');
  await bob.client.direct([ada.client.userId], 'a direct message');
  await bob.client.ok('PATCH', `/messages/${edited}`, { content: 'Bob: has a new text' });
  await bob.client.ok('POST', `/messages/${edited}/reactions`, { emoji_name: 'octopus' });
  await world.owner.client.ok('DELETE', `/messages/${deleted}`);
  await world.owner.client.ok('PATCH', `/messages/${moved}`, { topic: 'knots', propagate_mode: 'change_one' });
  await world.owner.client.ok('PATCH', `/streams/${channelId}`, { new_name: `renamed ${channelId}` });
}

world.test('after a minute offline the app has everything, and sends what was written meanwhile', async () => {
  const all = await faultScene(world);
  const { ada, route, sentByAda } = all;
  world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED');
  const blank = await world.open(ada, '#inbox');
  await blank.context().clock.install();
  const page = await world.open(ada, route, { beside: blank });
  await blank.close();
  await messageOf(page, 'before the fault').waitFor();
  await page.context().setOffline(true);
  await send(page, 'written offline');
  await send(page, 'another one');
  await boxOf(page).fill('not finished');
  await messageOf(page, 'written offline').getByText('Not sent yet').waitFor();
  await muchChanges(all);
  // The clock of the page goes on by a minute. All its timers that are due run.
  await page.clock.fastForward('01:00');
  await page.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await messageOf(page, 'has a new text').waitFor();
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.getByText('Not sent yet').first().waitFor({ state: 'detached' });
  await untilEqual(() => boxOf(page).inputValue(), 'not finished');
  await assertSameAsFresh(world, ada, page);
  assert.deepEqual(await sentByAda(), ['written offline', 'another one']);
});

world.test('lost responses: each message is sent once, and everything is read', async () => {
  const { ada, route, write, sentByAda } = await faultScene(world);
  world.expectProblems('no response', 'ERR_EMPTY_RESPONSE');
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  let lost = 0;
  // The server executes every second write, and the page gets no response.
  front.proxy.decide = ({ method, path }) => {
    if (method !== 'POST' || !/^\/json\/messages/.test(path)) return 'pass';
    lost += 1;
    return lost % 2 === 1 ? 'cut' : 'pass';
  };
  world.atEnd(async () => {
    front.proxy.decide = () => 'pass';
  });
  for (const text of ['one', 'two', 'two', 'three']) await send(page, text);
  await write('arrives between');
  await messageOf(page, 'arrives between').waitFor();
  await messageOf(page, 'three').waitFor();
  // A message on its way does not say that it is not sent yet.
  await until(async () => (await sentByAda()).length === 4, 'all messages on the server');
  await page.getByText('Not sent yet').first().waitFor({ state: 'detached' });
  front.proxy.decide = () => 'pass';
  await assertSameAsFresh(world, ada, page);
  assert.deepEqual(await sentByAda(), ['one', 'two', 'two', 'three']);
  assert(lost >= 4);
});

world.test('a queue that expired overnight, without a reload', async () => {
  const all = await faultScene(world);
  const { ada, route, sentByAda } = all;
  world.expectProblems('status 400: GET');
  const begin = front.proxy.requests.length;
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  await boxOf(page).fill('not finished');
  const queue = await queueSince(begin);
  await page.context().setOffline(true);
  world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED');
  await ada.client.ok('DELETE', '/events', { queue_id: queue });
  await muchChanges(all);
  await page.context().setOffline(false);
  await messageOf(page, 'has a new text').waitFor();
  await assertSameAsFresh(world, ada, page);
  await untilEqual(() => boxOf(page).inputValue(), 'not finished');
  await boxOf(page).press('Control+Enter');
  await messageOf(page, 'not finished').waitFor();
  await assertSameAsFresh(world, ada, page);
  assert.deepEqual(await sentByAda(), ['not finished']);
});

world.test('a queue that expired overnight, with the page opened later', async () => {
  const all = await faultScene(world);
  const { ada, route, sentByAda } = all;
  world.expectProblems('status 400: GET');
  const begin = front.proxy.requests.length;
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  await boxOf(page).fill('not finished');
  await page.waitForFunction(() => JSON.stringify(localStorage).includes('not finished'));
  const queue = await queueSince(begin);
  // The page that closes stores its state.
  const elsewhere = await page.context().newPage();
  await page.close();
  await ada.client.ok('DELETE', '/events', { queue_id: queue });
  await muchChanges(all);
  await elsewhere.goto(`${world.url}/${route}`);
  await messageOf(elsewhere, 'has a new text').waitFor();
  await assertSameAsFresh(world, ada, elsewhere);
  await untilEqual(() => boxOf(elsewhere).inputValue(), 'not finished');
  await boxOf(elsewhere).press('Control+Enter');
  await messageOf(elsewhere, 'not finished').waitFor();
  await assertSameAsFresh(world, ada, elsewhere);
  assert.deepEqual(await sentByAda(), ['not finished']);
});

world.test('two tabs share a queue; when the first one closes, the other one continues', async () => {
  const { ada, route, write, sentByAda } = await faultScene(world);
  const begin = front.proxy.requests.length;
  const one = await world.open(ada, route);
  await messageOf(one, 'before the fault').waitFor();
  const two = await world.open(ada, route, { beside: one });
  await messageOf(two, 'before the fault').waitFor();
  await send(one, 'from the first tab');
  await send(two, 'from the second tab');
  await write('to both');
  for (const page of [one, two]) {
    for (const text of ['from the first tab', 'from the second tab', 'to both']) await messageOf(page, text).waitFor();
  }
  await assertSameAsFreshWithoutRegistering(ada, one, begin);
  await boxOf(two).fill('not finished');
  await one.close();
  await write('after the first tab was closed');
  await messageOf(two, 'after the first tab was closed').waitFor();
  await untilEqual(() => boxOf(two).inputValue(), 'not finished');
  await boxOf(two).press('Control+Enter');
  await messageOf(two, 'not finished').waitFor();
  await assertSameAsFresh(world, ada, two);
  assert.deepEqual((await sentByAda()).toSorted(), ['from the first tab', 'from the second tab', 'not finished']);
});

/** The two tabs have registered once. */
async function assertSameAsFreshWithoutRegistering(person: Person, page: Page, begin: number): Promise<void> {
  const { queues, registrations } = requestsSince(begin);
  assert.equal(queues.length, 1);
  assert(registrations <= 2, `${registrations} registrations`);
  await assertSameAsFresh(world, person, page);
}

world.test('what a second device reads is read everywhere at once, and what it marks as unread too', async () => {
  const { ada, channelId, route, write } = await faultScene(world);
  const desk = await world.open(ada, '#inbox');
  const first = await write('to be read on the phone', 'spindles');
  const conversations = desk.getByRole('navigation', { name: 'Conversations' });
  await conversations.getByRole('link', { name: /Inbox 2 unread/ }).waitFor();
  const phone = await world.open(ada, `#narrow/channel/${channelId}/topic/spindles`, { device: 'phone' });
  await messageOf(phone, 'to be read on the phone').waitFor();
  await conversations.getByRole('link', { name: /Inbox 1 unread/ }).waitFor();
  await ada.client.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: JSON.stringify([first]) });
  await conversations.getByRole('link', { name: /Inbox 2 unread/ }).waitFor();
  await phone.close();
  await desk.goto(`${world.url}/${route}`);
  await messageOf(desk, 'before the fault').waitFor();
  await conversations.getByRole('link', { name: /Inbox 1 unread/ }).waitFor();
  await assertSameAsFresh(world, ada, desk);
});

/** Lets the browser refuse each write into its storage. */
async function fillStorage(context: BrowserContext, page: Page): Promise<void> {
  const protocol = await context.newCDPSession(page);
  await protocol.send('Storage.overrideQuotaForOrigin', { origin: world.url, quotaSize: 1 });
  await page.evaluate(() => {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (let index = 0; index < 10_000; index += 1)
          localStorage.setItem(`filling-${size}-${index}`, 'x'.repeat(size));
      } catch {
        // The next part is smaller.
      }
    }
  });
}

world.test('a full storage of the browser loses nothing', async () => {
  const { ada, route, write, sentByAda } = await faultScene(world);
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  await fillStorage(page.context(), page);
  await send(page, 'sent with a full storage');
  await write('arrives with a full storage');
  await messageOf(page, 'arrives with a full storage').waitFor();
  await assertSameAsFresh(world, ada, page);
  await boxOf(page).fill('not finished');
  // The browser cannot keep the draft, but the server has it.
  await until(async () => {
    const { drafts } = await ada.client.ok('GET', '/drafts');
    return drafts.some(({ content }: { readonly content: string }) => content === 'not finished');
  }, 'the draft on the server');
  await page.reload();
  await messageOf(page, 'arrives with a full storage').waitFor();
  await untilEqual(() => boxOf(page).inputValue(), 'not finished');
  await boxOf(page).press('Control+Enter');
  await messageOf(page, 'not finished').waitFor();
  await assertSameAsFresh(world, ada, page);
  assert.deepEqual(await sentByAda(), ['sent with a full storage', 'not finished']);
});

world.test('without a connection, a reloaded page lists the people of the open channel', async () => {
  const { ada, route } = await faultScene(world);
  world.expectProblems('no response', 'ERR_FAILED', 'Failed to fetch');
  const page = await world.open(ada, route);
  const people = page.getByRole('grid', { name: 'People' });
  await people.getByText('In this conversation 2').waitFor();
  // The app writes to its store once in a second.
  await until(async () => (await storedIn(page, 'extra', 'members')).length > 0, 'stored members');
  await page.route('**/json/**', (request) => request.abort());
  await page.reload();
  await page.getByText('The server cannot be reached', { exact: false }).waitFor();
  await people.getByText('In this conversation 2').waitFor();
});

world.test(
  'without a connection and without a store, the page says so, and starts when the server answers',
  async () => {
    const { ada, route } = await faultScene(world);
    world.expectProblems('no response', 'ERR_EMPTY_RESPONSE');
    front.proxy.decide = ({ path }) => (path.startsWith('/json/') ? 'refuse' : 'pass');
    const page = await world.open(ada, route);
    await page.getByText('The server cannot be reached').waitFor();
    front.proxy.decide = () => 'pass';
    await page.getByRole('button', { name: 'Try now' }).click();
    await messageOf(page, 'before the fault').waitFor();
  },
);

world.test('a reload after a long visit continues with the same queue', async () => {
  const { ada, route, write } = await faultScene(world);
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  const { position } = await homeOf(world.server);
  // More than a store keeps as events.
  const long = 'warp and weft '.repeat(650);
  for (let batch = 0; batch < 20; batch += 1) {
    await Promise.all(Array.from({ length: 25 }, () => write(long, 'spindles')));
  }
  await write('after many events');
  await messageOf(page, 'after many events').waitFor();
  // The store has a new state, and only the events after it. The state of the beginning has none either.
  const isNew = ({ events, lastEventId }: StoredPosition) => events < 100 && lastEventId > position + 300;
  await until(
    async () => (await storedIn<StoredPosition>(page, 'session', 'position')).some(isNew),
    'a stored position with fewer than 100 events',
  );
  await write('after the state was stored');
  await messageOf(page, 'after the state was stored').waitFor();
  const begin = front.proxy.requests.length;
  await page.reload();
  await messageOf(page, 'after the state was stored').waitFor();
  assert.equal(requestsSince(begin).registrations, 0);
  await assertSameAsFresh(world, ada, page);
});
