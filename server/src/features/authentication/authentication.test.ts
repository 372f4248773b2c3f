import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Organization } from '../../directory/organization.ts';
import { createUser, deactivateUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let root: Organization;

before(async () => {
  server = await startTestServer();
  root = await rootOf(server);
  await createUser(root, { email: 'Ada@example.com', fullName: 'Ada', password: 'correct horse' });
});
after(() => server.stop());

async function rootOf({ app }: TestServer): Promise<Organization> {
  const organization = await app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request without credentials. `host` selects the organization. */
function anonymous(to: TestServer, method: string, path: string, form: Record<string, string>, host = 'localhost') {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const outgoing = request(`${to.url}/api/v1${path}`, { method, headers }, async (incoming) => {
    const text = Buffer.concat(await incoming.toArray()).toString();
    resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) });
  });
  outgoing.on('error', reject);
  outgoing.end(new URLSearchParams(form).toString());
  return promise;
}

function logIn(username: string, password: string, host?: string): Promise<Answer> {
  return anonymous(server, 'POST', '/fetch_api_key', { username, password }, host);
}

describe('POST /fetch_api_key', () => {
  // rules: login-2
  test('exchanges a password for the API key of the account', async () => {
    const { status, body } = await logIn('ada@EXAMPLE.com', 'correct horse');
    assert.equal(status, 200);
    const user = root.directory.userByEmail('ada@example.com');
    assert.deepEqual([body.email, body.user_id], ['Ada@example.com', user?.id]);
    const credentials = Buffer.from(`${body.email}:${body.api_key}`).toString('base64');
    const self = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: `Basic ${credentials}` } });
    assert.equal(self.status, 200);
  });

  // rules: login-2
  test('a wrong password and an unknown account get the same response', async () => {
    await createUser(root, { email: 'keyonly@example.com', fullName: 'Key Only' });
    const answers = await Promise.all([
      logIn('ada@example.com', 'wrong horse'),
      logIn('nobody@example.com', 'correct horse'),
      logIn('not an address', 'correct horse'),
      logIn('keyonly@example.com', ''),
    ]);
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [401, 'AUTHENTICATION_FAILED']);
      assert.equal(body.msg, answers[0]?.body.msg);
    }
  });

  test('a password is valid only for its account in its organization', async () => {
    await server.organization('lab');
    assert.equal((await logIn('ada@example.com', 'correct horse', 'lab.localhost')).body.code, 'AUTHENTICATION_FAILED');
    assert.equal((await logIn('owner@lab.example.com', 'correct horse battery', 'lab.localhost')).status, 200);
    assert.equal((await logIn('owner@lab.example.com', 'correct horse battery')).body.code, 'AUTHENTICATION_FAILED');
  });

  test('a new password replaces the old one; the API key stays the same', async () => {
    const user = await createUser(root, { email: 'change@example.com', fullName: 'Cho', password: 'first password' });
    const before = (await logIn('change@example.com', 'first password')).body.api_key;
    await setPassword(root, user.id, 'second password');
    assert.equal((await logIn('change@example.com', 'first password')).status, 401);
    assert.equal((await logIn('change@example.com', 'second password')).body.api_key, before);
  });

  test('the response reveals that an account is deactivated only with the right password', async () => {
    const user = await createUser(root, { email: 'gone@example.com', fullName: 'Gone', password: 'correct horse' });
    await deactivateUser(server.app, root, user.id);
    assert.equal((await logIn('gone@example.com', 'wrong horse')).body.code, 'AUTHENTICATION_FAILED');
    const { status, body } = await logIn('gone@example.com', 'correct horse');
    assert.deepEqual([status, body.code], [401, 'USER_DEACTIVATED']);
  });

  test('username and password are required', async () => {
    const { status, body } = await anonymous(server, 'POST', '/fetch_api_key', { username: 'ada@example.com' });
    assert.deepEqual([status, body.code, body.var_name], [400, 'REQUEST_VARIABLE_MISSING', 'password']);
  });

  test('after ten failures for one account further attempts are refused; another account still logs in', async () => {
    const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
    try {
      const organization = await rootOf(limited);
      await createUser(organization, { email: 'other@example.com', fullName: 'Other', password: 'correct horse' });
      const attempt = (username: string, password: string) =>
        anonymous(limited, 'POST', '/fetch_api_key', { username, password });
      for (let i = 0; i < 10; i += 1) {
        assert.equal((await attempt('Owner@root.example.com', 'wrong')).body.code, 'AUTHENTICATION_FAILED');
      }
      const { status, body } = await attempt('owner@root.example.com', 'correct horse battery');
      assert.deepEqual([status, body.code], [429, 'RATE_LIMIT_HIT']);
      assert.equal((await attempt('other@example.com', 'correct horse')).status, 200);
    } finally {
      await limited.stop();
    }
  });
});

describe('POST /dev_fetch_api_key', () => {
  test('returns API keys only on a server with development login enabled', async () => {
    const { status, body } = await anonymous(server, 'POST', '/dev_fetch_api_key', { username: 'ada@example.com' });
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'DevAuthBackend not enabled.']);
  });

  test('there it needs no password, and reports unknown and deactivated accounts', async () => {
    const open = await startTestServer({ environment: { HEDDLE_DEV_LOGIN: '1' } });
    try {
      const organization = await rootOf(open);
      const gone = await createUser(organization, { email: 'gone@example.com', fullName: 'Gone' });
      await deactivateUser(open.app, organization, gone.id);
      const attempt = (username: string) => anonymous(open, 'POST', '/dev_fetch_api_key', { username });
      const { status, body } = await attempt('owner@root.example.com');
      assert.deepEqual([status, body.api_key, body.user_id], [200, open.owner.apiKey, open.owner.userId]);
      assert.equal((await attempt('gone@example.com')).body.code, 'USER_DEACTIVATED');
      assert.equal((await attempt('nobody@example.com')).body.code, 'AUTHENTICATION_FAILED');
    } finally {
      await open.stop();
    }
  });
});

describe('API keys and hosts', () => {
  // rules: login-1
  test('an API key is valid only for its own account and organization', async () => {
    const other = await server.user();
    const outsider = await server.organization('guild');
    const answer = await server.owner.call('GET', '/users/me', {}, basic(other.email, server.owner.apiKey));
    assert.deepEqual([answer.status, answer.body.code, answer.body.msg], [401, 'UNAUTHORIZED', 'Invalid API key']);
    assert.match(String(answer.headers['www-authenticate']), /^Basic/);
    for (const key of ['wrong', `${other.apiKey}x`, `${other.apiKey.slice(1)}-`, '']) {
      const { status, body } = await server.owner.call('GET', '/users/me', {}, basic(other.email, key));
      assert.deepEqual([status, body.code, body.msg], [401, 'UNAUTHORIZED', 'Malformed API key']);
    }
    assert.equal((await outsider.call('GET', '/users/me', {}, basic(other.email, other.apiKey))).status, 401);
    assert.equal((await server.owner.call('GET', '/users/me', {}, basic(outsider.email, outsider.apiKey))).status, 401);
  });

  test('a higher key version revokes the API key at once', async () => {
    const user = await server.user();
    await user.ok('GET', '/users/me');
    await root.transact('server', 'exclusive', async ({ db, directory, append }) => {
      const record = directory.user(user.userId);
      assert(record !== undefined);
      await db.updateTable('users').set({ api_key_version: 2 }).where('id', '=', user.userId).execute();
      const deltas = [{ delta: 'user', user: { ...record, apiKeyVersion: 2 } }];
      append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
    });
    await user.fails('GET', '/users/me', {}, 401);
  });

  test('an unknown subdomain and an unknown host get a clear 404 on every endpoint', async () => {
    for (const path of ['/server_settings', '/users/me']) {
      const unknown = await anonymous(server, 'GET', path, {}, 'nowhere.localhost');
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'NONEXISTENT_SUBDOMAIN']);
      assert.match(unknown.body.msg, /'nowhere'/);
      const foreign = await anonymous(server, 'GET', path, {}, 'chat.example.org');
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'NONEXISTENT_SUBDOMAIN']);
      assert.match(foreign.body.msg, /answers at localhost, not at 'chat.example.org'/);
    }
  });

  function basic(email: string, apiKey: string) {
    return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` };
  }
});
