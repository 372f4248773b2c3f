import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import Type from 'typebox';
import { authorization, form, type Sample, startSample } from '../../testing/server/sample-server.ts';
import { file } from '../answers/answers.ts';
import { fileInMemory } from '../answers/file-sources.ts';
import { route } from '../requests/route.ts';
import { type LimitRule, type LimitRules, type Limits, limitsBy, RateLimiter } from './limits.ts';

const few: LimitRule = { requests: 2, windowSeconds: 60 };
const many: LimitRule = { requests: 100, windowSeconds: 60 };
const allFew = {
  account: few,
  bots: few,
  polls: few,
  files: few,
  filesOfAddress: few,
  address: few,
  spectators: few,
  loginAccount: few,
  loginAddress: few,
};
const allMany = {
  account: many,
  bots: many,
  polls: many,
  files: many,
  filesOfAddress: many,
  address: many,
  spectators: many,
  loginAccount: many,
  loginAddress: many,
};

async function start(t: TestContext, limits: Limits): Promise<Sample> {
  const sample = await startSample(limits);
  t.after(() => sample.server.stop(1000));
  return sample;
}

test('a window starts with the first request and allows a number of requests', () => {
  let now = 1000;
  const limiter = new RateLimiter(few, () => now);
  const take = (key: string): boolean => limiter.take(key).isAllowed;
  assert.deepEqual(limiter.take('a'), { isAllowed: true, limit: 2, windowSeconds: 60, remaining: 1, secondsLeft: 60 });
  now = 60_999;
  assert.deepEqual([take('a'), take('a'), take('b')], [true, false, true]);
  now = 61_000;
  assert.deepEqual([take('a'), take('a'), take('a')], [true, true, false]);
});

test('a request that is given back can be taken again', () => {
  const limiter = new RateLimiter(few, () => 0);
  limiter.take('a');
  limiter.take('a');
  limiter.giveBack('a');
  assert.equal(limiter.take('a').isAllowed, true);
  assert.equal(limiter.take('a').isAllowed, false);
  limiter.forget('a');
  assert.equal(limiter.take('a').remaining, 1);
  limiter.giveBack('nobody');
  assert.equal(limiter.size, 1);
});

test('expired windows are removed as new ones start', () => {
  let now = 0;
  const limiter = new RateLimiter(few, () => now);
  for (let key = 0; key < 1000; key++) limiter.take(`early ${key}`);
  now = 60_000;
  for (let key = 0; key < 500; key++) limiter.take(`late ${key}`);
  assert.equal(limiter.size, 500);
});

test('memory is bounded for any number of keys', () => {
  const limiter = new RateLimiter(few, () => 0);
  for (let key = 0; key < 100_500; key++) limiter.take(`key ${key}`);
  assert.ok(limiter.size <= 100_000);
});

// rules: limits-8
test('a user has a number of requests, then gets a 429 with the time to wait', async (t) => {
  let now = 0;
  const sample = await start(
    t,
    limitsBy(allFew, () => now),
  );
  const ask = (): Promise<Response> => fetch(`${sample.base}/echo`, form({ content: 'x' }));
  const first = await ask();
  assert.equal(first.headers.get('x-ratelimit-limit'), '2');
  assert.equal(first.headers.get('x-ratelimit-remaining'), '1');
  assert.ok(Number(first.headers.get('x-ratelimit-reset')) > Date.now() / 1000);
  now = 10_500;
  assert.equal((await ask()).status, 200);
  const refused = await ask();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '49.5');
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
  assert.deepEqual(await refused.json(), {
    result: 'error',
    msg: 'API usage exceeded rate limit: 2 requests of an account in 60 s; the operator of the server can turn limits off with HEDDLE_RATE_LIMITS=off',
    'retry-after': 49.5,
    code: 'RATE_LIMIT_HIT',
  });
  const other = await fetch(`${sample.base}/raw`, {
    headers: { authorization: `Basic ${Buffer.from('a@example.com:right').toString('base64')}` },
  });
  assert.equal(other.status, 200, 'another user has their own limit');
  now = 60_000;
  assert.equal((await ask()).status, 200, 'a new window begins');
});

// rules: limits-8
test('wrong credentials count against the address, and do not limit valid ones', async (t) => {
  const sample = await start(t, limitsBy(allFew));
  const guess = (): Promise<Response> => fetch(`${sample.base}/raw`, { headers: { authorization: 'Basic eDp5' } });
  assert.deepEqual([(await guess()).status, (await guess()).status, (await guess()).status], [401, 401, 429]);
  assert.equal((await fetch(`${sample.base}/echo`, form({ content: 'x' }))).status, 200);
});

const ask = defineEndpoint({
  operationId: 'ask-for-events',
  method: 'GET',
  path: '/asked',
  area: 'samples',
  summary: 'Nothing has come',
  authentication: 'required',
  parameters: {},
  response: Type.Object({}),
  errors: [],
});

// rules: limits-8
test('polls have their own limit, independent of other requests', async (t) => {
  const sample = await startSample(limitsBy({ ...allMany, account: few, polls: few }), false, [
    route(ask, { limit: 'polls' }, () => ({})),
  ]);
  t.after(() => sample.server.stop(1000));
  const poll = async () => (await fetch(`${sample.base}/asked`, { headers: { authorization } })).status;
  const other = async () => (await fetch(`${sample.base}/echo`, form({ content: 'x' }))).status;
  assert.deepEqual([await poll(), await poll(), await poll()], [200, 200, 429]);
  assert.deepEqual([await other(), await other(), await other()], [200, 200, 429]);
});

const picture = defineEndpoint({
  ...ask,
  operationId: 'get-picture',
  path: '/picture',
  authentication: 'optional',
  response: { kind: 'file', contentTypes: ['text/plain'] },
});

// rules: limits-8
test('files have their own limit per user, and per address without credentials', async (t) => {
  const start = async (rules: Partial<LimitRules>) => {
    const routes = [route(picture, { limit: 'files' }, () => file(fileInMemory('a picture', 'text/plain')))];
    const sample = await startSample(limitsBy({ ...allMany, ...rules }), false, routes);
    t.after(() => sample.server.stop(1000));
    const see = async (email?: string) => {
      const headers = email === undefined ? {} : { authorization: `Basic ${btoa(`${email}:right`)}` };
      const answer = await fetch(`${sample.base}/picture`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    return { ...sample, see };
  };
  const accounts = await start({ account: few, files: few });
  const other = async () => (await fetch(`${accounts.base}/echo`, form({ content: 'x' }))).status;
  const email = 'ada@example.com';
  assert.deepEqual([await accounts.see(email), await accounts.see(email), await accounts.see(email)], [200, 200, 429]);
  assert.deepEqual([await other(), await other(), await other()], [200, 200, 429]);
  assert.equal(await accounts.see(), 200, 'anonymous requests from the same address have their own limit');
  const bots = ['one of b@example.com', 'another of b@example.com', 'one of b@example.com'];
  assert.deepEqual(
    [await accounts.see(bots[0]), await accounts.see(bots[1]), await accounts.see(bots[2])],
    [200, 200, 429],
  );

  const addresses = await start({ address: few, spectators: few, filesOfAddress: few });
  assert.deepEqual([await addresses.see(), await addresses.see(), await addresses.see()], [200, 200, 429]);
  assert.equal((await fetch(`${addresses.base}/raw`)).status, 200, 'other requests of spectators have their own limit');
  assert.equal(await addresses.see(email), 200);
});

// rules: spectators-10
test('requests without credentials have a limit per address, separate from those of users at the address', async (t) => {
  const sample = await start(t, limitsBy({ ...allMany, address: few, spectators: few }));
  const read = async (headers = {}) => (await fetch(`${sample.base}/raw`, { headers })).status;
  assert.deepEqual([await read(), await read(), await read()], [200, 200, 429]);
  assert.equal(await read({ authorization }), 200, 'users at the address have their own limit');
  assert.equal(await read({ authorization: 'Basic eDp5' }), 401);
});

/** Sends a request to a host that does not belong to the server, which `fetch` cannot do. */
function askAt(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/api/v1/raw', headers: { host }, agent: false });
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('requests to unknown organizations count per address, whatever the host', async (t) => {
  const sample = await start(t, limitsBy({ ...allMany, address: few }));
  const statuses = [];
  for (const host of ['nowhere.example.com', 'nowhere.example.org', 'nowhere.example.net']) {
    statuses.push(await askAt(sample.port, host));
  }
  assert.deepEqual(statuses, [404, 404, 429]);
});

test('the addresses of an IPv6 network share one limit', async (t) => {
  const sample = await startSample(limitsBy({ ...allMany, spectators: few }), true);
  t.after(() => sample.server.stop(1000));
  const from = async (address: string) =>
    (await fetch(`${sample.base}/raw`, { headers: { 'x-forwarded-for': address } })).status;
  assert.deepEqual(
    [await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3'), await from('2001:db8:0:1::1')],
    [200, 200, 429, 200],
  );
});

// rules: limits-9
test('all bots of one owner share a limit, separate from their owner’s and from those of others', async (t) => {
  const ask = await asBots(t, { bots: few });
  assert.deepEqual([await ask('one of a@example.com'), await ask('another of a@example.com')], [200, 200]);
  assert.equal(await ask('a third of a@example.com'), 429);
  assert.deepEqual([await ask('one of b@example.com'), await ask('a@example.com')], [200, 200]);
});

// rules: limits-9
test('a bot that exceeds its own limit does not block the other bots of its owner', async (t) => {
  const ask = await asBots(t, { account: few, bots: { ...few, requests: 3 } });
  const looping = 'one of a@example.com';
  assert.deepEqual([await ask(looping), await ask(looping)], [200, 200]);
  assert.deepEqual([await ask(looping), await ask(looping)], [429, 429]);
  assert.equal(await ask('another of a@example.com'), 200);
  assert.equal(await ask('a third of a@example.com'), 429, 'the owner has used the limit of all bots');
});

/** A function that sends a request with the credentials of an address, and returns the status. */
async function asBots(t: TestContext, rules: Partial<LimitRules>): Promise<(email: string) => Promise<number>> {
  const sample = await start(t, limitsBy({ ...allMany, ...rules }));
  return async (email) => {
    const init = form({ content: 'x' });
    const headers = { ...init.headers, authorization: `Basic ${btoa(`${email}:right`)}` };
    return (await fetch(`${sample.base}/echo`, { ...init, headers })).status;
  };
}
