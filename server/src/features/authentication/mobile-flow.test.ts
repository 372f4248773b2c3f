import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { appAddress } from './mobile-flow.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const USERNAME = 'owner@root.example.com';
const PASSWORD = 'correct horse battery';

/** Decodes as apps do: XOR of two hexadecimal strings, digit by digit, read as ASCII. */
function decode(encrypted: string, pad: string): string {
  const digits = Array.from(encrypted, (digit, index) =>
    (Number.parseInt(digit, 16) ^ Number.parseInt(pad[index] ?? '', 16)).toString(16),
  );
  return Buffer.from(digits.join(''), 'hex').toString('latin1');
}

// rules: login-7
test('an app can decode the API key in the address', () => {
  const address = appAddress({ url: 'https://chat.example', email: 'a@b', userId: 7, apiKey: '5af4' }, '13579bdf');
  assert.equal(
    address,
    'zulip://login?realm=https%3A%2F%2Fchat.example&email=a%40b&otp_encrypted_api_key=2636fdeb&user_id=7',
  );
});

for (const path of ['/login/', '/accounts/login/']) {
  // rules: login-7
  test(`a login at ${path} with a pad redirects to the app with an API key, and the browser gets no session`, async () => {
    const pad = randomBytes(32).toString('hex');
    const visitor = new Visitor(server.url);
    const { headers } = await visitor.get(`${path}?mobile_flow_otp=${pad}`);
    assert.match(String(headers['content-security-policy']), /form-action 'self' zulip:/);
    const { status, location } = await visitor.submit('/login/', { username: USERNAME, password: PASSWORD });
    assert.equal(status, 303);
    const url = new URL(location);
    assert.deepEqual([url.protocol, url.host], ['zulip:', 'login']);
    const { realm, email, user_id, otp_encrypted_api_key } = Object.fromEntries(url.searchParams);
    assert.deepEqual([realm, email, user_id], [server.url, USERNAME, String(server.owner.userId)]);
    const key = decode(otp_encrypted_api_key ?? '', pad);
    assert.equal(key, server.owner.apiKey);
    assert(!location.includes(key));
    assert.equal(visitor.jar.get('sessionid'), undefined);
  });
}

test('an existing session gives an app no key: the page asks for the password', async () => {
  const visitor = new Visitor(server.url);
  await visitor.logIn(USERNAME, PASSWORD);
  const { status, text } = await visitor.get(`/login/?mobile_flow_otp=${'a'.repeat(64)}`);
  assert.equal(status, 200);
  assert.match(text, /name="password"/);
});

test('a wrong password gives an app no key, and the page keeps the pad', async () => {
  const visitor = new Visitor(server.url);
  const pad = 'ab'.repeat(32);
  const { status, text } = await visitor.logIn(USERNAME, 'wrong', `?mobile_flow_otp=${pad}`);
  assert.equal(status, 400);
  assert(text.includes(`name="mobile_flow_otp" value="${pad}"`));
});

test('an invalid pad is refused', async () => {
  for (const pad of ['', 'a', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(64)}\n`]) {
    const visitor = new Visitor(server.url);
    const query = new URLSearchParams({ mobile_flow_otp: pad });
    const { status, json } = await visitor.get(`/login/?${query}`, { accept: '*/*' });
    assert.deepEqual([status, json.msg], [400, 'Invalid OTP'], pad);
  }
});
