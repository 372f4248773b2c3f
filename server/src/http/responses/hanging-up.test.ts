import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Sample, startSample } from '../../testing/server/sample-server.ts';

async function start(t: TestContext): Promise<Sample> {
  const sample = await startSample();
  t.after(() => sample.server.stop(1000));
  return sample;
}

test('the holder of a request is notified when its client hangs up, and may still respond afterwards', async (t) => {
  const sample = await start(t);
  const hangUp = new AbortController();
  const request = fetch(`${sample.base}/held`, { signal: hangUp.signal });
  const waiting = await sample.holder.next();
  hangUp.abort();
  await assert.rejects(request);
  await waiting.hungUp;
  waiting.answer();
});

test('a request whose response is ready before it is held gets that response', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  (await sample.holder.next()).answer();
  assert.equal((await request).status, 200);
  const atOnce = await fetch(`${sample.base}/held-no-longer`);
  assert.deepEqual([atOnce.status, await atOnce.json()], [200, { result: 'success', msg: '' }]);
  const failed = await fetch(`${sample.base}/held-in-vain`);
  assert.deepEqual([failed.status, ((await failed.json()) as { code: string }).code], [404, 'NONEXISTENT_SUBDOMAIN']);
});

test('a held request gets the usual headers, for success and for error', async (t) => {
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

test('a held request that fails gets a 500, and the server logs the error with its request', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  (await sample.holder.next()).fail();
  const answer = await request;
  assert.equal(answer.status, 500);
  assert.equal(((await answer.json()) as { code: string }).code, 'INTERNAL_SERVER_ERROR');
  const line =
    sample
      .logged()
      .split('\n')
      .find((line) => line.includes('the disk is on fire')) ?? '{}';
  const { reqId, method, path } = JSON.parse(line);
  assert.deepEqual([reqId, method, path], [answer.headers.get('x-request-id'), 'GET', '/api/v1/held']);
});

test('a request that is answered twice gets the first response, and its connection stays usable', async (t) => {
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

test('stop waits for pending requests, and then the server accepts nothing', async (t) => {
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

test('stop closes connections of requests that do not finish in time', async (t) => {
  const sample = await start(t);
  const request = fetch(`${sample.base}/held`);
  const refused = assert.rejects(request);
  const waiting = await sample.holder.next();
  await sample.server.stop(1);
  await refused;
  await waiting.hungUp;
});
