import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act, createElement } from 'react';
import { emptyRoots } from '../../testing/empty-root.ts';
import { type Response, useResponse } from './use-response.ts';

const emptyRoot = emptyRoots();

/** Mounts a component that loads by key. `requests` are those that it has sent; the test responds to them. */
async function mounted() {
  const requests: { readonly key: string; readonly response: PromiseWithResolvers<string> }[] = [];
  const seen: { response?: Response<string> } = {};
  function Reader({ name }: { name: string }) {
    seen.response = useResponse(name, () => {
      const response = Promise.withResolvers<string>();
      requests.push({ key: name, response });
      return response.promise;
    });
    return null;
  }
  const root = emptyRoot();
  const render = (name: string) => root.render(createElement(Reader, { name }));
  await render('a');
  const respond = (index: number, value: string) => act(async () => requests[index]?.response.resolve(value));
  const state = () => ({ value: seen.response?.value, error: seen.response?.error });
  return { requests, seen, render, respond, state };
}

test('it loads with each new key only', async () => {
  const { requests, render, respond, state } = await mounted();
  await render('a');
  await respond(0, 'of a');
  assert.deepEqual(state(), { value: 'of a', error: undefined });
  await render('b');
  assert.deepEqual(
    requests.map(({ key }) => key),
    ['a', 'b'],
  );
  assert.equal(state().value, 'of a');
  await respond(1, 'of b');
  assert.equal(state().value, 'of b');
});

test('a late response of an earlier key is dropped, also when the key is back', async () => {
  const { render, respond, state } = await mounted();
  await render('b');
  await render('a');
  await respond(0, 'old a');
  await respond(1, 'old b');
  assert.equal(state().value, undefined);
  await respond(2, 'new a');
  assert.equal(state().value, 'new a');
});

test('a failure keeps the value, and a reload ends it', async () => {
  const { requests, seen, respond, state } = await mounted();
  await respond(0, 'first');
  const failure = new Error('offline');
  await act(async () => seen.response?.reload());
  await act(async () => requests[1]?.response.reject(failure));
  assert.deepEqual(state(), { value: 'first', error: failure });
  await act(async () => seen.response?.reload());
  await respond(2, 'second');
  assert.deepEqual(state(), { value: 'second', error: undefined });
});
