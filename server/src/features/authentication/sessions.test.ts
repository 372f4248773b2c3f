import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { setPassword } from '../../domain/accounts/accounts/actions.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const PASSWORD = 'correct horse battery';
const PATH = '/users/me/sessions';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';

let server: TestServer;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_TRUST_PROXY: '1' } });
});
after(() => server.stop());

async function person(): Promise<TestClient> {
  const someone = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await setPassword(organization, someone.userId, PASSWORD);
  return someone;
}

interface From {
  readonly userAgent: string;
  readonly address: string;
}

/** The headers of a browser, as a proxy passes them on. */
function headersOf({ userAgent, address }: From) {
  return { 'user-agent': userAgent, 'x-forwarded-for': address };
}

async function loggedIn({ email }: TestClient, from: From): Promise<Visitor> {
  const browser = new Visitor(server.url);
  await browser.get('/login/');
  const { status } = await browser.submit('/login/', { username: email, password: PASSWORD }, headersOf(from));
  assert.equal(status, 303);
  return browser;
}

async function sessionsIn(browser: Visitor, headers = {}): Promise<Json[]> {
  const { status, json } = await browser.get(`/json${PATH}`, headers);
  assert.equal(status, 200);
  return json.sessions;
}

async function ends(browser: Visitor, path: string) {
  await browser.get('/accounts/sessions/');
  return browser.send('DELETE', `/json${path}`, {}, { 'x-csrftoken': browser.csrfToken });
}

/** The next use of each session is noted. */
async function ageSessionsOf({ userId }: TestClient): Promise<void> {
  await sql`UPDATE sessions SET used_at = now() - interval '61 minutes' WHERE user_id = ${userId}`.execute(
    server.app.db,
  );
}

const shown = (sessions: readonly Json[]) =>
  sessions.map(({ browser, system, network, is_current }) => [browser, system, network, is_current]);

// rules: login-20
test('the list of sessions names the browser, the system and the network of each, and marks the own one', async () => {
  const ada = await person();
  await loggedIn(ada, { userAgent: SAFARI, address: '2001:db8:1:2:3:4:5:6' });
  const office = await loggedIn(ada, { userAgent: FIREFOX, address: '203.0.113.7' });
  const sessions = await sessionsIn(office);
  assert.deepEqual(shown(sessions), [
    ['Firefox', 'Linux', '203.0.113.7', true],
    ['Safari', 'iOS', '2001:db8:1:2::/64', false],
  ]);
  for (const { created_at: created, last_used_at: used } of sessions) assert(created > 0 && used >= created);
  const { text } = await office.get('/accounts/sessions/');
  assert.match(text, /This browser<\/strong>, since [^<]*<br>Firefox on Linux from 203\.0\.113\.7</);
  assert.match(text, /Another browser, since [^<]*<br>Safari on iOS from 2001:db8:1:2::\/64</);
  // A program has no session. A list without a current one is the same for it.
  const ofProgram = (await ada.ok('GET', PATH)).sessions;
  assert.deepEqual(
    ofProgram.map(({ is_current: isCurrent }: Json) => isCurrent),
    [false, false],
  );
});

// rules: login-20
test('an unknown program has no names, and nothing of its User-Agent is shown', async () => {
  const ada = await person();
  const browser = await loggedIn(ada, { userAgent: '<b>odd</b> 1.0', address: '203.0.113.7' });
  assert.deepEqual(shown(await sessionsIn(browser)), [[null, null, '203.0.113.7', true]]);
  const { text } = await browser.get('/accounts/sessions/');
  assert.match(text, /<br>an unknown program on an unknown system from 203\.0\.113\.7</);
});

// rules: login-20
test('a session notes at most once an hour what it was used with, and where', async () => {
  const ada = await person();
  const browser = await loggedIn(ada, { userAgent: FIREFOX, address: '203.0.113.7' });
  const from = headersOf({ userAgent: EDGE, address: '198.51.100.9' });
  const [before] = await sessionsIn(browser, from);
  assert.deepEqual(shown([before]), [['Firefox', 'Linux', '203.0.113.7', true]]);
  await ageSessionsOf(ada);
  const version = async () => {
    const { rows } = await sql<{ xmin: string }>`SELECT xmin FROM sessions WHERE user_id = ${ada.userId}`.execute(
      server.app.db,
    );
    return rows[0]?.xmin;
  };
  const old = await version();
  assert.deepEqual(shown(await sessionsIn(browser, from)), [['Edge', 'Windows', '198.51.100.9', true]]);
  const noted = await version();
  assert.notEqual(noted, old);
  await sessionsIn(browser, headersOf({ userAgent: SAFARI, address: '192.0.2.1' }));
  assert.equal(await version(), noted);
  // A page that everyone can open notes it as well.
  for (const path of ['/accounts/sessions/', '/login/', '/integrations/']) {
    await ageSessionsOf(ada);
    await browser.get(path, headersOf({ userAgent: SAFARI, address: '192.0.2.1' }));
    assert.deepEqual(shown(await sessionsIn(browser)), [['Safari', 'iOS', '192.0.2.1', true]], path);
    await ageSessionsOf(ada);
    await sessionsIn(browser, from);
  }
  // Nothing of the use before stays beside it.
  await ageSessionsOf(ada);
  const odd = headersOf({ userAgent: 'odd 1.0', address: '192.0.2.1' });
  assert.deepEqual(shown(await sessionsIn(browser, odd)), [[null, null, '192.0.2.1', true]]);
});

// rules: login-20
test('sessions that have ended by themselves are not listed', async () => {
  const ada = await person();
  const from = { userAgent: FIREFOX, address: '203.0.113.7' };
  const browser = await loggedIn(ada, from);
  const list = async () => (await sessionsIn(browser)).map(({ session_id: id }) => id);
  const [own] = await list();
  for (const [age, isListed] of [
    [{ used_at: '89 days', created_at: '399 days' }, true],
    [{ used_at: '91 days', created_at: '91 days' }, false],
    [{ used_at: '1 minute', created_at: '401 days' }, false],
  ] as const) {
    await loggedIn(ada, from);
    const other = (await list()).find((id) => id !== own);
    assert.notEqual(other, undefined);
    await sql`
      UPDATE sessions SET used_at = now() - ${age.used_at}::interval, created_at = now() - ${age.created_at}::interval
       WHERE user_id = ${ada.userId} AND substring(token_hash FOR 12) = ${Buffer.from(other, 'base64url')}`.execute(
      server.app.db,
    );
    assert.equal((await list()).includes(other), isListed, JSON.stringify(age));
    await sql`DELETE FROM sessions WHERE user_id = ${ada.userId} AND created_at < now() - interval '1 day'`.execute(
      server.app.db,
    );
  }
});

// rules: login-21
test('a user ends one session or all others, and nobody else ends them', async () => {
  const [ada, bob] = [await person(), await person()];
  const from = { userAgent: FIREFOX, address: '203.0.113.7' };
  const [first, second, third] = [await loggedIn(ada, from), await loggedIn(ada, from), await loggedIn(ada, from)];
  const ofBob = await loggedIn(bob, from);
  const { session_id: id } = (await sessionsIn(second)).find(({ is_current: isCurrent }) => isCurrent);
  for (const foreign of [`${PATH}/${id}`, `${PATH}/nothing`, `${PATH}/${'A'.repeat(16)}`]) {
    const { status, json } = await ends(ofBob, foreign);
    assert.deepEqual([status, json.msg], [404, 'Session does not exist'], foreign);
  }
  assert.equal((await sessionsIn(second)).length, 3);
  assert.equal((await ends(first, `${PATH}/${id}`)).status, 200);
  assert.equal((await ends(first, `${PATH}/${id}`)).status, 404);
  assert.equal((await second.get(`/json${PATH}`)).status, 401);
  assert.equal((await sessionsIn(third)).length, 2);
  assert.equal((await ends(first, PATH)).status, 200);
  assert.equal((await third.get(`/json${PATH}`)).status, 401);
  assert.deepEqual(shown(await sessionsIn(first)), [['Firefox', 'Linux', '203.0.113.7', true]]);
  assert.equal((await sessionsIn(ofBob)).length, 1);
  // A program has no session to keep.
  await ada.ok('DELETE', PATH);
  assert.equal((await first.get(`/json${PATH}`)).status, 401);
  assert.deepEqual((await ada.ok('GET', PATH)).sessions, []);
});
