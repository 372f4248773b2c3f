import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createUser, deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { TestAnswer, TestClient } from '../../testing/clients/client.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { startSlapd, type TestDirectory, withoutSlapd } from '../../testing/services/slapd.ts';

const PEOPLE = [
  { uid: 'ada', cn: 'Ada Lovelace', mail: 'ada@example.com', password: 'analytical engine' },
  { uid: 'babbage', cn: 'Charles Babbage', mail: 'babbage@example.com', password: 'difference engine' },
  { uid: 'gone', cn: 'Gone', mail: 'gone@example.com', password: 'gone engine' },
  { uid: 'nomail', cn: 'No Mail', password: 'no engine' },
  { uid: 'linked', cn: 'Linked', mail: 'linked@example.com', password: 'linked engine' },
  { uid: 'mailed', cn: 'Mailed', mail: 'mailed@example.com', password: 'mailed engine' },
  { uid: 'noether', cn: 'Emmy Noether', mail: 'noether@example.com', password: 'invariants' },
  { uid: 'odd(*)', cn: 'Odd', mail: 'odd@example.com', password: 'odd engine' },
];

describe('LDAP logins', { skip: withoutSlapd }, () => {
  let directory: TestDirectory;
  let server: TestServer;

  before(async () => {
    directory = await startSlapd(PEOPLE);
    server = await startTestServer({
      environment: {
        HEDDLE_LDAP_URL: directory.url,
        HEDDLE_LDAP_BASE: directory.base,
        HEDDLE_LDAP_BIND_DN: directory.bindDn,
        HEDDLE_LDAP_BIND_PASSWORD: directory.bindPassword,
        HEDDLE_LDAP_FILTER: '(|(uid={username})(mail={username}))',
      },
    });
  });
  after(async () => {
    await server.stop();
    await directory.stop();
  });

  const root = async () => {
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    return organization;
  };
  const logIn = (username: string, password: string): Promise<TestAnswer> =>
    server.spectator.call('POST', '/fetch_api_key', { username, password });
  const invited = (isRequired: boolean) => server.owner.ok('PATCH', '/realm', { invite_required: isRequired });

  // rules: login-4
  test('a user name that is not an address logs in to the account with the directory entry’s address', async () => {
    const user = await createUser(await root(), { email: 'Ada@example.com', fullName: 'Ada' });
    for (const username of ['ada', 'ada@example.com', ' ada ']) {
      const { status, body } = await logIn(username, 'analytical engine');
      assert.deepEqual([status, body.user_id, body.email], [200, user.id, 'Ada@example.com'], username);
    }
  });

  // rules: login-4
  test('server settings report LDAP, and that user names need not be addresses', async () => {
    const { authentication_methods: methods, ...settings } = await server.owner.ok('GET', '/server_settings');
    assert.deepEqual([methods.ldap, methods.password, methods.email], [true, true, true]);
    assert.equal(settings.require_email_format_usernames, false);
    const { realm_authentication_methods: own } = await server.owner.ok('POST', '/register', {
      fetch_event_types: ['realm'],
    });
    assert.deepEqual(own.LDAP, { enabled: true, available: true });
  });

  // rules: login-4
  test('a new LDAP user gets an account with their name if the realm requires no invitation', async () => {
    await invited(false);
    try {
      const [one, other] = await Promise.all([
        logIn('babbage', 'difference engine'),
        logIn('babbage', 'difference engine'),
      ]);
      assert.deepEqual([one.status, other.status], [200, 200]);
      assert.equal(one.body.user_id, other.body.user_id);
      const { user } = await server.owner.ok('GET', `/users/${one.body.user_id}`);
      assert.deepEqual(
        [user.full_name, user.delivery_email, user.role],
        ['Charles Babbage', 'babbage@example.com', 400],
      );
    } finally {
      await invited(true);
    }
  });

  test('a new LDAP user gets the language of the browser', async () => {
    await invited(false);
    try {
      const visitor = new Visitor(server.url);
      await visitor.get('/login/');
      const given = { username: 'noether', password: 'invariants' };
      assert.equal((await visitor.submit('/login/', given, { 'accept-language': 'de-AT, en;q=0.5' })).status, 303);
      const newcomer = await server.sameUser({ email: 'noether@example.com' } as TestClient);
      const { user_settings } = await newcomer.ok('POST', '/register', { fetch_event_types: ['user_settings'] });
      assert.equal(user_settings.default_language, 'de');
    } finally {
      await invited(true);
    }
  });

  // rules: login-4
  test('every failed login gets the same response', async () => {
    const attempts = [
      ['ada', 'wrong'],
      ['ada', ''],
      ['nobody', 'analytical engine'],
      ['', ''],
      ['odd(*)', 'odd engine'],
      ['nomail', 'no engine'],
    ] as const;
    const answers = await Promise.all(attempts.map(([username, password]) => logIn(username, password)));
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [401, 'AUTHENTICATION_FAILED']);
      assert.equal(body.msg, answers[0]?.body.msg);
    }
  });

  test('special characters of LDAP filters match literally (LDAP injection)', async () => {
    for (const username of ['*', 'a*', 'ada)(uid=*', '*)(|(uid=*', 'ada\0', '\\2a', '$&', "ada$'"]) {
      const { status } = await logIn(username, 'analytical engine');
      assert([400, 401].includes(status), username);
    }
    await createUser(await root(), { email: 'odd@example.com', fullName: 'Odd' });
    assert.equal((await logIn('odd(*)', 'odd engine')).status, 200);
  });

  test('the response reveals a deactivated account only with the right password', async () => {
    const organization = await root();
    const user = await createUser(organization, { email: 'gone@example.com', fullName: 'Gone' });
    await deactivateUser(server.app, organization, user.id);
    assert.equal((await logIn('gone', 'wrong')).body.code, 'AUTHENTICATION_FAILED');
    assert.equal((await logIn('gone', 'gone engine')).body.code, 'USER_DEACTIVATED');
  });

  test('Heddle’s own passwords still work, and the login page accepts user names', async () => {
    assert.equal((await logIn('owner@root.example.com', 'correct horse battery')).status, 200);
    const visitor = new Visitor(server.url);
    const { text } = await visitor.get('/login/');
    assert.match(text, /Email address or user name/);
    assert.equal((await visitor.submit('/login/', { username: 'ada', password: 'analytical engine' })).status, 303);
  });

  test('an unreachable directory yields 503 instead of a wrong password, and other passwords still work', async () => {
    const elsewhere = await startTestServer({
      environment: {
        HEDDLE_LDAP_URL: 'ldap://127.0.0.1:1',
        HEDDLE_LDAP_BASE: directory.base,
        HEDDLE_LOG_LEVEL: 'silent',
      },
    });
    try {
      const attempt = (username: string, password: string) =>
        elsewhere.spectator.call('POST', '/fetch_api_key', { username, password });
      const { status, body } = await attempt('ada', 'analytical engine');
      assert.deepEqual([status, body.code], [503, 'SERVICE_UNAVAILABLE']);
      assert.equal((await attempt('owner@root.example.com', 'correct horse battery')).status, 200);
    } finally {
      await elsewhere.stop();
    }
  });

  // rules: login-17
  test('an invited LDAP user gets the invited role: by an email invitation, or by a link through the login page', async () => {
    await invited(true);
    await server.owner.ok('POST', '/invites', { invitee_emails: 'mailed@example.com', stream_ids: [], invite_as: 600 });
    assert.equal((await logIn('mailed', 'mailed engine')).status, 200);
    const roleOf = async (email: string) => (await server.owner.ok('GET', `/users/${email}`)).user.role;
    assert.equal(await roleOf('mailed@example.com'), 600);
    const { invite_link: link } = await server.owner.ok('POST', '/invites/multiuse', { invite_as: 300 });
    const visitor = new Visitor(server.url);
    const { text } = await visitor.get(new URL(link).pathname);
    const [, path = ''] = /href="([^"]*)">Sign up with your account in the directory</.exec(text) ?? [];
    await visitor.get(path);
    const come = await visitor.submit('/login/', { username: 'linked', password: 'linked engine' });
    assert.equal(come.status, 303, come.text);
    assert.equal(await roleOf('linked@example.com'), 300);
  });
});
