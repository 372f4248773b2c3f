// timeouts: real
/**
 * A server whose database is unreachable, silent or gone: the responses that its clients get during the outage and
 * afterwards.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { Fields, TestClient } from './testing/clients/client.ts';
import type { Json } from './testing/clients/json.ts';
import { type StallingProxy, startStallingProxy } from './testing/faults/stalling-proxy.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

/** Two servers on the same database. One connects directly, the other through a proxy that can be cut. */
let well: TestServer;
let cut: TestServer;
let proxy: StallingProxy;
let readerAtWell: TestClient;
let readerAtCut: TestClient;

before(async () => {
  const environment = { HEDDLE_BUS: 'postgres', HEDDLE_LOG_LEVEL: 'silent' };
  well = await startTestServer({ environment });
  proxy = await startStallingProxy(well.shared.url);
  cut = await startTestServer({ environment, shared: { ...well.shared, url: proxy.url } });
  readerAtWell = await well.user({ name: 'Reader' });
  await readerAtWell.subscribe('loom');
  await (await cut.app.organizations.bySubdomain(''))?.catchUp();
  readerAtCut = await cut.sameUser(readerAtWell);
});
after(async () => {
  // A test may have failed during an outage.
  await proxy.refuse();
  await cut.stop();
  await proxy.close();
  await well.stop();
});

const message = { type: 'channel', to: 'loom', topic: 'warp', content: 'hello' };

/**
 * Requests of each kind: reads, an own change, a batched change, an exclusive transaction, and an event that may be
 * lost.
 */
const needTheDatabase: readonly (readonly [string, string, Fields])[] = [
  ['GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 }],
  ['POST', '/register', {}],
  ['GET', '/users/me/subscriptions', {}],
  ['POST', '/messages', message],
  ['POST', '/saved_snippets', { title: 'a title', content: 'some content' }],
  [
    'POST',
    '/users/me/subscriptions/properties',
    { subscription_data: [{ stream_id: 1, property: 'color', value: '#a0b0c0' }] },
  ],
  ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'another' }] }],
  ['POST', '/typing', { op: 'start', to: [1] }],
];

/** Repeats the request until it succeeds. */
async function insist(client: TestClient, method: string, path: string, fields: Fields): Promise<Json> {
  return until(async () => {
    const { status, body } = await client.call(method, path, fields);
    assert(status === 200 || status === 503, JSON.stringify(body));
    return status === 200 && body;
  }, `a successful ${method} ${path}`);
}

const outages = [
  { name: 'is silent', begin: () => proxy.hold(), end: () => proxy.resume() },
  { name: 'is gone', begin: () => proxy.refuse(), end: () => proxy.accept() },
];

for (const { name, begin, end } of outages) {
  test(`while the database ${name}, all requests that need it get an error, held polls stay held, and no event is missed`, async () => {
    const queue = await readerAtCut.register({ event_types: ['message'] });
    const waiting = queue.next();
    const organization = await cut.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    await until(() => organization.polls.waiting === 1, 'the held poll');

    await begin();
    const { app } = cut;
    const inLine: number[] = [];
    for (let wave = 0; wave < 3; wave++) {
      const asked = Array.from({ length: 20 }, () => needTheDatabase).flat();
      const answers = await Promise.all(asked.map(([method, path, fields]) => readerAtCut.call(method, path, fields)));
      for (const [index, { status, headers, body }] of answers.entries()) {
        const [method, path] = asked[index] ?? [];
        assert.deepEqual([status, headers['retry-after']], [503, '1'], `${method} ${path}`);
        // A write that was on its way may be stored, if the database only does not respond.
        const mayBeStored = method !== 'GET' && body.code === 'OUTCOME_UNKNOWN';
        assert(mayBeStored || body.code === 'SERVICE_UNAVAILABLE', `${method} ${path}: ${body.code}`);
      }
      inLine.push(app.pool.waitingCount);
    }
    assert(Math.max(...inLine) <= (inLine[0] ?? 0), `the queue for connections grows: ${inLine}`);
    assert.equal(organization.polls.waiting, 1);
    // Requests without the database still work, and so does the other process.
    await readerAtCut.ok('GET', '/users');
    const sent = await readerAtWell.send('loom', 'warp', `while it ${name}`);

    await end();
    assert.deepEqual(
      (await waiting).map((event) => event.message.id),
      [sent],
    );
    for (const [method, path, fields] of needTheDatabase) await insist(readerAtCut, method, path, fields);
    const history = await insist(readerAtCut, 'GET', '/messages', { anchor: sent, num_before: 0, num_after: 5 });
    assert.equal(history.messages[0].content, `<p>while it ${name}</p>`);
  });
}

const storedOf = async (content: string): Promise<number> => {
  const { messages } = await readerAtWell.ok('GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0 });
  return messages.filter((one: Json) => one.content === `<p>${content}</p>`).length;
};

// rules: errors-14
test('a write whose commit got no response has the code OUTCOME_UNKNOWN, and may be stored', async () => {
  const organization = await cut.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  // The write uses an open connection.
  await insist(readerAtCut, 'POST', '/messages', message);
  const writes: readonly (readonly [string, string, Fields])[] = [
    ['POST', '/messages', { ...message, content: 'perhaps sent' }],
    ['POST', '/saved_snippets', { title: 'perhaps', content: 'saved' }],
  ];
  proxy.mute();
  const answers = await Promise.all(writes.map(([method, path, fields]) => readerAtCut.call(method, path, fields)));
  const [sent] = answers;
  assert.deepEqual([sent?.status, sent?.body.code], [503, 'OUTCOME_UNKNOWN']);
  assert.match(sent?.body.msg, /may be stored or not; look before/);
  // The other one begins with a statement that gets no response, so it certainly stores nothing.
  assert.equal(answers[1]?.status, 503);
  await until(async () => (await storedOf('perhaps sent')) === 1, 'the message that the server stored');
  proxy.resume();
  await insist(readerAtCut, 'GET', '/users/me/subscriptions', {});
});

// rules: errors-14
test('a write that the server refused for sure has the code SERVICE_UNAVAILABLE, and is not stored', async () => {
  await insist(readerAtCut, 'GET', '/users/me/subscriptions', {});
  await proxy.refuse();
  await until(async () => {
    const { body } = await readerAtCut.call('POST', '/messages', { ...message, content: 'certainly not sent' });
    return body.code === 'SERVICE_UNAVAILABLE';
  }, 'a clean refusal');
  const { status, body } = await readerAtCut.call('POST', '/messages', { ...message, content: 'certainly not sent' });
  assert.deepEqual([status, body.code], [503, 'SERVICE_UNAVAILABLE']);
  await proxy.accept();
  await insist(readerAtCut, 'GET', '/users/me/subscriptions', {});
  assert.equal(await storedOf('certainly not sent'), 0);
});

test('an outage is one line when it begins and one when it ends, whatever runs in the background', async () => {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const own = await startStallingProxy(well.shared.url);
  const server = await startTestServer({
    environment: { HEDDLE_BUS: 'postgres' },
    shared: { ...well.shared, url: own.url },
    recurringJobs: ['trim-logs', 'index-messages', 'collect-sessions'],
    log,
  });
  try {
    const reader = await server.sameUser(readerAtWell);
    await reader.register({ event_types: ['message'] });
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    for (const { begin, end } of [
      { begin: () => own.refuse(), end: () => own.accept() },
      { begin: () => own.hold(), end: () => own.resume() },
    ]) {
      lines.length = 0;
      await begin();
      // Everything that reads the log in the background, again and again.
      for (let round = 0; round < 10; round++) {
        organization.catchUpSoon();
        await organization.reached(organization.position + 1).catch(() => undefined);
        await organization.announce({ type: 'typing', audience: { to: 'nobody' }, body: null }).catch(() => undefined);
        await reader.call('POST', '/messages', message);
      }
      await end();
      await until(() => lines.some(({ msg }) => msg === 'the database is available again'), 'the end of the outage');
      await until(() => server.app.bus.isListening, 'the bus to listen');
      const texts = lines.map(({ msg }) => msg).filter((msg) => msg !== 'this server is not ready');
      const allowed = ['the database is unavailable', 'the database is available again'];
      for (const text of allowed) assert.equal(texts.filter((one) => one === text).length, 1, texts.join('\n'));
      const others = texts.filter((text) => !allowed.includes(text) && !/^a check of readiness/.test(text));
      assert(
        new Set(others).size === others.length && others.every((text) => /^the bus lost/.test(text)),
        texts.join('\n'),
      );
    }
  } finally {
    // The test may have failed during an outage.
    await own.refuse();
    await server.stop();
    await own.close();
  }
});
