import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Sample, startSample } from '../testing/sample-server.ts';

async function start(t: TestContext): Promise<Sample> {
  const sample = await startSample();
  t.after(() => sample.server.stop(1000));
  return sample;
}

test('who holds a request hears that its client has hung up, and may answer nobody afterwards', async (t) => {
  const sample = await start(t);
  const hangUp = new AbortController();
  const request = fetch(`${sample.base}/held`, { signal: hangUp.signal });
  const waiting = await sample.holder.next();
  hangUp.abort();
  await assert.rejects(request);
  await waiting.hungUp;
  waiting.answer();
});

test('a request whose answer is there before it is held is answered all the same', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  (await sample.holder.next()).answer();
  assert.equal((await request).status, 200);
  const atOnce = await fetch(`${sample.base}/held-no-longer`);
  assert.deepEqual([atOnce.status, await atOnce.json()], [200, { result: 'success', msg: '' }]);
  const failed = await fetch(`${sample.base}/held-in-vain`);
  assert.deepEqual([failed.status, ((await failed.json()) as { code: string }).code], [404, 'NONEXISTENT_SUBDOMAIN']);
});

test('what was held is answered with the headers that every answer has, whether it is a success or an error', async (t) => {
  const sample = await start(t);
  const usual = await fetch(`${sample.base}/users/1`);
  const request = fetch(`${sample.base}/held`);
  (await sample.holder.next()).answer();
  for (const answer of [await request, await fetch(`${sample.base}/held-in-vain`)]) {
    assert.deepEqual([...answer.headers.keys()], [...usual.headers.keys()]);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(answer.headers.get('cache-control'), usual.headers.get('cache-control'));
    assert.notEqual(answer.headers.get('x-request-id'), usual.headers.get('x-request-id'));
  }
});

test('what was held and fails is an internal error for its client, and told to the operator with its request', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  (await sample.holder.next()).fail();
  const answer = await request;
  assert.equal(answer.status, 500);
  assert.equal(((await answer.json()) as { code: string }).code, 'INTERNAL_SERVER_ERROR');
  const told =
    sample
      .logged()
      .split('\n')
      .find((line) => line.includes('the disk is on fire')) ?? '{}';
  const { reqId, method, path } = JSON.parse(told);
  assert.deepEqual([reqId, method, path], [answer.headers.get('x-request-id'), 'GET', '/api/v1/held']);
});

test('of what is answered twice the client hears the first, and its connection serves it further', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  const waiting = await sample.holder.next();
  waiting.answer();
  waiting.fail();
  waiting.answer();
  const answer = await request;
  assert.deepEqual([answer.status, await answer.json()], [200, { result: 'success', msg: '' }]);
  assert.equal((await fetch(`${sample.base}/users/1`)).status, 200);
});

test('stopping lets requests in flight finish, then nothing is accepted', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  const waiting = await sample.holder.next();
  const stopped = sample.server.stop(60_000);
  waiting.answer();
  const response = await request;
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('connection'), 'close');
  await stopped;
  await assert.rejects(fetch(`${sample.base}/users/1`));
});

test('stopping cuts off what does not finish in time', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  const refused = assert.rejects(request);
  const waiting = await sample.holder.next();
  await sample.server.stop(1);
  await refused;
  await waiting.hungUp;
});
