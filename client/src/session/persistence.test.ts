/** What a session stores, and how the next one continues. The store of browsers has its own test, in a browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../server/src/testing/clients/client.ts';
import { type HttpProxy, startHttpProxy } from '../../../server/src/testing/faults/http-proxy.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import { Connection } from '../calls/connection.ts';
import type { InitialState } from '../calls/types.ts';
import type { Problem, Source } from './consumer.ts';
import { MemoryStore } from './memory-store.ts';
import { Session, type SessionOptions } from './session.ts';
import type { SessionStore, StoreChange } from './store.ts';

let server: TestServer;
let proxy: HttpProxy;
let client: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  proxy = await startHttpProxy(server.url);
  channel = await server.emptyChannel(server.owner, 'looms');
  client = await server.user();
  await client.subscribe('looms');
});
after(async () => {
  await proxy.close();
  await server.stop();
});

const send = (content: string) => server.owner.send(channel, 'cloth', content);

/** An app that keeps the contents of the messages that it got, and can state them. */
class App {
  /** The sources of the states. */
  readonly states: Source[] = [];
  readonly problems: Problem[] = [];
  /** The contents since the last state, with those of a compacted state. */
  contents: string[] = [];
  restored: ReadonlyMap<string, unknown> = new Map();
  readonly session: Session;

  constructor(store: SessionStore, options: Partial<SessionOptions> = {}) {
    this.session = new Session({
      connection: new Connection({ url: proxy.url, credentials: { email: client.email, apiKey: client.apiKey } }),
      registration: { event_types: ['message'], fetch_event_types: [] },
      onState: (state, { source, extra }) => {
        this.states.push(source);
        this.contents = [...((state as InitialState & { contents?: string[] }).contents ?? [])];
        this.restored = extra;
      },
      onEvents: (events) => {
        for (const event of events) if (event.type === 'message') this.contents.push(event.message.content);
      },
      onProblem: (problem) => void this.problems.push(problem),
      store,
      ...options,
    });
  }

  async live(): Promise<this> {
    await this.session.start();
    await until(() => this.session.status.state === 'live', 'a live session');
    return this;
  }

  async has(content: string): Promise<void> {
    await until(() => this.contents.at(-1) === content, `the message ${content}`);
  }
}

const registrations = () => proxy.requests.filter(({ path }) => path.endsWith('/register')).length;

test('the next session starts with the stored state and events, and polls the same queue', async () => {
  const store = new MemoryStore();
  const first = await new App(store).live();
  await send('one');
  await first.has('one');
  await first.session.stop();
  await send('between');
  const before = registrations();

  const second = new App(store);
  await second.session.start();
  assert.deepEqual(second.contents, ['one']);
  await second.has('between');
  await send('two');
  await second.has('two');
  await second.session.stop();
  assert.deepEqual(second.contents, ['one', 'between', 'two']);
  assert.deepEqual(second.states, ['store']);
  assert.equal(registrations(), before);
});

test('events are stored in batches without a stop', async (t) => {
  const store = new MemoryStore();
  const first = await new App(store).live();
  t.after(() => first.session.stop());
  await send('one');
  await first.has('one');
  await until(async () => (await store.position())?.events === 1, 'one stored event');
  await send('two');
  await first.has('two');
  await first.session.flush();
  assert.equal((await store.position())?.events, 2);
});

test('if the stored queue has ended, the app shows what it has and gets a new state', async () => {
  const store = new MemoryStore();
  const first = await new App(store).live();
  await send('one');
  await first.has('one');
  await first.session.stop({ deleteQueue: true });
  await send('between');

  const second = await new App(store).live();
  await until(() => second.states.length === 2, 'the second initial state');
  assert.deepEqual(second.states, ['store', 'server']);
  assert.deepEqual(second.contents, []);
  await send('two');
  await second.has('two');
  await second.session.stop();
  assert.equal((await store.load())?.snapshot.queueId, second.session.queueId);
});

test('if the server has deleted the events after the stored position, the session registers again', async () => {
  const store = new MemoryStore();
  const first = await new App(store).live();
  await send('one');
  await first.has('one');
  await first.session.stop();
  const stored = await store.load();
  assert(stored !== undefined);
  // Another client has acknowledged the later events, and retention has deleted them.
  const query = { queue_id: stored.snapshot.queueId, dont_block: true };
  await send('two');
  const { events } = await client.ok('GET', '/events', { ...query, last_event_id: stored.snapshot.lastEventId });
  await client.ok('GET', '/events', { ...query, last_event_id: events.at(-1).id });
  const { db } = server.app;
  await server.app.queues.flush();
  await sql`UPDATE logs SET trimmed_through = head`.execute(db);
  await sql`DELETE FROM events`.execute(db);
  const restarted = await startTestServer({ shared: server.shared });
  proxy.target = restarted.url;
  try {
    const second = await new App(store).live();
    assert.deepEqual(second.states, ['store', 'server']);
    await second.session.stop();
  } finally {
    proxy.target = server.url;
    await restarted.stop();
  }
});

test('another registration does not use the stored queue', async () => {
  const store = new MemoryStore();
  await (await new App(store).live()).session.stop();
  const registration = { event_types: ['message'], fetch_event_types: [], apply_markdown: true };
  const second = await new App(store, { registration }).live();
  assert.deepEqual(second.states, ['server']);
  await second.session.stop();
  assert.equal((await store.load())?.registration, JSON.stringify(registration));
});

test('an app that cannot read its stored state gets a new one', async () => {
  const store = new MemoryStore();
  await (await new App(store).live()).session.stop();
  const states: Source[] = [];
  const second = await new App(store, {
    onState(_, { source }) {
      states.push(source);
      if (source === 'store') throw new Error('this is from an older version');
    },
  }).live();
  assert.deepEqual(states, ['store', 'server']);
  assert.deepEqual(
    second.problems.map(({ kind }) => kind),
    ['app'],
  );
  await second.session.stop();
});

test('entries of extra are stored with the events, and belong to their position', async () => {
  const store = new MemoryStore();
  let changes = new Map<string, unknown>([['window', ['empty']]]);
  const extra = () => {
    const taken = changes;
    changes = new Map();
    return taken;
  };
  const first = await new App(store, { extra }).live();
  await send('one');
  await first.has('one');
  changes.set('window', first.contents.slice());
  changes.set('other', 1);
  await first.session.flush();
  changes.set('other', undefined);
  first.session.saveSoon();
  await until(async () => (await store.load())?.extra.size === 1, 'the stored extra value');
  await first.session.stop();
  const second = new App(store);
  await second.session.start();
  assert.deepEqual([...second.restored], [['window', ['one']]]);
  await second.session.stop({ deleteQueue: true });
  // They do not belong to another queue.
  await (await new App(store).live()).session.stop();
  assert.deepEqual([...((await store.load())?.extra ?? [])], []);
});

test('after 2,000 events the store gets a new state from the app', async () => {
  const store = new MemoryStore();
  const first: App = await new App(store, { compact: () => stateOf(first) }).live();
  await first.session.flush();
  for (let batch = 0; batch < 42; batch += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(`${batch}.${index}`)));
    await first.session.flush();
  }
  await until(() => first.contents.length === 2_100, '2,100 messages');
  await until(async () => {
    await first.session.flush();
    return ((await store.position())?.events ?? 0) < 2_000;
  }, 'a stored state with fewer than 2,000 events');
  await first.session.stop();
  const second = new App(store);
  await second.session.start();
  assert.deepEqual(second.contents, first.contents);
  await second.session.stop();
});

/** Each append makes it too large. */
class FullStore extends MemoryStore {
  readonly changes: StoreChange[] = [];
  /** What a new state waits for. */
  untilReplaced: Promise<unknown> = Promise.resolve();

  override async save(change: StoreChange) {
    this.changes.push(change);
    if (change.kind === 'replace') await this.untilReplaced;
    const stored = await super.save(change);
    return change.kind === 'append' && stored !== undefined ? { ...stored, size: 2 ** 30 } : stored;
  }
}

test('a store that the last event made too large gets a new state, although no event follows', async () => {
  const store = new FullStore();
  const app: App = await new App(store, { compact: () => stateOf(app) }).live();
  await app.session.flush();
  await send('the last one');
  await until(() => store.changes.length === 3, 'three stored changes');
  assert.deepEqual(
    store.changes.map(({ kind }) => kind),
    ['replace', 'append', 'replace'],
  );
  await app.session.stop();
});

test('events that arrive while a new state is written count from that state', async () => {
  const store = new FullStore();
  const app: App = await new App(store, { compact: () => stateOf(app) }).live();
  await app.session.flush();
  const { promise: untilReplaced, resolve: replaced } = Promise.withResolvers<void>();
  store.untilReplaced = untilReplaced;
  await send('before');
  await until(() => store.changes.length === 3, 'three stored changes');
  await send('meanwhile');
  await app.has('meanwhile');
  const flushed = app.session.flush();
  replaced();
  await flushed;
  const appended = store.changes.findLast((change) => change.kind === 'append');
  assert.equal(appended?.after?.events, 0);
  await app.session.stop();
});

function stateOf(app: App): InitialState {
  const state = {
    queue_id: app.session.queueId ?? null,
    last_event_id: app.session.lastEventId,
    contents: app.contents,
  };
  return structuredClone(state) as unknown as InitialState;
}

test('a store that fails is not used any more; the app hears of it once', async () => {
  for (const broken of ['load', 'position', 'save'] as const) {
    const store = new MemoryStore();
    store[broken] = async () => {
      throw new Error(`${broken} is broken`);
    };
    const app = await new App(store).live();
    await send(`with a broken ${broken}`);
    await app.has(`with a broken ${broken}`);
    await app.session.flush();
    await app.session.flush();
    await app.session.stop();
    assert.deepEqual(
      app.problems.map(({ kind, error }) => [kind, (error as Error).message]),
      [['storage', `${broken} is broken`]],
    );
  }
});

test('two sessions that write to one store do not mix their events', async () => {
  const store = new MemoryStore();
  const one = await new App(store).live();
  const other = await new App(store).live();
  for (let count = 0; count < 5; count += 1) {
    await send(`${count}`);
    await Promise.all([one.has(`${count}`), other.has(`${count}`)]);
    await Promise.all([one.session.flush(), other.session.flush()]);
  }
  await Promise.all([one.session.stop(), other.session.stop()]);
  const third = new App(store);
  await third.session.start();
  const [state] = third.states;
  assert.equal(state, 'store');
  await third.has('4');
  assert.deepEqual(third.contents, ['0', '1', '2', '3', '4']);
  await third.session.stop();
});

test('logOut deletes the queue and clears the store', async () => {
  const store = new MemoryStore();
  await store.keep('draft', 'not sent');
  const { session } = await new App(store).live();
  await session.flush();
  const queue = { queue_id: session.queueId, last_event_id: session.lastEventId };
  await session.logOut();
  assert.deepEqual(session.status, { state: 'stopped', reason: 'logged-out' });
  assert.equal(await store.load(), undefined);
  assert.equal((await store.loadKept()).size, 0);
  assert.equal((await client.fails('GET', '/events', queue)).code, 'BAD_EVENT_QUEUE_ID');
});

test('logOut clears the store and leaves the queue to the server, if the app has ended the login before', async () => {
  const store = new MemoryStore();
  const { session } = await new App(store).live();
  await session.flush();
  const queue = { queue_id: session.queueId, last_event_id: -1, dont_block: true };
  await session.logOut({ deleteQueue: false });
  assert.equal(await store.load(), undefined);
  await client.ok('GET', '/events', queue);
});

test('when the server ends the login, what came from it leaves the store, and what was not sent stays', async () => {
  const ends = [
    (member: TestClient) => member.ok('POST', '/users/me/api_key/regenerate'),
    (member: TestClient) => server.owner.ok('DELETE', `/users/${member.userId}`),
  ];
  for (const end of ends) {
    const member = await server.user();
    const { email, apiKey } = member;
    const store = new MemoryStore();
    await store.keep('draft', 'not sent');
    const { session } = await new App(store, {
      connection: new Connection({ url: server.url, credentials: { email, apiKey } }),
    }).live();
    await session.flush();
    assert.notEqual(await store.load(), undefined);
    await end(member);
    session.check();
    await until(
      async () => session.status.state === 'stopped' && (await store.load()) === undefined,
      'a stopped session with an empty storage',
    );
    assert.deepEqual([...(await store.loadKept())], [['draft', 'not sent']]);
  }
});
