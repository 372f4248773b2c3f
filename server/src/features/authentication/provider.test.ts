import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createUser, deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { Visitor, type VisitorAnswer } from '../../testing/clients/visitor.ts';
import { mailsOf } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from '../../testing/services/login-provider.ts';

const EMAIL = 'owner@root.example.com';
const LOGIN = '/accounts/login/social/oidc';

let provider: TestProvider;
let server: TestServer;

before(async () => {
  provider = await startProvider();
  server = await startTestServer({
    environment: {
      HEDDLE_OIDC_ISSUER: provider.issuer,
      HEDDLE_OIDC_CLIENT_ID: CLIENT_ID,
      HEDDLE_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      HEDDLE_OIDC_NAME: 'The Loom',
    },
  });
  provider.allow(`${server.url}/complete/oidc/`);
});
after(async () => {
  await server.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.person = { email: EMAIL, email_verified: true, name: 'Olive Owner' };
});

const visitor = () => new Visitor(server.url);

/**
 * Follows the redirects from the server through the provider. Returns the path to which the provider redirects back.
 */
async function atProvider(location: string): Promise<string> {
  const jar = new Map<string, string>();
  let next = location;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    await response.arrayBuffer();
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const to = response.headers.get('location');
    assert(to !== null, `the provider responded with ${response.status}`);
    next = new URL(to, next).href;
    if (next.startsWith(server.url)) return next.slice(server.url.length);
  }
  throw new Error('the provider does not redirect back');
}

async function logIn(someone: Visitor, query = '', path = LOGIN): Promise<VisitorAnswer> {
  const { status, location } = await someone.get(path + query);
  assert.equal(status, 302);
  return someone.get(await atProvider(location));
}

const isIn = async (someone: Visitor) => (await someone.get('/json/users/me')).status === 200;
const invited = (isRequired: boolean) => server.owner.ok('PATCH', '/realm', { invite_required: isRequired });

// rules: login-10
test('server settings list the provider, and the login page links to it with its parameters', async () => {
  const { external_authentication_methods: ways, authentication_methods: methods } = await server.owner.ok(
    'GET',
    '/server_settings',
  );
  assert.deepEqual(ways, [
    {
      name: 'oidc:provider',
      display_name: 'The Loom',
      display_icon: null,
      login_url: LOGIN,
      signup_url: '/accounts/register/social/oidc',
    },
  ]);
  assert.equal(methods['openid connect'], true);
  const { text } = await visitor().get(`/login/?next=/api/docs/`);
  assert.match(
    text,
    /<a class="button quiet" href="\/accounts\/login\/social\/oidc\?next=%2Fapi%2Fdocs%2F">Log in with The Loom</,
  );
});

test('each authorization request has a new state, nonce and PKCE challenge', async () => {
  const seen = new Set<string | null>();
  for (let count = 0; count < 2; count += 1) {
    const { searchParams: query } = new URL((await visitor().get(LOGIN)).location);
    for (const name of ['state', 'nonce', 'code_challenge']) seen.add(query.get(name));
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.equal(query.get('redirect_uri'), `${server.url}/complete/oidc/`);
  }
  assert.equal(seen.size, 6);
});

// rules: login-10
test('a user with an address that the provider verified logs in to the account with that address', async () => {
  const someone = visitor();
  const { status, location } = await logIn(someone, '?next=/api/docs/');
  assert.deepEqual([status, location], [303, '/api/docs/']);
  assert.equal((await someone.get('/json/users/me')).json.user_id, server.owner.userId);
  assert.equal(someone.jar.get('oidc'), undefined);
});

// rules: login-10
test('a mobile app gets its API key', async () => {
  const someone = visitor();
  const { location } = await logIn(someone, `?mobile_flow_otp=${'0'.repeat(64)}`);
  const url = new URL(location);
  assert.equal(url.protocol, 'zulip:');
  const key = Buffer.from(url.searchParams.get('otp_encrypted_api_key') ?? '', 'hex').toString();
  assert.equal(key, server.owner.apiKey);
  assert.equal(await isIn(someone), false);
});

// rules: login-8
test('a desktop app opens the browser for the login, and logs in with the token from there', async () => {
  const app = visitor();
  const desktop = { 'user-agent': 'ZulipElectron/5.12.0 (Linux)' };
  const PASTE = '/accounts/login/desktop/';
  const shown = await app.get(LOGIN, desktop);
  assert.equal(shown.status, 200);
  const choice = /accounts\/language\/\?language=de&amp;next=%2Faccounts%2Flogin%2Fsocial%2Foidc%3F"/;
  assert.match(shown.text, choice);
  const [, query = ''] =
    /<a [^>]*href="\/accounts\/login\/social\/oidc(\?desktop_flow_otp=[0-9a-f]{64})"/.exec(shown.text) ?? [];
  const browser = visitor();
  const { status, text } = await logIn(browser, query);
  assert.equal(status, 200);
  assert.equal(await isIn(browser), false);
  const [, token = ''] = /<input[^>]* value="([0-9a-f]+)"/.exec(text) ?? [];
  const changed = token.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  for (const wrong of ['', 'x', '0'.repeat(200), changed]) {
    const refused = await app.submit(PASTE, { token: wrong });
    assert.equal(refused.status, 400, wrong);
    assert.match(refused.text, choice);
  }
  const otherApp = visitor();
  await otherApp.get(LOGIN, desktop);
  assert.equal((await otherApp.submit(PASTE, { token })).status, 400, 'the token belongs to the other app');
  const pasted = await app.submit(PASTE, { token: ` ${token}\n` });
  assert.deepEqual([pasted.status, pasted.location], [303, '/']);
  assert.equal((await app.get('/json/users/me')).json.user_id, server.owner.userId);
  assert.equal((await new Visitor(server.url).send('POST', PASTE, { token })).status, 403);
});

test('an unverified address does not log in', async () => {
  for (const verified of [false, undefined, 'true', 1]) {
    provider.person = { email: EMAIL, ...(verified !== undefined && { email_verified: verified }) };
    const someone = visitor();
    const { status, text } = await logIn(someone);
    assert.equal(status, 400);
    assert.match(text, /did not tell who you are/);
    assert.equal(await isIn(someone), false);
  }
});

// rules: login-10
test('a new user needs an invitation, or gets an account if the realm requires none', async () => {
  provider.person = { email: 'new@example.com', email_verified: true, name: 'New Comer' };
  const refused = await logIn(visitor(), '', '/accounts/register/social/oidc');
  assert.equal(refused.status, 400);
  assert.match(refused.text, /invite you/);
  assert.match(refused.text, /language=de&amp;next=%2Flogin%2F"/, 'the choice of the language leads to a new login');
  await invited(false);
  try {
    const someone = visitor();
    assert.equal((await logIn(someone, '', '/accounts/register/social/oidc')).status, 303);
    const { json } = await someone.get('/json/users/me');
    assert.deepEqual([json.full_name, json.delivery_email, json.role], ['New Comer', 'new@example.com', 400]);
  } finally {
    await invited(true);
  }
});

test('a new user gets the language of the browser', async () => {
  provider.person = { email: 'neu@example.com', email_verified: true, name: 'Neue' };
  await invited(false);
  try {
    const someone = visitor();
    const { location } = await someone.get('/accounts/register/social/oidc');
    await someone.get(await atProvider(location), { 'accept-language': 'de-AT, en;q=0.5' });
    const newcomer = await server.sameUser({ email: 'neu@example.com' } as TestClient);
    const { user_settings } = await newcomer.ok('POST', '/register', { fetch_event_types: ['user_settings'] });
    assert.equal(user_settings.default_language, 'de');
  } finally {
    await invited(true);
  }
});

test('a deactivated account cannot log in', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { id } = await createUser(organization, { email: 'gone@example.com', fullName: 'Gone' });
  await deactivateUser(server.app, organization, id);
  provider.person = { email: 'gone@example.com', email_verified: true };
  const someone = visitor();
  assert.match((await logIn(someone)).text, /deactivated/);
  assert.equal(await isIn(someone), false);
});

test('another browser cannot finish a login, also with a login of its own under way (login CSRF)', async () => {
  const attacker = visitor();
  const back = await atProvider((await attacker.get(LOGIN)).location);
  const victim = visitor();
  assert.equal((await victim.get(back)).status, 400);
  assert.equal(await isIn(victim), false);
  await victim.get(LOGIN);
  assert.equal((await victim.get(back)).status, 400, 'with its own login under way');
  assert.equal(await isIn(victim), false);
});

test('a provider response is valid once', async () => {
  const someone = visitor();
  const back = await atProvider((await someone.get(LOGIN)).location);
  const cookie = someone.jar.get('oidc') ?? '';
  assert.equal((await someone.get(back)).status, 303);
  const again = visitor();
  again.jar.set('oidc', cookie);
  assert.equal((await again.get(back)).status, 400);
  assert.equal(await isIn(again), false);
});

test('forged codes and states, invalid cookies and errors of the provider do not log in', async () => {
  for (const query of ['', '?code=x', '?state=x&code=x', '?error=access_denied', '?state=x&error=access_denied']) {
    const someone = visitor();
    await someone.get(LOGIN);
    assert.equal((await someone.get(`/complete/oidc/${query}`)).status, 400, query);
  }
  for (const cookie of ['x', btoa('null'), btoa('{"state":"x"}'), btoa('[]')]) {
    const someone = visitor();
    someone.jar.set('oidc', cookie);
    assert.equal((await someone.get('/complete/oidc/?state=x&code=x')).status, 400, cookie);
  }
  const someone = visitor();
  const { searchParams } = new URL((await someone.get(LOGIN)).location);
  const forged = await someone.get(`/complete/oidc/?state=${searchParams.get('state')}&code=forged`);
  assert.equal(forged.status, 400);
});

test('the login does not redirect to another site (open redirect)', async () => {
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example']) {
    const { location } = await logIn(visitor(), `?${new URLSearchParams({ next })}`);
    assert.equal(location, '/', next);
  }
});

test('an unreachable provider yields a 503 without an endless wait', async () => {
  const away = await startTestServer({
    environment: {
      HEDDLE_OIDC_ISSUER: 'http://localhost:1',
      HEDDLE_OIDC_CLIENT_ID: CLIENT_ID,
      HEDDLE_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    },
  });
  try {
    const { status, text } = await new Visitor(away.url).get(LOGIN);
    assert.equal(status, 503);
    assert.match(text, /Temporarily unavailable/);
  } finally {
    await away.stop();
  }
});

/** Creates an invitation link of the owner. Returns the path at the provider that the link's page offers. */
async function withLink(fields: Fields, someone = visitor()): Promise<{ path: string; someone: Visitor }> {
  const { invite_link: link } = await server.owner.ok('POST', '/invites/multiuse', fields);
  const { text } = await someone.get(new URL(link).pathname);
  const [, path = ''] = /<a class="button quiet" href="([^"]*)">Sign up with The Loom</.exec(text) ?? [];
  return { path, someone };
}

const newcomer = (name: string) => {
  provider.person = { email: `${name}@example.com`, email_verified: true, name };
};
const accountNamed = async (name: string) =>
  (await server.owner.ok('GET', '/users')).members.find(({ full_name }: Json) => full_name === name);

// rules: login-17
test('a user who opens an invitation link and returns from the provider gets what the invitation says', async () => {
  await invited(true);
  const channel = await server.emptyChannel(server.owner, 'shuttles', { invite_only: true });
  await server.owner.ok('POST', '/user_groups/create', { name: 'spinners', description: '', members: [] });
  const { user_groups: groups } = await server.owner.ok('GET', '/user_groups');
  const { id: group } = groups.find(({ name }: Json) => name === 'spinners');
  const { path, someone } = await withLink({ invite_as: 300, stream_ids: [channel], group_ids: [group] });
  assert.match(path, /^\/accounts\/register\/social\/oidc\?multiuse_object_key=[a-z2-7]{32}$/);
  newcomer('Linked');
  assert.equal((await logIn(someone, '', path)).status, 303);
  const { user_id: id, role } = await accountNamed('Linked');
  assert.equal(role, 300);
  assert.deepEqual((await server.owner.ok('GET', `/streams/${channel}/members`)).subscribers.includes(id), true);
  assert.deepEqual((await server.owner.ok('GET', `/user_groups/${group}/members`)).members, [id]);
  assert(await isIn(someone));
});

// rules: login-17
test('a user invited by email is recognized by address, and the invitation is used up', async () => {
  await invited(true);
  await server.owner.ok('POST', '/invites', {
    invitee_emails: 'Mailed@example.com',
    stream_ids: [],
    invite_as: 600,
  });
  newcomer('Mailed');
  const answers = await Promise.all([logIn(visitor()), logIn(visitor())]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  assert.equal((await accountNamed('Mailed')).role, 600);
  const { invites } = await server.owner.ok('GET', '/invites');
  assert(!invites.some(({ email }: Json) => email === 'Mailed@example.com'));
});

// rules: login-17
test('revoked links, links of another organization, and invitations to another address are refused', async () => {
  await invited(true);
  const elsewhere = await server.organization('elsewhere');
  const { invite_link: theirs } = await elsewhere.ok('POST', '/invites/multiuse', { invite_as: 100 });
  await server.owner.ok('POST', '/invites/multiuse');
  const { path } = await withLink({});
  const { invites } = await server.owner.ok('GET', '/invites');
  for (const { id, is_multiuse: isLink } of invites)
    if (isLink) await server.owner.ok('DELETE', `/invites/multiuse/${id}`);
  await server.owner.ok('POST', '/invites', { invitee_emails: 'somebody@example.com', stream_ids: [] });
  const mail = (await mailsOf(server)).findLast(({ to }) => to === 'somebody@example.com');
  newcomer('Nobody');
  const keys = [new URL(theirs).pathname.split('/').at(-2), mail?.path.split('/').at(-1), 'x'];
  const register = '/accounts/register/social/oidc';
  for (const one of [path, ...keys.map((key) => `${register}?multiuse_object_key=${key}`)]) {
    assert.equal((await logIn(visitor(), '', one)).status, 400, one);
  }
  assert.equal(await accountNamed('Nobody'), undefined);
});

// rules: login-17
test('an invitation does not admit an address outside the realm’s domains, and neither does an open realm', async () => {
  const { path } = await withLink({});
  await invited(false);
  await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: true });
  try {
    newcomer('Outside');
    assert.equal((await logIn(visitor(), '', path)).status, 400);
    assert.equal((await logIn(visitor())).status, 400);
    assert.equal(await accountNamed('Outside'), undefined);
  } finally {
    await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: false });
    await invited(true);
  }
});

// rules: login-17
test('a provider login takes over an account that somebody signed up by link with the same address', async () => {
  await invited(true);
  const { invite_link: link } = await server.owner.ok('POST', '/invites/multiuse');
  const squatter = visitor();
  const password = 'a bobbin too many in here';
  const page = new URL(link).pathname;
  await squatter.get(page);
  const fields = { full_name: 'Squatter', email: 'claimed@example.com', password };
  const { status, text } = await squatter.submit(page, fields);
  assert(status < 400, text);
  const before = await (
    await fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'claimed@example.com', password }),
    })
  ).json();
  const someone = visitor();
  newcomer('claimed');
  assert.equal((await logIn(someone)).status, 303);
  assert.equal((await someone.get('/json/users/me')).json.user_id, before.user_id);
  assert(!(await isIn(squatter)), 'the squatter’s session still works');
  const answer = await fetch(`${server.url}/api/v1/users/me`, {
    headers: { authorization: `Basic ${btoa(`claimed@example.com:${before.api_key}`)}` },
  });
  assert.equal(answer.status, 401, 'the squatter’s key still works');
  const again = await fetch(`${server.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'claimed@example.com', password }),
  });
  assert.equal(again.status, 401, 'the squatter’s password still works');
  assert.equal((await logIn(visitor())).status, 303);
  assert(await isIn(someone), 'the owner’s second login ended the first session');
});
