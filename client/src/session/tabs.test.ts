/** Several tabs share one queue. Here each session is a tab: Node.js has the locks and the channels of browsers. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { TestClient } from '../../../server/src/testing/clients/client.ts';
import { type HttpProxy, startHttpProxy } from '../../../server/src/testing/faults/http-proxy.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import { Connection } from '../calls/connection.ts';
import type { InitialState } from '../calls/types.ts';
import { MemoryStore } from './memory-store.ts';
import { Session, type SessionOptions } from './session.ts';
import type { StoreChange } from './store.ts';
import { Tabs } from './tabs.ts';

let server: TestServer;
let proxy: HttpProxy;
let client: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  proxy = await startHttpProxy(server.url);
  channel = await server.emptyChannel(server.owner, 'looms');
});
after(async () => {
  await proxy.close();
  await server.stop();
});

let opened: Tab[];
beforeEach(async () => {
  client = await server.user();
  await client.subscribe('looms');
  opened = [];
  proxy.decide = () => 'pass';
});
afterEach(async () => {
  await Promise.all(opened.map((tab) => tab.close()));
});

const send = (content: string) => server.owner.send(channel, 'cloth', content);
const registrations = () => proxy.requests.filter(({ path }) => path.endsWith('/register')).length;

class Tab {
  readonly tabs = new Tabs({ url: proxy.url, userId: client.userId });
  readonly session: Session;
  states = 0;
  contents: string[] = [];

  constructor(options: Partial<SessionOptions> = {}) {
    this.session = new Session({
      connection: new Connection({ url: proxy.url, credentials: { email: client.email, apiKey: client.apiKey } }),
      registration: { event_types: ['message'], fetch_event_types: ['realm_user'] },
      onState: (state) => {
        this.states += 1;
        this.contents = [...((state as InitialState & { contents?: string[] }).contents ?? [])];
      },
      onEvents: (events) => {
        for (const event of events) if (event.type === 'message') this.contents.push(event.message.content);
      },
      tabs: this.tabs,
      ...options,
    });
    opened.push(this);
  }

  async live(): Promise<this> {
    await this.session.start();
    await until(() => this.session.status.state === 'live', 'a live session');
    return this;
  }

  async has(count: number): Promise<void> {
    await until(() => this.contents.length >= count, `${count} messages`);
  }

  async close(): Promise<void> {
    await this.session.stop();
    this.tabs.close();
  }
}

test('tabs share one queue: the first one polls, and all get the same events', async () => {
  const before = registrations();
  const first = await new Tab().live();
  await send('one');
  await first.has(1);
  const second = await new Tab().live();
  const third = await new Tab().live();
  for (const content of ['two', 'three']) await send(content);
  for (const tab of [first, second, third]) {
    await tab.has(3);
    assert.deepEqual(tab.contents, ['one', 'two', 'three']);
    assert.equal(tab.states, 1);
    assert.equal(tab.session.queueId, first.session.queueId);
  }
  assert.deepEqual(
    [first, second, third].map(({ session }) => session.isLeader),
    [true, false, false],
  );
  assert.equal(registrations(), before + 1);
});

test('tabs that start at the same time share one queue', async () => {
  const before = registrations();
  const tabs = [new Tab(), new Tab(), new Tab()];
  await Promise.all(tabs.map((tab) => tab.live()));
  await send('one');
  await Promise.all(tabs.map((tab) => tab.has(1)));
  assert.equal(registrations(), before + 1);
});

test('when the leader closes, another tab continues the queue, and no event is lost or repeated', async () => {
  const before = registrations();
  const tabs = [await new Tab().live(), await new Tab().live(), await new Tab().live(), await new Tab().live()];
  const sent: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const leader = tabs.find(({ session }) => session.isLeader);
    assert(leader !== undefined);
    const sending = (async () => {
      for (let count = 0; count < 10; count += 1) {
        sent.push(`${round}.${count}`);
        await send(`${round}.${count}`);
      }
    })();
    await leader.has(round * 10 + 3);
    tabs.splice(tabs.indexOf(leader), 1);
    await leader.close();
    await sending;
    for (const tab of tabs) await tab.has(sent.length);
  }
  for (const tab of tabs) assert.deepEqual(tab.contents, sent);
  assert.equal(registrations(), before + 1);
});

test('a frozen leader lets another tab poll, and follows when it runs again', async () => {
  const [one, two] = [await new Tab().live(), await new Tab().live()];
  one.session.suspend();
  await until(() => two.session.isLeader, 'the second tab to lead');
  await send('while it is frozen');
  await two.has(1);
  assert.deepEqual(one.contents, []);
  one.session.resume();
  await one.has(1);
  await until(() => one.session.status.state === 'live', 'a live session in the first tab');
  assert.equal(one.session.isLeader, false);
  assert.equal(one.states, 1);
});

test('a tab takes the lead from one that does not respond', async () => {
  const one = await new Tab().live();
  const { held = [] } = await navigator.locks.query();
  const name = held.find((lock) => lock.name?.includes(`:${client.userId}:`))?.name;
  assert(name !== undefined);
  await one.close();
  // A tab that holds the lock, and never answers.
  let isStolen = false;
  const silent = navigator.locks
    .request(name, () => new Promise(() => undefined))
    .catch(() => {
      isStolen = true;
    });
  await until(
    async () => (await navigator.locks.query()).held?.some((lock) => lock.name === name) ?? false,
    `the lock ${name}`,
  );
  const two = await new Tab().live();
  assert(two.session.isLeader);
  await silent;
  assert(isStolen);
});

test('a tab asks the leader to try again if the leader is late, like a hidden page whose timers the browser delays', async () => {
  const one = await new Tab().live();
  const { held = [] } = await navigator.locks.query();
  const name = held.find((lock) => lock.name?.includes(`:${client.userId}:`))?.name ?? '';
  await one.close();
  const channel = new BroadcastChannel(name);
  const received: string[] = [];
  channel.onmessage = (event) => {
    const message = (event as unknown as { data: { kind: string; from: string } }).data;
    received.push(message.kind);
    if (message.kind !== 'ask') return;
    const answer = new BroadcastChannel(`${name}:${message.from}`);
    answer.postMessage({ kind: 'answer', status: { state: 'reconnecting', since: 0, nextAttempt: Date.now() } });
    answer.close();
  };
  await navigator.locks.request(name, async () => {
    await new Tab().session.start();
    await until(() => received.includes('check'), 'a check of the follower');
  });
  channel.close();
  assert.deepEqual(received, ['ask', 'check']);
});

test('a tab whose leader was stolen follows, and leads again when the thief closes', async () => {
  const one = await new Tab().live();
  const { held = [] } = await navigator.locks.query();
  const name = held.find((lock) => lock.name?.includes(`:${client.userId}:`))?.name ?? '';
  let release: () => void = () => undefined;
  const stolen = navigator.locks.request(
    name,
    { steal: true },
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  await until(() => !one.session.isLeader, 'the first tab to stop leading');
  release();
  await stolen;
  await until(() => one.session.isLeader, 'the first tab to lead again');
  await send('after it');
  await one.has(1);
});

test('a new registration reaches all tabs', async () => {
  const [one, two] = [await new Tab().live(), await new Tab().live()];
  await send('before');
  await Promise.all([one.has(1), two.has(1)]);
  await client.ok('DELETE', '/events', { queue_id: one.session.queueId });
  await until(() => one.states === 2 && two.states === 2, 'a second initial state in both tabs');
  await send('after');
  await Promise.all([one.has(1), two.has(1)]);
  assert.deepEqual([one.contents, two.contents], [['after'], ['after']]);
  assert.equal(one.session.queueId, two.session.queueId);
});

test('a tab whose app throws gets a new state through the leader', async () => {
  const one = await new Tab().live();
  let failures = 1;
  let states = 0;
  const two = await new Tab({
    onState: () => {
      states += 1;
    },
    onEvents() {
      failures -= 1;
      if (failures >= 0) throw new Error('the app cannot read this');
    },
  }).live();
  const queue = one.session.queueId;
  await send('unreadable');
  await until(
    () => states === 2 && two.session.status.state === 'live',
    'a second initial state and a live session in the second tab',
  );
  assert.notEqual(one.session.queueId, queue);
  assert.equal(two.session.queueId, one.session.queueId);
});

test('the tabs of a leader without a network show that', async () => {
  const [one, two] = [await new Tab().live(), await new Tab().live()];
  proxy.decide = () => 'refuse';
  proxy.cutAll();
  await until(() => two.session.status.state === 'reconnecting', 'the second tab to reconnect');
  proxy.decide = () => 'pass';
  two.session.check();
  await until(
    () => one.session.status.state === 'live' && two.session.status.state === 'live',
    'live sessions in both tabs',
  );
});

test('all tabs stop when the account is deactivated, and when one logs out', async () => {
  const tabs = [await new Tab().live(), await new Tab().live(), await new Tab().live()];
  const store = new MemoryStore();
  const last = await new Tab({ store }).live();
  await last.session.logOut();
  for (const { session } of [...tabs, last]) {
    await until(() => session.status.state === 'stopped', 'a stopped session');
    assert(session.status.state === 'stopped' && session.status.reason === 'logged-out');
  }
  assert.equal(await store.load(), undefined);

  const others = [await new Tab().live(), await new Tab().live()];
  await server.owner.ok('DELETE', `/users/${client.userId}`);
  for (const { session } of others) {
    await until(() => session.status.state === 'stopped', 'a stopped session');
    assert(session.status.state === 'stopped' && session.status.reason === 'deactivated');
  }
});

/** A store whose writes a test can hold back. A leader writes once in a second. */
class HeldStore extends MemoryStore {
  released: Promise<unknown> = Promise.resolve();

  override async save(change: StoreChange) {
    await this.released;
    return super.save(change);
  }
}

test('a new tab reads the store, and gets only the newer events from the leader', async () => {
  const store = new HeldStore();
  const one = await new Tab({ store }).live();
  await send('stored');
  await one.has(1);
  await one.session.flush();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  store.released = released;
  await send('newer');
  await one.has(2);
  const sources: string[] = [];
  const contents: string[] = [];
  const two = await new Tab({
    store,
    onState: (_, { source }) => void sources.push(source),
    onEvents: (events, { source }) => {
      for (const event of events) if (event.type === 'message') contents.push(`${source}: ${event.message.content}`);
    },
  }).live();
  assert.deepEqual(sources, ['store']);
  assert.deepEqual(contents, ['store: stored', 'server: newer']);
  // Only the leader writes.
  await two.session.flush();
  assert.equal((await store.position())?.events, 1);
  release();
  await one.close();
  await until(() => two.session.isLeader, 'the second tab to lead');
  await send('newest');
  await until(async () => (await store.position())?.events === 3, 'three stored events');
});

test('a leader that keeps too few events brings a new tab up to date with the state of the app, or registers', async () => {
  const before = registrations();
  const first = client;
  const one: Tab = await new Tab({ compact: () => stateOf(one) }).live();
  client = await server.user();
  await client.subscribe('looms');
  const other = await new Tab().live();
  const sent = 4_050;
  for (let batch = 0; batch < sent / 50; batch += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(`${batch}.${index}`)));
  }
  await Promise.all([one.has(sent), other.has(sent)]);
  assert.equal(registrations(), before + 2);

  // The app of the second leader cannot state its state.
  const besideOther = await new Tab().live();
  client = first;
  const besideOne = await new Tab().live();
  await send('last');
  const tabs = [one, besideOne, other, besideOther];
  await until(() => tabs.every(({ contents }) => contents.at(-1) === 'last'), 'the last message in all tabs');
  assert.deepEqual(besideOne.contents, one.contents);
  assert.equal(one.contents.length, sent + 1);
  assert.deepEqual([other.contents, besideOther.contents], [['last'], ['last']]);
  assert.equal(registrations(), before + 3);
});

function stateOf({ session, contents }: Tab): InitialState {
  const state = { queue_id: session.queueId ?? null, last_event_id: session.lastEventId, contents };
  return structuredClone(state) as unknown as InitialState;
}

test('messages of the app reach all other tabs of the account, and no others', async () => {
  const account = { url: proxy.url, userId: client.userId };
  const [one, two, three] = [new Tabs(account), new Tabs(account), new Tabs({ ...account, userId: 0 })];
  const received: unknown[] = [];
  for (const [index, tabs] of [one, two, three].entries()) {
    tabs.onMessage((message) => void received.push([index, message]));
  }
  one.send({ read: [1, 2] });
  await until(() => received.length === 1, 'the first message of the other tab');
  two.send('draft');
  await until(() => received.length === 2, 'the second message of the other tab');
  assert.deepEqual(received, [
    [1, { read: [1, 2] }],
    [0, 'draft'],
  ]);
  for (const tabs of [one, two, three]) tabs.close();
});

test('without the locks of a browser, each session has its own queue', async () => {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  assert(descriptor !== undefined);
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  try {
    const [one, two] = [await new Tab().live(), await new Tab().live()];
    assert.notEqual(one.session.queueId, two.session.queueId);
    await send('to both');
    await Promise.all([one.has(1), two.has(1)]);
  } finally {
    Object.defineProperty(globalThis, 'navigator', descriptor);
  }
});
