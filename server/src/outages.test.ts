/**
 * A server whose database is unreachable, silent or gone: the responses that its clients get during the outage and
 * afterwards.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
    await until(() => organization?.polls.waiting === 1, 'the held poll');

    await begin();
    const { app } = cut;
    const inLine: number[] = [];
    for (let wave = 0; wave < 3; wave++) {
      const asked = Array.from({ length: 20 }, () => needTheDatabase).flat();
      const answers = await Promise.all(asked.map(([method, path, fields]) => readerAtCut.call(method, path, fields)));
      for (const [index, { status, headers, body }] of answers.entries()) {
        const [method, path] = asked[index] ?? [];
        assert.deepEqual(
          [status, body.code, headers['retry-after']],
          [503, 'SERVICE_UNAVAILABLE', '1'],
          `${method} ${path}`,
        );
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
