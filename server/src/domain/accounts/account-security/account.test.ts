import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import { Visitor } from '../../../testing/clients/visitor.ts';
import { holding } from '../../../testing/database/lock-waits.ts';
import { mailsOf, type ReadMail } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';
import { setPassword } from '../accounts/actions.ts';

const OLD = 'correct horse battery';
const NEW = 'shuttle over warp';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

async function person(role?: Role): Promise<TestClient> {
  const client = await server.user({ ...(role !== undefined && { role }) });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await setPassword(organization, client.userId, OLD);
  return client;
}

const set = (client: TestClient, fields: Fields) => client.ok('PATCH', '/settings', fields);
const refusal = async (client: TestClient, fields: Fields) => (await client.fails('PATCH', '/settings', fields)).msg;
const opens = async (email: string, password: string) =>
  (await server.spectator.call('POST', '/fetch_api_key', { username: email, password })).status === 200;
const mailsTo = async (address: string): Promise<readonly ReadMail[]> =>
  (await mailsOf(server)).filter(({ to }) => to === address);

describe('changing one’s own name', () => {
  // rules: user-settings-7
  test('PATCH /settings changes the name and notifies all users', async () => {
    const client = await person();
    const queue = await server.owner.register({ event_types: ['realm_user'] });
    await set(client, { full_name: '  Ada Weaver ', enter_sends: true });
    const [event] = await queue.now();
    assert.deepEqual(event.person, { user_id: client.userId, full_name: 'Ada Weaver' });
    const own = await client.ok('GET', '/users/me');
    assert.equal(own.full_name, 'Ada Weaver');
  });

  // rules: user-settings-7
  test('name_changes_disabled keeps members from changing their name, but not administrators', async () => {
    const [client, administrator] = [await person(), await person(Role.administrator)];
    const { full_name: before } = await client.ok('GET', '/users/me');
    await server.owner.ok('PATCH', '/realm', { name_changes_disabled: true });
    try {
      await set(client, { full_name: 'Somebody' });
      assert.equal((await client.ok('GET', '/users/me')).full_name, before);
      await set(administrator, { full_name: 'The Administrator' });
      assert.equal((await administrator.ok('GET', '/users/me')).full_name, 'The Administrator');
    } finally {
      await server.owner.ok('PATCH', '/realm', { name_changes_disabled: false });
    }
  });

  // rules: user-settings-7
  test('require_unique_names refuses the name of another user', async () => {
    const client = await person();
    await server.owner.ok('PATCH', '/realm', { require_unique_names: true });
    try {
      assert.equal(await refusal(client, { full_name: 'olive owner' }), 'Unique names required in this organization.');
    } finally {
      await server.owner.ok('PATCH', '/realm', { require_unique_names: false });
    }
  });

  // rules: user-settings-7
  test('one request changes the name, time zone and email address visibility', async () => {
    const client = await person();
    await set(client, { full_name: 'All At Once', timezone: 'Europe/Berlin', email_address_visibility: 5 });
    const own = await client.ok('GET', '/users/me');
    assert.deepEqual([own.full_name, own.timezone], ['All At Once', 'Europe/Berlin']);
    const { user } = await server.owner.ok('GET', `/users/${client.userId}`);
    assert.deepEqual([user.full_name, user.timezone], ['All At Once', 'Europe/Berlin']);
    assert.equal(user.email, `user${client.userId}@localhost`);
  });
});

describe('changing one’s own password', () => {
  // rules: user-settings-8
  test('a user who sends the old password changes it, and keeps the API key', async () => {
    const client = await person();
    await set(client, { old_password: OLD, new_password: NEW });
    assert.deepEqual([await opens(client.email, NEW), await opens(client.email, OLD)], [true, false]);
    await client.ok('GET', '/users/me');
  });

  // rules: user-settings-8
  test('a wrong old password, a weak new one, or an account without a password is refused', async () => {
    const client = await person();
    assert.equal(await refusal(client, { old_password: 'x', new_password: NEW }), 'Wrong password!');
    assert.equal(await refusal(client, { new_password: NEW }), 'Wrong password!');
    for (const weak of ['', 'short', 'password1', 'x'.repeat(200), client.email]) {
      assert.equal(await refusal(client, { old_password: OLD, new_password: weak }), 'New password is too weak!', weak);
    }
    const without = await server.user();
    assert.equal(await refusal(without, { old_password: '', new_password: NEW }), 'Wrong password!');
    assert(await opens(client.email, OLD));
  });

  // rules: user-settings-8
  test('an invalid name in the same request leaves the password unchanged', async () => {
    const client = await person();
    await client.fails('PATCH', '/settings', { old_password: OLD, new_password: NEW, full_name: '*' });
    assert(await opens(client.email, OLD));
  });

  // rules: user-settings-8
  test('one of two concurrent password changes succeeds', async () => {
    const client = await person();
    const answers = await Promise.all(
      [NEW, 'woof under heddle'].map((password) =>
        client.call('PATCH', '/settings', { old_password: OLD, new_password: password }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
  });

  // rules: user-settings-8
  test('a password change ends all sessions and starts a new one in the requesting browser', async () => {
    const client = await person();
    const [here, there] = [new Visitor(server.url), new Visitor(server.url)];
    for (const one of [here, there]) assert.equal((await one.logIn(client.email, OLD)).status, 303);
    await here.get('/accounts/sessions/');
    const before = here.jar.get('sessionid');
    const fields = { old_password: OLD, new_password: NEW };
    const changed = await here.send('PATCH', '/json/settings', fields, { 'x-csrftoken': here.csrfToken });
    assert.equal(changed.status, 200, changed.text);
    assert.notEqual(here.jar.get('sessionid'), before);
    assert.equal((await here.get('/json/users/me')).status, 200);
    assert.equal((await there.get('/json/users/me')).status, 401);
  });

  // rules: user-settings-8
  test('password guesses are rate limited, and other settings are not', async () => {
    const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
    try {
      const guess = (password: string) =>
        limited.owner.call('PATCH', '/settings', { old_password: password, new_password: NEW });
      for (let count = 0; count < 10; count += 1) assert.equal((await guess('wrong')).status, 400);
      const { status, body } = await guess(OLD);
      assert.deepEqual([status, body.code], [429, 'RATE_LIMIT_HIT']);
      await limited.owner.ok('PATCH', '/settings', { enter_sends: true });
    } finally {
      await limited.stop();
    }
  });
});

describe('changing one’s own email address', () => {
  async function confirm(path: string, host?: string) {
    const visitor = new Visitor(server.url, host);
    const shown = await visitor.get(path);
    if (shown.status !== 200) return shown;
    return visitor.submit(path);
  }

  // rules: user-settings-9
  test('confirming the link sent to the new address changes the address and notifies the old address', async () => {
    const client = await person();
    const address = `new${client.userId}@example.com`;
    const queue = await server.owner.register({ event_types: ['realm_user'] });
    await set(client, { email: ` ${address} ` });
    assert.equal((await client.ok('GET', '/users/me')).delivery_email, client.email);
    const [mail] = await mailsTo(address);
    assert.match(mail?.path ?? '', /^\/accounts\/confirm_new_email\/[a-z2-7]{32}$/);
    await new Visitor(server.url).get(mail?.path ?? '');
    assert.deepEqual(await queue.now(), [], 'opening the link without confirming changes nothing');
    const done = await confirm(mail?.path ?? '');
    assert.deepEqual([done.status, done.text.includes(address)], [200, true]);
    const addresses = (await queue.now()).map(({ person: one }) => one.delivery_email ?? one.new_email ?? null);
    assert(addresses.includes(address));
    const [notice] = await mailsTo(client.email);
    assert(notice?.body.includes(address));
    assert.deepEqual([await opens(address, OLD), await opens(client.email, OLD)], [true, false]);
    assert.equal((await confirm(mail?.path ?? '')).status, 404, 'the link works once');
  });

  // rules: user-settings-9
  test('a link of another organization and an expired link do not change the address', async () => {
    const client = await person();
    const address = `elsewhere${client.userId}@example.com`;
    await set(client, { email: address });
    const [mail] = await mailsTo(address);
    await server.organization('other');
    const { port } = new URL(server.url);
    assert.equal((await confirm(mail?.path ?? '', `other.localhost:${port}`)).status, 404);
    await sql`UPDATE account_links SET created_at = now() - interval '25 hours' WHERE address = ${address}`.execute(
      server.app.db,
    );
    assert.equal((await confirm(mail?.path ?? '')).status, 404);
  });

  // rules: user-settings-9
  test('a password change invalidates pending links to other addresses', async () => {
    const client = await person();
    const address = `taken${client.userId}@example.com`;
    await set(client, { email: address });
    await set(client, { old_password: OLD, new_password: NEW });
    const [mail] = await mailsTo(address);
    assert.equal((await confirm(mail?.path ?? '')).status, 404);
  });

  // rules: user-settings-9
  test('an address that is taken, malformed or outside the allowed domains is refused', async () => {
    const client = await person();
    assert.equal(await refusal(client, { email: server.owner.email.toUpperCase() }), 'Already has an account.');
    for (const bad of [
      '',
      'x',
      'a@b\r\nBcc: c@d',
      'a@example.com,b@example.com',
      'a<b@example.com>',
      'user1@localhost',
    ]) {
      const msg = await refusal(client, { email: bad });
      assert.match(msg, /^(?:Invalid address|Already has an account)\.$/, bad);
    }
    await server.owner.ok('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false });
    await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: true });
    try {
      assert.equal(await refusal(client, { email: 'somebody@elsewhere.example' }), 'Outside your domain.');
    } finally {
      await server.owner.ok('PATCH', '/realm', { emails_restricted_to_domains: false });
    }
  });

  // rules: user-settings-9
  test('requesting the hidden address of another user sends no mail to it', async () => {
    const [hidden, client] = [await person(), await person()];
    await set(hidden, { email_address_visibility: 4 });
    await set(client, { email: hidden.email });
    assert.deepEqual(await mailsTo(hidden.email), []);
  });

  // rules: user-settings-9
  test('email_changes_disabled refuses members’ changes, also when it is set after the mail was sent', async () => {
    const [client, administrator] = [await person(), await person(Role.administrator)];
    const address = `kept${client.userId}@example.com`;
    await set(client, { email: address });
    await server.owner.ok('PATCH', '/realm', { email_changes_disabled: true });
    try {
      const words = 'Email address changes are disabled in this organization.';
      assert.equal(await refusal(client, { email: 'other@example.com' }), words);
      const [mail] = await mailsTo(address);
      const answer = await confirm(mail?.path ?? '');
      assert.deepEqual([answer.status, answer.text.includes(words)], [400, true]);
      await set(administrator, { email: `administrator${client.userId}@example.com` });
    } finally {
      await server.owner.ok('PATCH', '/realm', { email_changes_disabled: false });
    }
  });

  // rules: user-settings-9
  test('mails about address changes are rate limited per account and per address', async () => {
    const [one, other, third] = [await person(), await person(), await person()];
    await set(one, { email: 'victim@example.com' });
    await set(other, { email: 'Victim@example.com' });
    assert.equal(
      (await third.fails('PATCH', '/settings', { email: 'victim@example.com' }, 429)).code,
      'RATE_LIMIT_HIT',
    );
    await set(one, { email: 'second@example.com' });
    await one.fails('PATCH', '/settings', { email: 'third@example.com' }, 429);
  });
});

describe('mails about logins', () => {
  const age = (client: TestClient) =>
    sql`UPDATE users SET date_joined = date_joined - interval '1 hour' WHERE id = ${client.userId}`.execute(
      server.app.db,
    );
  /** Starts a server, which reads the changed ages of the accounts. */
  const restarted = () => startTestServer({ shared: server.shared });

  // rules: user-settings-10
  test('a login on the page and a fetched API key send a mail with device and IP address', async () => {
    const client = await person();
    await age(client);
    const running = await restarted();
    try {
      const agent = 'Mozilla/5.0 (X11; Linux x86_64) <b> Gecko/20100101 Firefox/140.0';
      const visitor = new Visitor(running.url);
      await visitor.get('/login/');
      await visitor.submit('/login/', { username: client.email, password: OLD }, { 'user-agent': agent });
      await running.spectator.ok('POST', '/fetch_api_key', { username: client.email, password: OLD });
      await running.app.jobs.settled();
      const mails = await mailsTo(client.email);
      assert.equal(mails.length, 2);
      assert(mails.some(({ body }) => /With: Firefox on Linux\n/.test(body)));
      assert(mails.every(({ body }) => /From: (?:127\.0\.0\.1|::1)/.test(body) && !body.includes('Gecko')));
      await set(client, { enable_login_emails: false });
      await running.spectator.ok('POST', '/fetch_api_key', { username: client.email, password: OLD });
      await running.spectator.fails('POST', '/fetch_api_key', { username: client.email, password: 'x' }, 401);
      await running.app.jobs.settled();
      assert.equal((await mailsTo(client.email)).length, 2);
    } finally {
      await running.stop();
    }
  });

  // rules: user-settings-10, mail-10
  test('a login mail has a link that stops such mails at once, and no others', async () => {
    const client = await person();
    await age(client);
    const running = await restarted();
    try {
      const logIn = async () => {
        await running.spectator.ok('POST', '/fetch_api_key', { username: client.email, password: OLD });
        await running.app.jobs.settled();
        return mailsTo(client.email);
      };
      const [mail] = await logIn();
      const source = mail?.source ?? '';
      assert.match(source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
      const [, path = ''] =
        /^List-Unsubscribe:\s*<https?:\/\/[^/]+(\/accounts\/unsubscribe\/login\/[^>\s]+)>/m.exec(source) ?? [];
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      assert.equal((await fetch(`${running.url}${path}`, { method: 'POST', body })).status, 200);
      assert.equal((await logIn()).length, 1);
      const { state } = await client.register({ fetch_event_types: ['user_settings'] });
      const { enable_login_emails, enable_offline_email_notifications } = state.user_settings;
      assert.deepEqual([enable_login_emails, enable_offline_email_notifications], [false, true]);
    } finally {
      await running.stop();
    }
  });

  // rules: user-settings-10
  test('a user who has just joined receives no login mail', async () => {
    const client = await person();
    await server.spectator.ok('POST', '/fetch_api_key', { username: client.email, password: OLD });
    assert.deepEqual(await mailsTo(client.email), []);
  });

  // rules: user-settings-10
  test('an account receives at most twenty login mails a day', async () => {
    const client = await person();
    await age(client);
    await sql`
      INSERT INTO login_notices (organization_id, user_id)
      SELECT organization_id, id FROM users, generate_series(1, 19) WHERE id = ${client.userId}`.execute(server.app.db);
    const running = await restarted();
    try {
      for (let count = 0; count < 3; count += 1) {
        await running.spectator.ok('POST', '/fetch_api_key', { username: client.email, password: OLD });
      }
      await running.app.jobs.settled();
      assert.equal((await mailsTo(client.email)).length, 1);
    } finally {
      await running.stop();
    }
  });

  // rules: user-settings-10
  test('an account receives at most twenty login mails a day, also with logins at once', async (t) => {
    const client = await person();
    await age(client);
    const running = await restarted();
    const lock = await holding(server.shared.url);
    t.after(async () => {
      await lock.end();
      await running.stop();
    });
    const logIn = () => running.spectator.call('POST', '/fetch_api_key', { username: client.email, password: OLD });
    const { count } = await until(async () => {
      await sql`DELETE FROM login_notices WHERE user_id = ${client.userId}`.execute(server.app.db);
      await sql`
        INSERT INTO login_notices (organization_id, user_id)
        SELECT organization_id, id FROM users, generate_series(1, 19) WHERE id = ${client.userId}`.execute(
        server.app.db,
      );
      const change = (holder: pg.Client) => holder.query('LOCK TABLE login_notices IN SHARE MODE');
      const isDone = await lock.together(change, [logIn, logIn]);
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM login_notices WHERE user_id = ${client.userId}`.execute(server.app.db);
      return isDone && rows[0];
    }, 'two logins at once');
    assert(count <= 20, `${count} mails`);
  });
});
