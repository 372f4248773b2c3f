import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { parseDocument } from 'htmlparser2';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { createUser, deactivateUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import { MAX_SESSIONS_PER_ACCOUNT } from '../../domain/credentials/sessions.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const PASSWORD = 'correct horse';
const SESSIONS = '/accounts/sessions/';
const APP = '/';

let server: TestServer;
let root: Organization;
let made = 0;

before(async () => {
  server = await startTestServer();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  root = organization;
});
after(() => server.stop());

async function person(): Promise<UserRecord> {
  made += 1;
  return createUser(root, { email: `person${made}@example.com`, fullName: `Person ${made}`, password: PASSWORD });
}

const visitor = () => new Visitor(server.url);

async function loggedIn(user: UserRecord): Promise<Visitor> {
  const someone = visitor();
  const { status, location } = await someone.logIn(user.deliveryEmail, PASSWORD);
  assert.deepEqual([status, location], [303, APP]);
  return someone;
}

const isIn = async (someone: Visitor) => (await someone.get('/json/users/me')).status === 200;

describe('the login page', () => {
  // rules: login-9
  test('shows the name, the icon and the description of the organization', async () => {
    await server.owner.ok('PATCH', '/realm', { description: 'We **weave** <i>cloth</i>.' });
    const { text } = await visitor().get('/login/');
    assert.match(text, /<p class="of">Organization<\/p>/);
    assert.match(text, /We <strong>weave<\/strong> &lt;i&gt;cloth&lt;\/i&gt;/);
    const [, icon = ''] = /<img src="([^"]+)"/.exec(text) ?? [];
    assert.equal((await fetch(server.url + icon)).status, 200);
    await server.owner.ok('PATCH', '/realm', { description: '' });
  });

  test('is served at both addresses, and loads nothing from other sites', async () => {
    for (const path of ['/login/', '/accounts/login/']) {
      const { status, headers, text } = await visitor().get(path);
      assert.equal(status, 200);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /form-action 'self'; script-src/);
      assert.match(policy, /frame-ancestors 'none'/);
      const [, script = ''] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
      assert(policy.includes(`script-src 'sha256-${hash('sha256', script, 'base64')}'`));
      assert.doesNotMatch(policy, /unsafe|script-src[^;]*'self'/);
      assert.doesNotMatch(text.replace('<script>', ''), /<script|style=|onclick/i);
      assert.doesNotThrow(() => parseDocument(text));
      const [style = ''] = /\/static\/pages\/[^"]*/.exec(text) ?? [];
      const sheet = await visitor().get(style);
      assert.deepEqual([sheet.status, sheet.headers['content-type']], [200, 'text/css; charset=utf-8']);
      assert.match(String(sheet.headers['cache-control']), /immutable/);
    }
  });

  // rules: login-11
  test('starts a session that is valid for the API under /json but not under /api/v1', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    const own = await someone.get('/json/users/me');
    assert.deepEqual([own.status, own.json.user_id], [200, user.id]);
    const api = await someone.get('/api/v1/users/me');
    assert.deepEqual([api.status, api.json.code], [401, 'UNAUTHORIZED']);
  });

  test('credentials are not valid under /json, and browsers do not prompt for them', async () => {
    const { email, apiKey } = server.owner;
    const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;
    const { status, headers, json } = await visitor().get('/json/users/me', { authorization });
    assert.deepEqual([status, json.code], [401, 'UNAUTHORIZED']);
    assert.equal(json.msg, 'Not logged in: API authentication or user session required');
    assert.match(String(headers['www-authenticate']), /^Session /);
  });

  test('sets cookies for its host only, and scripts cannot read the session cookie', async () => {
    const someone = visitor();
    const { cookies } = await someone.logIn((await person()).deliveryEmail, PASSWORD);
    const session = cookies.find((cookie) => cookie.startsWith('sessionid=')) ?? '';
    assert.match(session, /; HttpOnly/);
    assert.match(session, /; SameSite=Lax/);
    assert.match(session, /; Path=\//);
    assert.doesNotMatch(session, /Domain|Secure/);
  });

  test('on an HTTPS server the cookies are Secure and have the __Host- prefix', async () => {
    const secure = await startTestServer({ environment: { HEDDLE_URL: 'https://localhost' } });
    try {
      const someone = new Visitor(secure.url);
      const { cookies } = await someone.get('/login/');
      assert.match(cookies[0] ?? '', /^__Host-csrftoken=[^;]+;.*Path=\/.*Secure/);
      const fields = { username: 'owner@root.example.com', password: 'correct horse battery' };
      const refused = await someone.submit('/login/', fields);
      assert.equal(refused.status, 403, 'a form from a plain HTTP page is refused');
      await someone.get('/login/');
      const let_in = await someone.submit('/login/', fields, { origin: `https://${someone.host}` });
      assert.equal(let_in.status, 303);
      assert.match(let_in.cookies.find((cookie) => cookie.startsWith('__Host-sessionid=')) ?? '', /; Secure/);
    } finally {
      await secure.stop();
    }
  });

  test('shows the error in one alert, and keeps the user name but never the password', async () => {
    const { deliveryEmail } = await person();
    const { status, text } = await visitor().logIn(deliveryEmail, 'wrong "<horse>');
    assert.equal(status, 400);
    assert.match(text, /role="alert"/);
    assert.match(text, /<title>Error: /);
    assert(text.includes(`value="${deliveryEmail}"`));
    assert(!text.includes('horse'));
  });

  test('marks the empty field', async () => {
    const { text } = await visitor().logIn((await person()).deliveryEmail, '');
    assert.match(text, /<a href="#password">/);
    assert.match(text, /<input id="password"[^>]* aria-invalid="true" aria-describedby="password-problem"/);
  });

  test('redirects a user who is logged in', async () => {
    const someone = await loggedIn(await person());
    assert.deepEqual((await someone.get('/login/?next=/api/docs/')).location, '/api/docs/');
  });

  test('refuses old apps with a message', async () => {
    const { status, text } = await visitor().get('/login/', { 'user-agent': 'ZulipElectron/4.0.0' });
    assert.equal(status, 400);
    assert.match(text, /too old/);
  });
});

describe('sessions', () => {
  test('are stored as hashes of their tokens', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    const rows = await server.app.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
    const token = someone.jar.get('sessionid') ?? '';
    assert.deepEqual(
      rows.map((row) => row.token_hash.toString('hex')),
      [hash('sha256', token)],
    );
  });

  // rules: login-13
  test('a login starts a new one, whatever token the browser had before (session fixation)', async () => {
    const attacker = await loggedIn(await person());
    const planted = attacker.jar.get('sessionid') ?? '';
    const victim = visitor();
    victim.jar.set('sessionid', planted);
    await victim.get('/accounts/sessions/');
    const user = await person();
    victim.jar.set('sessionid', 'a'.repeat(43));
    await victim.logIn(user.deliveryEmail, PASSWORD);
    assert.notEqual(victim.jar.get('sessionid'), 'a'.repeat(43));
    attacker.jar.set('sessionid', 'a'.repeat(43));
    assert.equal(await isIn(attacker), false);
    assert.equal((await victim.get('/json/users/me')).json.user_id, user.id);
  });

  test('a login ends the browser’s previous one', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    const before = someone.jar.get('sessionid') ?? '';
    someone.jar.delete('sessionid');
    const again = visitor();
    await again.get('/login/');
    // The page redirects logged-in users, but they can still submit the form of an older page.
    again.jar.set('sessionid', before);
    await again.get('/accounts/sessions/');
    const { status } = await again.send('POST', '/login/', {
      username: user.deliveryEmail,
      password: PASSWORD,
      csrfmiddlewaretoken: again.csrfToken,
    });
    assert.equal(status, 303);
    someone.jar.set('sessionid', before);
    assert.equal(await isIn(someone), false);
    assert.equal(await isIn(again), true);
  });

  // rules: login-12
  test('logging out ends this one and no other', async () => {
    const user = await person();
    const [here, there] = [await loggedIn(user), await loggedIn(user)];
    const token = here.jar.get('sessionid') ?? '';
    await here.get(SESSIONS);
    const { status, location, headers } = await here.submit('/accounts/logout/');
    assert.deepEqual([status, location, here.jar.get('sessionid')], [303, '/login/', undefined]);
    assert.equal(headers['clear-site-data'], '"cache", "storage"');
    here.jar.set('sessionid', token);
    assert.deepEqual([await isIn(here), await isIn(there)], [false, true]);
  });

  // rules: login-12
  test('logging out everywhere ends all of the account and none of other accounts', async () => {
    const user = await person();
    const other = await loggedIn(await person());
    const [here, there] = [await loggedIn(user), await loggedIn(user)];
    await here.get(SESSIONS);
    await here.submit('/accounts/logout/everywhere/');
    assert.deepEqual([await isIn(here), await isIn(there), await isIn(other)], [false, false, true]);
  });

  // rules: login-12
  test('end when the password changes', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    await setPassword(root, user.id, 'another horse');
    assert.equal(await isIn(someone), false);
  });

  // rules: login-12
  test('end when the account is deactivated, and its rows are deleted', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    await deactivateUser(server.app, root, user.id);
    const { status, json } = await someone.get('/json/users/me');
    assert.deepEqual([status, json.code], [401, 'UNAUTHORIZED']);
    const left = await server.app.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
    assert.deepEqual(left, []);
  });

  // rules: login-13
  test('are valid in one organization only', async () => {
    await server.organization('elsewhere');
    const someone = await loggedIn(await person());
    const elsewhere = new Visitor(server.url, someone.host.replace('localhost', 'elsewhere.localhost'));
    for (const [name, value] of someone.jar) elsewhere.jar.set(name, value);
    assert.equal(await isIn(elsewhere), false);
    assert.equal((await elsewhere.get(SESSIONS)).status, 302);
    assert.equal(await isIn(someone), true);
  });

  // rules: login-12
  test('expire after three months without use, and after 400 days', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    const make = (used_at: Date, created_at: Date) =>
      server.app.db.updateTable('sessions').set({ used_at, created_at }).where('user_id', '=', user.id).execute();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    await make(daysAgo(91), daysAgo(100));
    assert.equal(await isIn(someone), false);
    await make(daysAgo(1), daysAgo(401));
    assert.equal(await isIn(someone), false);
    await make(daysAgo(89), daysAgo(399));
    assert.equal(await isIn(someone), true);
    const row = await server.app.db
      .selectFrom('sessions')
      .select('used_at')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    assert(row.used_at > daysAgo(1), 'the request updates used_at');
  });

  test('an account has a bounded number of them: a new one ends the least recently used', async () => {
    const user = await person();
    const first = await loggedIn(user);
    await server.app.db
      .updateTable('sessions')
      .set({ used_at: new Date(Date.now() - 60_000) })
      .where('user_id', '=', user.id)
      .execute();
    for (let count = 1; count < MAX_SESSIONS_PER_ACCOUNT; count += 1) await loggedIn(user);
    assert.equal(await isIn(first), true);
    await loggedIn(user);
    assert.equal(await isIn(first), false);
  });

  test('an invalid token is refused', async () => {
    for (const token of ['', 'x', '%00'.repeat(10), 'é'.repeat(43), 'a'.repeat(5000)]) {
      const someone = visitor();
      someone.jar.set('sessionid', encodeURIComponent(token));
      const { status, json } = await someone.get('/json/users/me');
      assert.deepEqual([status, json.code], [401, 'UNAUTHORIZED'], token);
    }
  });
});

describe('the redirect after a login', () => {
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil',
    ' /x',
    '/x\r\nSet-Cookie: a=b',
    '/%0d%0a/../\n',
    '',
    '@evil.example',
  ];

  // rules: login-13
  test('is never to another site, whatever the link says (open redirect)', async () => {
    const user = await person();
    for (const next of elsewhere) {
      const { status, location } = await visitor().logIn(
        user.deliveryEmail,
        PASSWORD,
        `?${new URLSearchParams({ next })}`,
      );
      assert.equal(status, 303, next);
      assert.equal(location, APP, next);
      const someone = await loggedIn(user);
      const again = await someone.get(`/login/?${new URLSearchParams({ next })}`);
      assert.equal(again.location, APP, next);
    }
  });

  // rules: login-13
  test('cannot add headers (header injection)', async () => {
    const user = await person();
    const next = '/ok?x=%0d%0aSet-Cookie:%20evil=1';
    const { location, cookies } = await visitor().logIn(
      user.deliveryEmail,
      PASSWORD,
      `?${new URLSearchParams({ next })}`,
    );
    assert.equal(location, next);
    assert(!cookies.some((cookie) => cookie.startsWith('evil')));
  });

  test('goes to the path of the link', async () => {
    const user = await person();
    const next = '/accounts/sessions/?a=1&b=ü#part';
    const { location } = await visitor().logIn(user.deliveryEmail, PASSWORD, `?${new URLSearchParams({ next })}`);
    assert.equal(location, '/accounts/sessions/?a=1&b=%C3%BC#part');
  });
});

describe('forms', () => {
  // rules: login-13
  test('are refused without a token, with a wrong one, and with another browser’s (CSRF)', async () => {
    const user = await person();
    const fields = { username: user.deliveryEmail, password: PASSWORD };
    const other = visitor();
    await other.get('/login/');
    const tokens = [{}, { csrfmiddlewaretoken: '' }, { csrfmiddlewaretoken: other.csrfToken }];
    for (const token of tokens) {
      const someone = visitor();
      await someone.get('/login/');
      const { status, text } = await someone.send('POST', '/login/', { ...fields, ...token });
      assert.equal(status, 403);
      assert.match(text, /<h1>This form has expired/);
      assert.equal(someone.jar.get('sessionid'), undefined);
    }
    const cookieless = visitor();
    const { status } = await cookieless.send('POST', '/login/', { ...fields, csrfmiddlewaretoken: other.csrfToken });
    assert.equal(status, 403, 'without a cookie');
  });

  test('are refused from other sites, also with the right token', async () => {
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://evil.localhost' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    const user = await person();
    for (const headers of foreign) {
      const someone = visitor();
      await someone.get('/login/');
      const { status } = await someone.submit('/login/', { username: user.deliveryEmail, password: PASSWORD }, headers);
      assert.equal(status, 403, JSON.stringify(headers));
    }
  });

  test('the token of an earlier session is not valid for a later one', async () => {
    const user = await person();
    const someone = await loggedIn(user);
    await someone.get(SESSIONS);
    const before = someone.csrfToken;
    await someone.submit('/accounts/logout/');
    await someone.logIn(user.deliveryEmail, PASSWORD);
    const { status } = await someone.send('POST', '/accounts/logout/', { csrfmiddlewaretoken: before });
    assert.equal(status, 403);
    assert.equal(await isIn(someone), true);
  });
});

describe('writing with a session', () => {
  const snippet = { title: 'a', content: 'b' };

  // rules: login-11
  test('requires the CSRF token, in a header or in a field', async () => {
    const someone = await loggedIn(await person());
    const bare = await someone.send('POST', '/json/saved_snippets', snippet);
    assert.deepEqual([bare.status, bare.json.code, bare.json.reason], [403, 'CSRF_FAILED', 'CSRF token missing.']);
    const wrong = await someone.send('POST', '/json/saved_snippets', snippet, { 'x-csrftoken': 'x'.repeat(43) });
    assert.deepEqual([wrong.status, wrong.json.code], [403, 'CSRF_FAILED']);
    const token = someone.jar.get('csrftoken') ?? '';
    const right = await someone.send('POST', '/json/saved_snippets', snippet, { 'x-csrftoken': token });
    assert.equal(right.status, 200);
    const inField = await someone.send('POST', '/json/saved_snippets', { ...snippet, csrfmiddlewaretoken: token });
    assert.deepEqual([inField.status, inField.json.ignored_parameters_unsupported], [200, undefined]);
    const id = right.json.saved_snippet_id;
    assert.equal((await someone.send('DELETE', `/json/saved_snippets/${id}`, undefined)).status, 403);
  });

  test('is refused from another site, also with the right token', async () => {
    const someone = await loggedIn(await person());
    const token = someone.jar.get('csrftoken') ?? '';
    const headers = { 'x-csrftoken': token, origin: 'https://evil.example' };
    assert.equal((await someone.send('POST', '/json/saved_snippets', snippet, headers)).status, 403);
  });

  test('a session gives access to events and the rest of the API', async () => {
    const someone = await loggedIn(await person());
    const headers = { 'x-csrftoken': someone.jar.get('csrftoken') ?? '' };
    const { json } = await someone.send('POST', '/json/register', { event_types: ['message'] }, headers);
    const poll = await someone.get(`/json/events?queue_id=${json.queue_id}&last_event_id=-1&dont_block=true`);
    assert.equal(poll.status, 200);
  });

  test('programs without cookies need no CSRF token', async () => {
    await server.owner.ok('POST', '/saved_snippets', snippet);
  });
});

describe('responses of the login page', () => {
  // rules: login-13
  test('are the same for unknown and deactivated accounts, wrong passwords, and accounts without a password (enumeration)', async () => {
    const user = await person();
    await createUser(root, { email: 'keyonly@example.com', fullName: 'Key Only' });
    const gone = await person();
    await deactivateUser(server.app, root, gone.id);
    const answers = await Promise.all(
      [user.deliveryEmail, 'nobody@example.com', 'keyonly@example.com', gone.deliveryEmail].map(async (username) => {
        const someone = visitor();
        const { status, text, headers } = await someone.logIn(username, 'wrong horse');
        const body = text.replaceAll(username, 'NAME').replaceAll(someone.csrfToken, 'TOKEN');
        return { status, body, headers: Object.keys(headers).toSorted() };
      }),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });

  test('reveal a deactivated account to a user with its password', async () => {
    const gone = await person();
    await deactivateUser(server.app, root, gone.id);
    assert.match((await visitor().logIn(gone.deliveryEmail, PASSWORD)).text, /deactivated/);
  });

  test('after ten failures, including those of the API, the page refuses further attempts with a message', async () => {
    const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
    try {
      const username = 'owner@root.example.com';
      const someone = new Visitor(limited.url);
      for (let count = 0; count < 5; count += 1) {
        assert.equal((await someone.logIn(username, 'wrong')).status, 400);
        await limited.spectator.call('POST', '/fetch_api_key', { username, password: 'wrong' });
      }
      const { status, text, headers } = await someone.logIn(username, 'correct horse battery');
      assert.equal(status, 429);
      assert.match(text, /Too many attempts/);
      assert(Number(headers['retry-after']) > 0);
    } finally {
      await limited.stop();
    }
  });
});
