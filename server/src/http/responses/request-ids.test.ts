import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import Type from 'typebox';
import { authorization, form, startSample } from '../../testing/server/sample-server.ts';
import { timeOfRequest } from '../../time-spent.ts';
import { routeFor } from '../requests/route.ts';

/** The id in the response to a request that brings this one. */
async function idFor(base: string, given: string, path = '/echo'): Promise<string | null> {
  const { headers, ...rest } = form({ content: 'x' });
  const response = await fetch(base + path, { ...rest, headers: { ...headers, 'x-request-id': given } });
  await response.arrayBuffer();
  return response.headers.get('x-request-id');
}

test('a trusted proxy names the request, and the log has the same id', async (t) => {
  const sample = await startSample('off', ['127.0.0.1']);
  t.after(() => sample.server.stop(1000));
  const id = '7d1f0a52-7a6c-4d0e-9b0e-0b7f0d3c1a11';
  assert.equal(await idFor(sample.base, id), id);
  assert.equal(await idFor(sample.base, id, '/unknown'), id);
  assert.ok(sample.logged().includes(`"reqId":"${id}"`));
});

test('an id of anybody else is replaced', async (t) => {
  for (const trusted of [false, ['10.0.0.0/8']]) {
    const sample = await startSample('off', trusted);
    t.after(() => sample.server.stop(1000));
    const given = await idFor(sample.base, 'forged');
    assert.match(given ?? '', /^[\w-]{8}-\w+$/);
  }
});

test('an id with other characters or of more than 128 characters is replaced, also from a trusted proxy', async (t) => {
  const sample = await startSample('off', true);
  t.after(() => sample.server.stop(1000));
  for (const given of ['two words', '"quoted"', 'a,b', 'x'.repeat(129)])
    assert.notEqual(await idFor(sample.base, given), given);
});

const slowEndpoint = defineEndpoint({
  operationId: 'slow',
  method: 'GET',
  path: '/slow',
  area: 'samples',
  summary: 'Takes time in two stages',
  authentication: 'required',
  parameters: {},
  errors: [],
  response: Type.Object({}),
});

const slow = routeFor<{ readonly name: string }, { readonly id: number }>()(slowEndpoint, {}, async () => {
  await null;
  timeOfRequest()?.add('database', 1_200);
  timeOfRequest()?.add('lock', 700);
  return {};
});

test('a slow request is logged with its id and the stages of its time, and others are not', async (t) => {
  const sample = await startSample('off', false, [slow], 0);
  t.after(() => sample.server.stop(1000));
  const response = await fetch(`${sample.base}/slow?secret=hidden`, { headers: { authorization } });
  const lines = sample
    .logged()
    .split('\n')
    .filter((line) => line.includes('a request was slow'));
  assert.equal(lines.length, 1);
  const { reqId, path, status, spent } = JSON.parse(lines[0] ?? '');
  assert.equal(reqId, response.headers.get('x-request-id'));
  assert.deepEqual({ path, status }, { path: '/api/v1/slow', status: 200 });
  assert.deepEqual({ database: spent.database, lock: spent.lock }, { database: 1_200, lock: 700 });
  assert.ok(!sample.logged().includes('hidden'));

  const fast = await startSample('off', false, [slow]);
  t.after(() => fast.server.stop(1000));
  await fetch(`${fast.base}/slow`, { headers: { authorization } });
  assert.ok(!fast.logged().includes('a request was slow'));
});

test('a flood of slow requests fills no log', async (t) => {
  const sample = await startSample('off', false, [slow], 0);
  t.after(() => sample.server.stop(1000));
  for (let sent = 0; sent < 30; sent += 1) await fetch(`${sample.base}/slow`, { headers: { authorization } });
  assert.equal(sample.logged().split('a request was slow').length - 1, 20);
});
