import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { defineEndpoint, required } from '@heddle/api/contract.ts';
import { serviceUnavailable, unauthorized } from '@heddle/api/errors.ts';
import Type from 'typebox';
import { type Sample, startSample } from '../../testing/server/sample-server.ts';
import { page } from '../answers/answers.ts';
import { route } from '../requests/route.ts';
import { defaultLimitRules, type LimitRule, type LimitRules, limitsBy } from './limits.ts';

const few: LimitRule = { requests: 2, windowSeconds: 60 };

const byDirectory = defineEndpoint({
  operationId: 'log-in-by-directory',
  method: 'POST',
  path: '/login-by-directory',
  area: 'samples',
  summary: 'Logs in with a directory that can fail',
  authentication: 'none',
  parameters: { username: required(Type.String()), password: required(Type.String()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED'],
});
const byPage = defineEndpoint({
  ...byDirectory,
  operationId: 'log-in-by-page',
  path: '/login-by-page',
  response: { kind: 'page' },
});

/** Logs in at a path and returns the status. */
type LogIn = (path: string, username: string, password: string) => Promise<number>;

async function start(t: TestContext, rules: Partial<LimitRules>): Promise<LogIn> {
  const account = ({ username }: { readonly username: string }) => username;
  const sample: Sample = await startSample(limitsBy({ ...defaultLimitRules, ...rules }), false, [
    route(byDirectory, { limit: 'login', account }, ({ parameters: { password } }) => {
      if (password === 'directory is down') throw serviceUnavailable('The directory is not available');
      if (password === 'disk is broken') throw new Error('the disk is broken');
      if (password !== 'right') throw unauthorized('no');
      return {};
    }),
    route(byPage, { limit: 'login', account }, ({ parameters }) => page('', { status: Number(parameters.password) })),
  ]);
  t.after(() => sample.server.stop(1000));
  return async (path, username, password) => {
    const body = new URLSearchParams({ username, password });
    return (await fetch(`${sample.base}/${path}`, { method: 'POST', body })).status;
  };
}

// rules: limits-13
test('failed logins are limited per account, and a success clears them', async (t) => {
  const logIn = await start(t, { loginAccount: few });
  assert.equal(await logIn('login', 'a', 'wrong'), 401);
  assert.equal(await logIn('login', 'a', 'right'), 200);
  assert.equal(await logIn('login', 'a', 'wrong'), 401);
  assert.equal(await logIn('login', 'A ', 'wrong'), 401);
  assert.equal(await logIn('login', 'a', 'right'), 429);
  assert.equal(await logIn('login', 'b', 'right'), 200);
});

// rules: limits-13
test('spellings that find the same account share its limit', async (t) => {
  const logIn = await start(t, { loginAccount: few });
  const spellings = ['KI', '\u212ai', 'k\u0130', ' k\u00adi\u200b', '\uff4bi', 'k  i'];
  assert.equal(await logIn('login', 'ki', 'wrong'), 401);
  assert.equal(await logIn('login', spellings[0] ?? '', 'wrong'), 401);
  for (const spelling of spellings)
    assert.equal(await logIn('login', spelling, 'right'), 429, JSON.stringify(spelling));
  assert.equal(await logIn('login', 'kia', 'right'), 200);
});

// rules: limits-13
test('failed logins are limited per address over all accounts', async (t) => {
  const logIn = await start(t, { loginAddress: few });
  assert.equal(await logIn('login', 'a', 'right'), 200);
  assert.equal(await logIn('login', 'a', 'wrong'), 401);
  assert.equal(await logIn('login', 'b', 'wrong'), 401);
  assert.equal(await logIn('login', 'c', 'right'), 429);
});

// rules: limits-13
test('a failure of the server counts neither for the account nor for the address', async (t) => {
  const logIn = await start(t, { loginAccount: few, loginAddress: few });
  for (let time = 0; time < 3; time += 1) {
    assert.equal(await logIn('login-by-directory', 'a', 'directory is down'), 503);
    assert.equal(await logIn('login-by-directory', 'a', 'disk is broken'), 500);
    assert.equal(await logIn('login-by-page', 'a', '503'), 503);
  }
  assert.equal(await logIn('login-by-directory', 'a', 'wrong'), 401);
  assert.equal(await logIn('login-by-directory', 'a', 'wrong'), 401);
  assert.equal(await logIn('login-by-directory', 'a', 'right'), 429);
});

// rules: limits-13
test('a page with an error status below 500 is a failed login', async (t) => {
  const logIn = await start(t, { loginAccount: few });
  assert.equal(await logIn('login-by-page', 'a', '400'), 400);
  assert.equal(await logIn('login-by-page', 'a', '400'), 400);
  assert.equal(await logIn('login-by-page', 'a', '200'), 429);
});

// rules: limits-13
test('an attempt that the limit of the account refuses does not count for the address', async (t) => {
  const logIn = await start(t, { loginAccount: { ...few, requests: 1 }, loginAddress: few });
  assert.equal(await logIn('login', 'a', 'wrong'), 401);
  for (let time = 0; time < 3; time += 1) assert.equal(await logIn('login', 'a', 'wrong'), 429);
  assert.equal(await logIn('login', 'b', 'wrong'), 401, 'the address has one attempt left');
  assert.equal(await logIn('login', 'c', 'right'), 429);
});
