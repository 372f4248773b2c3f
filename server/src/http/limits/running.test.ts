import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defineEndpoint, optional } from '@heddle/api/contract.ts';
import Type from 'typebox';
import { authorization, form, startSample } from '../../testing/server/sample-server.ts';
import { until } from '../../testing/server/until.ts';
import { file } from '../answers/answers.ts';
import { route } from '../requests/route.ts';
import { RequestSlots } from './running.ts';

const slow = defineEndpoint({
  operationId: 'be-slow',
  method: 'POST',
  path: '/slow',
  area: 'samples',
  summary: 'Takes its time',
  authentication: 'required',
  parameters: { text: optional(Type.String()) },
  response: Type.Object({}),
  errors: [],
});

const slowWithFile = defineEndpoint({
  ...slow,
  operationId: 'be-slow-with-file',
  path: '/slow-with-file',
  body: { takes: 'optional-file' },
});

/** Starts a server with an endpoint whose requests all wait until the test releases them. */
async function start(t: TestContext) {
  const begun: (() => void)[] = [];
  const wait = async () => {
    await new Promise<void>((resolve) => begun.push(resolve));
    return {};
  };
  const sample = await startSample('off', false, [
    route(slow, {}, wait),
    route(slowWithFile, { body: { maximumBytes: 100_000, withinSeconds: 60, maximumFields: 3 } }, wait),
  ]);
  t.after(() => sample.server.stop(1000));
  const ask = (credentials = authorization, init: RequestInit = {}) =>
    fetch(`${sample.base}/slow`, { method: 'POST', headers: { authorization: credentials }, ...init });
  const begin = (count: number) => until(() => begun.length >= count, `${count} requests to begin`);
  return { ...sample, begun, ask, begin };
}

const someoneElse = `Basic ${Buffer.from('a@example.com:right').toString('base64')}`;

// rules: limits-10
test('two requests per user run at once; further ones of the user wait, and those of others do not', async (t) => {
  const { begun, ask, begin } = await start(t);
  const many = Array.from({ length: 10 }, () => ask());
  await begin(2);
  const other = ask(someoneElse);
  await begin(3);
  assert.equal(begun.length, 3, 'the third belongs to the other user');
  for (let released = 0; released < 11; released += 1) {
    await begin(released + 1);
    begun[released]?.();
  }
  assert.deepEqual(new Set((await Promise.all([...many, other])).map(({ status }) => status)), new Set([200]));
});

// rules: limits-10
test('a form without a file waits as any other, also where a file is possible; a file does not wait', async (t) => {
  const { begun, ask, begin, base } = await start(t);
  const send = (body: URLSearchParams | FormData) =>
    fetch(`${base}/slow-with-file`, { method: 'POST', headers: { authorization }, body });
  const withText = new FormData();
  withText.set('text', 'x');
  const withFile = new FormData();
  withFile.set('file', new File(['x'], 'x.txt'));
  const first = [ask(), ask()];
  await begin(2);
  const forms = [send(new URLSearchParams({ text: 'x' })), send(withText)];
  const file = send(withFile);
  await begin(3);
  begun[2]?.();
  assert.equal((await file).status, 200, 'the third is the file');
  assert.equal(begun.length, 3);
  for (const release of begun) release();
  await Promise.all(first);
  await begin(5);
  for (const release of begun) release();
  for (const { status } of await Promise.all(forms)) assert.equal(status, 200);
});

test('a waiting request whose client hangs up is not executed', async (t) => {
  const { begun, ask, begin, server } = await start(t);
  const connections = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_, count) => resolve(count)));
  const first = Array.from({ length: 2 }, () => ask());
  await begin(2);
  const controller = new AbortController();
  const abandoned = ask(authorization, { signal: controller.signal });
  const next = ask();
  await until(async () => (await connections()) >= 4, 'four connections');
  controller.abort();
  await assert.rejects(abandoned);
  await until(async () => (await connections()) <= 3, 'the end of a connection');
  for (const letGo of begun) letGo();
  await Promise.all(first);
  await begin(3);
  begun[2]?.();
  assert.equal((await next).status, 200);
  assert.equal(begun.length, 3);
});

test('a refused request releases its slot like any other', async (t) => {
  const { ask, begin, begun, base } = await start(t);
  for (let time = 0; time < 10; time++) {
    const answer = await fetch(`${base}/echo`, { method: 'POST', headers: { authorization } });
    assert.equal(answer.status, 400);
  }
  const answered = ask();
  await begin(1);
  begun[0]?.();
  assert.equal((await answered).status, 200);
});

test('the number and total size of a user’s waiting requests are bounded', async () => {
  const { accounts } = new RequestSlots();
  const MEGABYTE = 1024 * 1024;
  const first = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  const run = (account: string, bytes: number, end = others) => accounts.run(account, () => end.promise, bytes);
  const all = [run('a', 4 * MEGABYTE, first), run('a', 4 * MEGABYTE)];
  for (let time = 0; time < 4; time++) all.push(run('a', 4 * MEGABYTE));
  await assert.rejects(run('a', 1), { code: 'RATE_LIMIT_HIT', extra: { 'retry-after': 1 } });
  all.push(run('b', 4 * MEGABYTE));
  first.resolve();
  await all[0];
  all.push(run('a', 1));
  for (let time = 0; time < 1996; time++) all.push(run('a', 0));
  await assert.rejects(run('a', 0), { code: 'RATE_LIMIT_HIT' });
  others.resolve();
  await Promise.all(all);
  assert.equal(accounts.size, 0);
});

// rules: spectators-10
test('spectators run one request per address and two in total; others wait, and users do not', async () => {
  const slots = new RequestSlots();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (network: string) => {
    const work = async () => {
      begun.push(network);
      await new Promise<void>((resolve) => ends.push(resolve));
    };
    return slots.runForSpectator(network, work, 0);
  };
  const all = ['a', 'a', 'b', 'c'].map(enter);
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b']);
  assert.equal(await slots.accounts.run('account', async () => 'begun'), 'begun');
  ends[1]?.();
  await nextTurn();
  assert.deepEqual(begun.slice(2), ['c']);
  ends[0]?.();
  await nextTurn();
  assert.deepEqual(begun.slice(3), ['a']);
  for (const end of ends) end();
  await Promise.all(all);
});

// rules: limits-9
test('two requests of all bots of one owner run at once, in addition to the owner’s own', async (t) => {
  const { begun, ask, begin } = await start(t);
  const as = (email: string) => ask(`Basic ${Buffer.from(`${email}:right`).toString('base64')}`);
  const bots = ['one', 'another', 'a third'].map((name) => as(`${name} of a@example.com`));
  await begin(2);
  const owner = as('a@example.com');
  await begin(3);
  assert.equal(begun.length, 3, 'the third belongs to the owner');
  for (let released = 0; released < 4; released += 1) {
    await begin(released + 1);
    begun[released]?.();
  }
  for (const { status } of await Promise.all([...bots, owner])) assert.equal(status, 200);
});

const slowFile = defineEndpoint({
  ...slow,
  operationId: 'get-slow-file',
  method: 'GET',
  path: '/slow-file',
  parameters: {},
  response: { kind: 'file', contentTypes: ['*/*'] },
});

// rules: limits-11
test('slow file downloads delay other files of the same user, but not their other requests', async (t) => {
  const opened: Readable[] = [];
  const source = {
    size: 1000,
    version: '1',
    contentType: 'text/plain',
    open: () => {
      const content = new Readable({ read: () => undefined });
      opened.push(content);
      return content;
    },
  };
  const sample = await startSample('off', false, [route(slowFile, { limit: 'files' }, () => file(source))]);
  t.after(() => sample.server.stop(1000));
  const see = (credentials = authorization) =>
    fetch(`${sample.base}/slow-file`, { headers: { authorization: credentials } }).then((answer) => answer.text());
  const begin = (count: number) => until(() => opened.length >= count, `${count} downloads to begin`);
  const many = Array.from({ length: 10 }, () => see());
  await begin(8);
  assert.equal((await fetch(`${sample.base}/echo`, form({ content: 'x' }))).status, 200);
  assert.equal(opened.length, 8, 'the other downloads wait');
  const other = see(someoneElse);
  await begin(9);
  for (let sent = 0; sent < 11; sent += 1) {
    await begin(sent + 1);
    opened[sent]?.push('x'.repeat(1000));
    opened[sent]?.push(null);
  }
  for (const text of await Promise.all([...many, other])) assert.equal(text.length, 1000);
});

// rules: limits-11
test('a storage that does not open files delays no other request of the same user', async (t) => {
  const opened: ((content: Readable) => void)[] = [];
  const source = {
    size: 4,
    version: '1',
    contentType: 'text/plain',
    open: () => new Promise<Readable>((resolve) => opened.push(resolve)),
  };
  const sample = await startSample('off', false, [route(slowFile, { limit: 'files' }, () => file(source))]);
  t.after(() => sample.server.stop(1000));
  const files = Array.from({ length: 3 }, () => fetch(`${sample.base}/slow-file`, { headers: { authorization } }));
  await until(() => opened.length >= files.length, 'three downloads to begin');
  assert.equal((await fetch(`${sample.base}/echo`, form({ content: 'x' }))).status, 200);
  for (const give of opened) give(Readable.from(['warp']));
  for (const answer of await Promise.all(files)) assert.equal(await answer.text(), 'warp');
});
