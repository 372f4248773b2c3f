/** The session behind a network that fails in every way. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { TestClient } from '../../../server/src/testing/clients/client.ts';
import { type Fate, type HttpProxy, startHttpProxy } from '../../../server/src/testing/faults/http-proxy.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import { expiredTimers } from '../../testing/expired-timers.ts';
import { Connection } from '../calls/connection.ts';
import { Session } from './session.ts';
import type { SessionStatus } from './status.ts';

let server: TestServer;
let client: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  channel = await server.emptyChannel(server.owner, 'looms');
  client = await server.user();
  await client.subscribe('looms');
});
after(() => server.stop());

let proxy: HttpProxy;
let session: Session;
let contents: string[];
let statuses: SessionStatus[];
let registrations: number;
beforeEach(async () => {
  proxy = await startHttpProxy(server.url);
  contents = [];
  statuses = [];
  registrations = 0;
  session = new Session({
    connection: new Connection({ url: proxy.url, credentials: { email: client.email, apiKey: client.apiKey } }),
    registration: { event_types: ['message'], fetch_event_types: [] },
    onState: () => {
      registrations += 1;
    },
    onEvents: (events) => {
      for (const event of events) if (event.type === 'message') contents.push(event.message.content);
    },
    onStatus: (status) => void statuses.push(status),
  });
});
afterEach(async () => {
  await session.stop();
  await proxy.close();
});

const send = (content: string) => server.owner.send(channel, 'cloth', content);
const isLive = () => session.status.state === 'live';
const isPoll = (path = '') => path.startsWith('/api/v1/events');
const polls = () => proxy.requests.filter(({ path }) => isPoll(path)).length;
const probes = () => proxy.requests.filter(({ path }) => path.includes('dont_block')).length;
/** Waits until the newest request is a poll that the server holds. */
async function held(): Promise<void> {
  await until(() => {
    const path = proxy.requests.at(-1)?.path;
    return isPoll(path) && !path?.includes('dont_block');
  }, 'a poll that waits for events');
}

/** The next requests meet this fate. */
function next(count: number, fate: Fate): void {
  let left = count;
  proxy.decide = () => {
    left -= 1;
    return left >= 0 ? fate : 'pass';
  };
}

async function startLive(): Promise<void> {
  await session.start();
  await until(isLive, 'a live session');
  await held();
}

test('a session registers as soon as the network permits', async () => {
  next(2, 'refuse');
  await session.start();
  await until(isLive, 'a live session');
  assert.equal(registrations, 1);
  assert.equal(statuses[0]?.state, 'reconnecting');
});

test('a broken connection shows as reconnecting, with the time of the next attempt; nothing is lost or repeated', async () => {
  await startLive();
  next(2, 'refuse');
  proxy.cutAll();
  await send('during the outage');
  await until(() => contents.length > 0, 'the first message');
  await until(isLive, 'a live session');
  assert.deepEqual(contents, ['during the outage']);
  assert.equal(registrations, 1);
  const [outage] = statuses.filter(({ state }) => state === 'reconnecting');
  assert(outage?.state === 'reconnecting' && outage.nextAttempt !== undefined);
  assert(outage.nextAttempt >= outage.since);
});

test('a response that was lost on its way is asked for again', async () => {
  await startLive();
  proxy.decide = ({ path }) => (path.includes('dont_block') ? 'pass' : 'cut');
  await send('one');
  await until(() => contents.length === 1, 'one message');
  await send('two');
  await until(() => contents.length === 2, 'two messages');
  assert.deepEqual(contents, ['one', 'two']);
});

test('a session asks at once after check(), and does not wait for a poll that the network has swallowed', async () => {
  await startLive();
  next(1, 'ignore');
  await send('wakes the poll');
  // The poll after this one never gets a response. The session trusts it for a short time only.
  await until(() => contents.length === 1, 'one message');
  await held();
  await send('lost with the poll');
  await until(() => {
    session.check();
    return contents.length === 2;
  }, 'the second message after a check');
  assert.deepEqual(contents, ['wakes the poll', 'lost with the poll']);
  assert(statuses.every(({ state }) => state === 'live'));
});

test('a session gives a swallowed poll up soon after the time that the server states', async () => {
  proxy.rewrite = (body, { path }) =>
    path.startsWith('/api/v1/register')
      ? body.replace(/"event_queue_longpoll_timeout_seconds":\d+/, '"event_queue_longpoll_timeout_seconds":1')
      : body;
  proxy.decide = ({ path }) => (isPoll(path) && !path.includes('dont_block') ? 'ignore' : 'pass');
  await session.start();
  await until(isLive, 'a live session');
  await until(() => polls() > 0, 'the first poll');
  await send('while nothing responds');
  await until(() => contents.length === 1, 'one message');
  assert(statuses.some(({ state }) => state === 'reconnecting'));
});

test('a session waits as long as a response 429 or 503 asks, also after check()', async (t) => {
  const expired = expiredTimers(t);
  await startLive();
  for (const [status, code] of [
    [429, 'RATE_LIMIT_HIT'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const) {
    const body = JSON.stringify({ result: 'error', msg: 'Later', code });
    await held();
    next(1, { status, headers: { 'retry-after': '1', 'content-type': 'application/json' }, body });
    statuses.length = 0;
    proxy.cutAll();
    // The broken poll is the first failure, and the refusal the second.
    await until(() => statuses.filter((one) => 'nextAttempt' in one).length >= 2, 'two planned attempts');
    const refused = statuses.findLast((one) => 'nextAttempt' in one);
    assert(refused?.state === 'reconnecting' && refused.nextAttempt !== undefined);
    const before = probes();
    expired.length = 0;
    session.check();
    await until(isLive, 'a live session');
    assert(
      expired.some((milliseconds) => milliseconds >= 1_000),
      `the pause after ${status} has not ended early`,
    );
    assert.equal(probes(), before + 1);
  }
  assert.equal(registrations, 1);
});

test('a page of a proxy is an outage, not the end', async () => {
  await startLive();
  next(2, { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' });
  proxy.cutAll();
  await send('behind the page');
  await until(() => contents.length > 0, 'the first message');
  assert.deepEqual(contents, ['behind the page']);
});

test('without a network the status is offline, and the return of the network ends the waiting time', async (t) => {
  const expired = expiredTimers(t);
  await startLive();
  proxy.decide = () => 'refuse';
  proxy.cutAll();
  await until(() => statuses.some(({ state }) => state === 'reconnecting'), 'the session to reconnect');
  session.setOnline(false);
  assert.equal(session.status.state, 'offline');
  // Until the waiting time is seconds long.
  await until(
    () => session.status.state === 'offline' && (session.status.nextAttempt ?? 0) > Date.now() + 1_000,
    'an offline session with a pause of more than a second',
  );
  proxy.decide = () => 'pass';
  expired.length = 0;
  session.setOnline(true);
  await until(isLive, 'a live session');
  assert.deepEqual(
    expired.filter((milliseconds) => milliseconds >= 1_000),
    [],
    'no pause has lasted to its end',
  );
});

test('polls that return nothing at once do not become a loop', async (t) => {
  const expired = expiredTimers(t);
  await startLive();
  const body = JSON.stringify({ result: 'success', msg: '', events: [], queue_id: session.queueId });
  proxy.decide = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
  proxy.cutAll();
  const before = polls();
  expired.length = 0;
  await until(() => polls() >= before + 5, 'five polls');
  // The probe after the outage, and then 0.25 s, 0.5 s and 1 s at least.
  const pauses = expired.filter((milliseconds) => milliseconds >= 250);
  const [first = 0, second = 0, third = 0] = pauses.slice(-3);
  assert(first >= 250 && second >= 500 && third >= 1_000, `the pauses were ${pauses.join(', ')} ms`);
});

test('two polls of a queue never run at once', async () => {
  let running = 0;
  let most = 0;
  const connection = new Connection({
    url: proxy.url,
    credentials: { email: client.email, apiKey: client.apiKey },
    async fetch(input, init) {
      if (!String(input).includes('/events')) return fetch(input, init);
      running += 1;
      most = Math.max(most, running);
      try {
        return await fetch(input, init);
      } finally {
        running -= 1;
      }
    },
  });
  const one = new Session({ connection, registration: { event_types: ['message'], fetch_event_types: [] } });
  await one.start();
  for (let count = 0; count < 50; count += 1) {
    await send(`${count}`);
    // Every disturbance abandons the request that runs, so without a pause no registration might ever end.
    if (count % 5 === 0) await until(() => running > 0, 'a running request');
    one.check();
    one.setOnline(count % 2 === 0);
    if (count % 10 === 0) proxy.cutAll();
    if (count % 17 === 0) one.registerAgain();
  }
  await one.stop();
  assert.equal(most, 1);
  assert.equal(running, 0);
});
