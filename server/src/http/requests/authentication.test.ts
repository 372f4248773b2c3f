import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { authorization, startSample } from '../../testing/server/sample-server.ts';
import { credentialsOf } from './authentication.ts';

const sample = await startSample();
after(() => sample.server.stop(1000));

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(sample.base + path, init);

// rules: login-1
test('missing, malformed and wrong credentials get a 401 with a challenge', async () => {
  const cases: readonly (readonly [header: string | undefined, message: string])[] = [
    [undefined, 'Not logged in: API authentication or user session required'],
    ['Bearer abc', 'This endpoint requires HTTP basic authentication.'],
    ['Basic', 'Invalid authorization header for basic auth'],
    ['Basic !!!!', 'Invalid authorization header for basic auth'],
    [`Basic ${Buffer.from('no colon').toString('base64')}`, 'Invalid authorization header for basic auth'],
    [`Basic ${Buffer.from('a:b:c').toString('base64')}`, 'Invalid authorization header for basic auth'],
    [`Basic ${Buffer.from('a\0@example.com:right').toString('base64')}`, 'Invalid authorization header for basic auth'],
    [`Basic ${Buffer.from('iago@example.com:wrong').toString('base64')}`, 'Invalid API key'],
  ];
  for (const [header, msg] of cases) {
    const headers = header === undefined ? {} : { authorization: header };
    const response = await get('/echo', { method: 'POST', headers });
    assert.equal(response.status, 401, msg);
    assert.equal(response.headers.get('www-authenticate'), 'Basic realm="zulip"');
    assert.deepEqual(await response.json(), { result: 'error', msg, code: 'UNAUTHORIZED' });
  }
});

test('the authentication scheme ignores case', async () => {
  const response = await get('/raw', { headers: { authorization: authorization.replace('Basic', 'bASIC') } });
  assert.equal(((await response.json()) as { known: boolean }).known, true);
});

// rules: users-14
test('a deactivated user gets USER_DEACTIVATED', async () => {
  const credentials = Buffer.from('gone@example.com:right').toString('base64');
  const response = await get('/echo', { method: 'POST', headers: { authorization: `Basic ${credentials}` } });
  assert.equal(response.status, 401);
  assert.deepEqual(await response.json(), {
    result: 'error',
    msg: 'Account is deactivated',
    code: 'USER_DEACTIVATED',
  });
});

test('an endpoint with optional credentials still refuses wrong ones', async () => {
  const response = await get('/raw', { headers: { authorization: 'Basic eDp5' } });
  assert.equal(response.status, 401);
});

test('decoded credentials are cached, except for very long headers', () => {
  const header = (key: string) => `Basic ${Buffer.from(`iago@example.com:${key}`).toString('base64')}`;
  // Equal strings that are not the same object.
  const asked = (key: string) => [credentialsOf(header(key)), credentialsOf(header(key))] as const;
  const [one, again] = asked('k'.repeat(100));
  assert.equal(one, again);
  const [long, longAgain] = asked('k'.repeat(1000));
  assert.notEqual(long, longAgain);
  assert.deepEqual(long, longAgain);
});
