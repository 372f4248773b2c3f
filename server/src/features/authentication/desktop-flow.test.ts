import assert from 'node:assert/strict';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createUser, deactivateUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let made = 0;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const PASSWORD = 'correct horse battery';
const FINISH = '/accounts/login/subdomain/';

async function person(): Promise<{ readonly email: string; readonly id: number }> {
  made += 1;
  const email = `desk${made}@example.com`;
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  const { id } = await createUser(home, { email, fullName: `Desk ${made}`, password: PASSWORD });
  return { email, id };
}

/** Decodes the pasted data, as apps do. */
function decode(data: string, key: string): string {
  const bytes = Buffer.from(data, 'hex');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
}

/** Returns the token that an app decodes from the browser page. */
async function tokenOf(email: string, browser = new Visitor(server.url)): Promise<string> {
  const key = randomBytes(32).toString('hex');
  const { status, text } = await browser.logIn(email, PASSWORD, `?desktop_flow_otp=${key}`);
  assert.equal(status, 200, text);
  const [, data = ''] = /<input[^>]* value="([0-9a-f]+)"/.exec(text) ?? [];
  return decode(data, key);
}

const finish = (token: string, app = new Visitor(server.url), headers: Readonly<Record<string, string>> = {}) =>
  app.get(FINISH + token, headers);

// rules: login-8
test('a desktop app gets a session with the token from the browser, which gets no session', async () => {
  const { email, id } = await person();
  const browser = new Visitor(server.url);
  const key = 'ab'.repeat(32);
  const { text, headers } = await browser.logIn(email, PASSWORD, `?desktop_flow_otp=${key}`);
  assert.equal(browser.jar.get('sessionid'), undefined);
  assert.equal(headers['cache-control'], 'no-store');
  const [, data = ''] = /<input[^>]* value="([0-9a-f]+)"/.exec(text) ?? [];
  const token = decode(data, key);
  assert(!text.includes(token));
  const app = new Visitor(server.url);
  const { status, location } = await finish(token, app);
  assert.deepEqual([status, location], [303, '/']);
  assert.equal((await app.get('/json/users/me')).json.user_id, id);
});

// rules: login-8
test('the token is valid once, also for two concurrent requests', async () => {
  const { email } = await person();
  const token = await tokenOf(email);
  const answers = await Promise.all([finish(token), finish(token)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 400]);
  assert.equal((await finish(token)).status, 400);
});

// rules: login-8
test('the token is valid for five minutes, and until a newer one is issued', async () => {
  const { email, id } = await person();
  const old = await tokenOf(email);
  const token = await tokenOf(email);
  assert.equal((await finish(old)).status, 400);
  await sql`UPDATE desktop_logins SET created_at = now() - interval '6 minutes' WHERE user_id = ${id}`.execute(
    server.app.db,
  );
  assert.equal((await finish(token)).status, 400);
});

// rules: login-8
test('a password change and deactivation invalidate the token', async () => {
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  const [changed, closed] = [await person(), await person()];
  const tokens = [await tokenOf(changed.email), await tokenOf(closed.email)];
  await setPassword(home, changed.id, 'shuttle over warp');
  await deactivateUser(server.app, home, closed.id);
  for (const token of tokens) assert.equal((await finish(token)).status, 400);
});

// rules: login-8
test('the token is not valid in another organization', async () => {
  const { email } = await person();
  const token = await tokenOf(email);
  await server.organization('elsewhere');
  const elsewhere = new Visitor(server.url, `elsewhere.${new URL(server.url).host}`);
  assert.equal((await finish(token, elsewhere)).status, 400);
  assert.equal((await finish(token)).status, 303);
});

// rules: login-8
test('other sites cannot log a user in with their own token (session fixation)', async () => {
  const { email } = await person();
  const token = await tokenOf(email);
  for (const site of ['cross-site', 'same-site']) {
    assert.equal((await finish(token, new Visitor(server.url), { 'sec-fetch-site': site })).status, 400);
  }
  assert.equal((await finish(token, new Visitor(server.url), { 'sec-fetch-site': 'same-origin' })).status, 303);
});

// rules: login-8
test('an existing session is not enough for an app: the page asks for the password', async () => {
  const { email } = await person();
  const browser = new Visitor(server.url);
  await browser.logIn(email, PASSWORD);
  const { text } = await browser.get(`/login/?desktop_flow_otp=${'a'.repeat(64)}`);
  assert.match(text, /name="password"/);
});

// rules: login-8
test('an invalid key is refused, and so are keys for both kinds of app at once', async () => {
  const pad = 'a'.repeat(64);
  for (const query of ['desktop_flow_otp=', 'desktop_flow_otp=xyz', `desktop_flow_otp=${pad}0`]) {
    const { status, json } = await new Visitor(server.url).get(`/login/?${query}`, { accept: '*/*' });
    assert.deepEqual([status, json.msg], [400, 'Invalid OTP'], query);
  }
  const both = await new Visitor(server.url).get(`/login/?desktop_flow_otp=${pad}&mobile_flow_otp=${pad}`, {
    accept: '*/*',
  });
  assert.equal(both.json.msg, "Can't use both mobile_flow_otp and desktop_flow_otp together.");
});

test('guessed tokens are refused', async () => {
  for (const token of ['0'.repeat(32), 'x', '%00', '..%2F..', 'a'.repeat(150)]) {
    assert.equal((await finish(token)).status, 400, token);
  }
});
