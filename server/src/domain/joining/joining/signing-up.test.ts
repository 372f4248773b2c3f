import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { Visitor, type VisitorAnswer } from '../../../testing/clients/visitor.ts';
import { mailsOf } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';

let server: TestServer;
let made = 0;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const PASSWORD = 'shuttle over warp';

async function link(fields: Fields = {}, by: TestClient = server.owner): Promise<string> {
  return new URL((await by.ok('POST', '/invites/multiuse', fields)).invite_link).pathname;
}

function person(more: Fields = {}): Fields & { readonly email: string } {
  made += 1;
  return { full_name: `Newcomer ${made}`, email: `newcomer${made}@example.com`, password: PASSWORD, ...more };
}

async function signUp(
  path: string,
  fields: Fields = person(),
  visitor = new Visitor(server.url),
): Promise<VisitorAnswer> {
  const shown = await visitor.get(path);
  assert.equal(shown.status, 200, shown.text);
  return visitor.submit(path, fields);
}

async function account(email: string): Promise<Json> {
  return (await server.owner.ok('GET', `/users/${email}`)).user;
}

async function clientOf(email: string): Promise<TestClient> {
  return server.sameUser({ email } as TestClient);
}

/** Invites the address, and returns the path of the newest mailed link. */
async function invitedByMail(email: string, fields: Fields = {}): Promise<string> {
  await server.owner.ok('POST', '/invites', { invitee_emails: email, stream_ids: [], ...fields });
  const mail = (await mailsOf(server)).findLast(({ to }) => to === email);
  assert(mail !== undefined);
  return mail.path;
}

describe('signing up with a link', () => {
  test('the account has the first language of the browser that the app has, unless the organization has chosen one', async () => {
    const languageAfter = async (accepted: string): Promise<unknown> => {
      const fields = person();
      const visitor = new Visitor(server.url);
      const path = await link();
      await visitor.get(path);
      await visitor.submit(path, fields, { 'accept-language': accepted });
      const newcomer = await clientOf(fields.email);
      const { user_settings } = await newcomer.ok('POST', '/register', { fetch_event_types: ['user_settings'] });
      return [user_settings.default_language, user_settings.twenty_four_hour_time];
    };
    // The clock is that of the language.
    assert.deepEqual(await languageAfter('eo, de-AT;q=0.9, en;q=0.5'), ['de', true]);
    assert.deepEqual(await languageAfter('en-GB, de;q=0.5'), ['en', false]);
    assert.deepEqual(await languageAfter('eo'), ['en', false]);
    try {
      await server.owner.ok('PATCH', '/realm', { default_language: 'hi' });
      assert.deepEqual(await languageAfter('de'), ['hi', false]);
      await server.owner.ok('PATCH', '/realm', { default_language: 'fr' });
      assert.deepEqual(await languageAfter('de'), ['fr', true]);
      await server.owner.ok('PATCH', '/realm', { default_language: 'en' });
      await server.owner.ok('PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true });
      assert.deepEqual(await languageAfter('eo'), ['en', true]);
    } finally {
      await server.owner.ok('PATCH', '/realm', { default_language: 'en' });
      await server.owner.ok('PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: false });
    }
  });

  // rules: invitations-8
  test('creates an account with the role, channels and groups of the invitation, which can log in', async () => {
    const secret = await server.emptyChannel(server.owner, 'secret looms', { invite_only: true });
    await server.owner.ok('POST', '/user_groups/create', { name: 'weavers', description: '', members: [] });
    const groups = (await server.owner.ok('GET', '/user_groups')).user_groups;
    const { id: group } = groups.find(({ name }: Json) => name === 'weavers');
    const queue = await server.owner.register({ event_types: ['realm_user', 'user_group'] });
    const fields = person();
    const path = await link({ invite_as: 300, stream_ids: [secret], group_ids: [group] });
    const visitor = new Visitor(server.url);
    const done = await signUp(path, { ...fields, role: 100, invite_as: 100, stream_ids: [1] }, visitor);
    assert.equal(done.status, 200);
    assert.match(done.text, new RegExp(`<code>${server.url}</code>`));
    const user = await account(fields.email);
    assert.deepEqual([user.full_name, user.role], [fields.full_name, 300]);
    assert.equal((await visitor.get('/json/users/me')).json.user_id, user.user_id);
    const { api_key } = await server.spectator.ok('POST', '/fetch_api_key', {
      username: fields.email,
      password: PASSWORD,
    });
    assert.equal(api_key.length, 32);
    const newcomer = await clientOf(fields.email);
    const { subscriptions } = await newcomer.ok('GET', '/users/me/subscriptions');
    assert.deepEqual(
      subscriptions.map(({ name }: Json) => name),
      ['secret looms'],
    );
    const { members } = await newcomer.ok('GET', `/user_groups/${group}/members`);
    assert.deepEqual(members, [user.user_id]);
    const events = await queue.now();
    assert(
      events.some(
        ({ type, op, person: added }) => type === 'realm_user' && op === 'add' && added.user_id === user.user_id,
      ),
    );
    assert(events.some(({ group_id, user_ids }) => group_id === group && user_ids[0] === user.user_id));
  });

  // rules: invitations-19
  test('leaves out channels and groups to which its creator can no longer add people', async () => {
    const inviter = await server.user({ role: Role.administrator });
    const [kept, lost] = [
      await server.emptyChannel(inviter, 'kept looms', { invite_only: true }),
      await server.emptyChannel(inviter, 'lost looms', { invite_only: true, principals: [server.owner.userId] }),
    ];
    const { group_id } = await inviter.ok('POST', '/user_groups/create', {
      name: 'dyers',
      description: '',
      members: [],
    });
    const path = await link({ stream_ids: [kept, lost], group_ids: [group_id] }, inviter);
    await inviter.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['lost looms'] });
    const { user_groups } = await server.owner.ok('GET', '/user_groups');
    const { id: nobody } = user_groups.find(({ name }: Json) => name === 'role:nobody');
    for (const name of ['can_add_members_group', 'can_manage_group']) {
      await server.owner.ok('PATCH', `/user_groups/${group_id}`, { [name]: { new: nobody } });
    }
    await server.owner.ok('PATCH', `/users/${inviter.userId}`, { role: Role.member });
    const fields = person();
    assert.equal((await signUp(path, fields)).status, 200);
    const newcomer = await clientOf(fields.email);
    const { subscriptions } = await newcomer.ok('GET', '/users/me/subscriptions');
    assert.deepEqual(
      subscriptions.map(({ name }: Json) => name),
      ['kept looms'],
    );
    assert.deepEqual((await newcomer.ok('GET', `/user_groups/${group_id}/members`)).members, []);
  });

  // rules: invitations-6
  test('subscribes to the default channels if the invitation says so, guests too', async () => {
    const names = async (fields: Fields) => {
      const one = person();
      await signUp(await link(fields), one);
      const client = await clientOf(one.email);
      const { subscriptions } = await client.ok('GET', '/users/me/subscriptions');
      return subscriptions.map(({ name }: Json) => name).sort();
    };
    assert.deepEqual(await names({}), []);
    assert.deepEqual(await names({ include_realm_default_subscriptions: true }), ['general', 'sandbox']);
    assert.deepEqual(await names({ include_realm_default_subscriptions: true, invite_as: 600 }), [
      'general',
      'sandbox',
    ]);
  });

  // rules: invitations-7
  test('the welcome bot sends the invitation’s text, or else the organization’s; empty means none', async () => {
    await server.owner.ok('PATCH', '/realm', { welcome_message_custom_text: 'Of the organization' });
    const greetings = async (fields: Fields) => {
      const one = person();
      await signUp(await link(fields), one);
      const range = { anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false };
      const { messages } = await (await clientOf(one.email)).ok('GET', '/messages', range);
      assert(messages.every(({ sender_full_name }: Json) => sender_full_name === 'Welcome Bot'));
      return messages.slice(1).map(({ content }: Json) => content);
    };
    assert.deepEqual(await greetings({}), ['Of the organization']);
    assert.deepEqual(await greetings({ welcome_message_custom_text: 'Of the link' }), ['Of the link']);
    assert.deepEqual(await greetings({ welcome_message_custom_text: '' }), []);
    await server.owner.ok('PATCH', '/realm', { welcome_message_custom_text: '' });
  });

  test('notifies the inviter, and several users can use one link', async () => {
    const path = await link();
    const queue = await server.owner.register({ event_types: ['message'], apply_markdown: true });
    const people = [person(), person()];
    for (const one of people) await signUp(path, one);
    const received = (await queue.take(2)).map(({ message }) => [message.sender_full_name, message.content]);
    for (const [index, { email }] of people.entries()) {
      const { user_id, full_name } = await account(email);
      assert.equal(received[index]?.[0], 'Notification Bot');
      assert.equal(
        received[index]?.[1],
        `<p><span class="user-mention silent" data-user-id="${user_id}">${full_name}</span> accepted your invitation to join!</p>`,
      );
    }
  });

  test('shows each problem beside its field, and keeps all values except the password', async () => {
    const path = await link();
    const wrong = async (fields: Fields, text: RegExp) => {
      const { status, text: html } = await signUp(path, person(fields));
      assert.equal(status, 400);
      assert.match(html, text);
      assert.match(html, /<title>Error: /);
      return html;
    };
    await wrong({ full_name: ' ' }, /id="full_name-problem">Enter your name/);
    await wrong({ full_name: 'a@b' }, /id="full_name-problem">Invalid characters/);
    await wrong({ email: 'nowhere' }, /id="email-problem">Enter a valid email address/);
    const html = await wrong({ password: 'short' }, /id="password-problem">The password must have at least 8/);
    assert(!html.includes('short'));
    assert.match(html, /value="Newcomer \d+"/);
  });

  test('refuses passwords that are easy to guess', async () => {
    const path = await link();
    const weak = [
      'password1',
      'P@ssw0rd!',
      'aaaaaaaaaa',
      'abcdefgh',
      '12345678',
      'qwertyuiop',
      'Organization1',
      'ann.other1',
    ];
    for (const password of weak) {
      const { status, text } = await signUp(path, person({ full_name: 'Ann Other', password }));
      assert.deepEqual([password, status], [password, 400]);
      assert.match(text, /id="password-problem">This password/);
    }
  });

  test('escapes names and custom texts', async () => {
    const inviter = await server.user({ name: 'Eve &lt;i&gt; O’Neil', role: Role.administrator });
    const path = await link({ welcome_message_custom_text: '<script>alert(1)</script> **hi**' }, inviter);
    const visitor = new Visitor(server.url);
    assert.match((await visitor.get(path)).text, /Eve &amp;lt;i&amp;gt; O’Neil has invited you/);
    const { text } = await visitor.submit(path, person({ full_name: '<img src=x onerror=alert(1)>' }));
    assert.match(text, /value="&lt;img src=x onerror=alert\(1\)&gt;"/);
    assert.doesNotMatch(text, /<img|<script>alert/);
    const one = person();
    await signUp(path, one);
    const range = { anchor: 'newest', num_before: 1, num_after: 0 };
    const { messages } = await (await clientOf(one.email)).ok('GET', '/messages', range);
    assert.match(messages[0].content, /&lt;script&gt;alert\(1\)&lt;\/script&gt; <strong>hi<\/strong>/);
  });
});

describe('an invitation by mail', () => {
  test('creates an account only for its own address, and works once', async () => {
    const path = await invitedByMail('invited@example.com');
    const visitor = new Visitor(server.url);
    assert.match((await visitor.get(path)).text, /value="invited@example.com"[^>]* readonly/);
    const done = await visitor.submit(path, person({ email: 'other@example.com' }));
    assert.equal(done.status, 200);
    assert.equal((await account('invited@example.com')).role, 400);
    await server.owner.fails('GET', '/users/other@example.com');
    const again = await visitor.get(path);
    assert.deepEqual([again.status, /This invitation has been used/.test(again.text)], [410, true]);
  });

  test('used twice at the same time creates one account', async () => {
    const path = await invitedByMail('twice@example.com');
    const visitors = [new Visitor(server.url), new Visitor(server.url)];
    for (const visitor of visitors) await visitor.get(path);
    const answers = await Promise.all(visitors.map((visitor) => visitor.submit(path, person())));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
  });

  test('used twice at the same time in two processes creates one account', async () => {
    const other = await startTestServer({ shared: server.shared });
    try {
      const path = await invitedByMail('processes@example.com');
      const visitors = [new Visitor(server.url), new Visitor(other.url)];
      for (const visitor of visitors) await visitor.get(path);
      const answers = await Promise.all(visitors.map((visitor) => visitor.submit(path, person())));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    } finally {
      await other.stop();
    }
  });

  test('revokes all other invitations to the address when it is used, and is no longer listed', async () => {
    const first = await invitedByMail('several@example.com');
    const second = await invitedByMail('several@example.com');
    const queue = await server.owner.register({ event_types: ['invites_changed'] });
    await signUp(first);
    const { status, text } = await new Visitor(server.url).get(second);
    assert.deepEqual([status, /has been revoked/.test(text)], [410, true]);
    assert((await queue.now()).length >= 1);
    const { invites } = await server.owner.ok('GET', '/invites');
    assert(!invites.some(({ email }: Json) => email === 'several@example.com'));
  });

  test('notifies the inviter only if they chose so', async () => {
    const queue = await server.owner.register({ event_types: ['message'] });
    await signUp(await invitedByMail('quiet@example.com', { notify_referrer_on_join: false }));
    await signUp(await invitedByMail('loud@example.com'));
    const events = await queue.now();
    assert.equal(events.length, 1);
  });
});

describe('an unusable link', () => {
  const refused = async (path: string, status: number, heading: RegExp, url = server.url, host?: string) => {
    const visitor = host === undefined ? new Visitor(url) : new Visitor(url, host);
    const shown = await visitor.get(path);
    assert.equal(shown.status, status);
    assert.match(shown.text, heading);
    assert.doesNotMatch(shown.text, /<form/);
    assert.equal(shown.headers['cache-control'], 'no-store');
    assert.equal(shown.headers['referrer-policy'], 'same-origin');
  };

  // rules: invitations-8
  test('shows that it is expired, revoked or unknown', async () => {
    const expired = await link({ invite_expires_in_minutes: 1 });
    await sql`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE expires_at < now() + interval '2 minutes'`.execute(
      server.app.db,
    );
    await refused(expired, 410, /This invitation has expired/);
    const revoked = await link();
    const { invites } = await server.owner.ok('GET', '/invites');
    await server.owner.ok('DELETE', `/invites/multiuse/${invites.at(-1).id}`);
    await refused(revoked, 410, /This invitation has been revoked/);
    await refused('/join/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/', 404, /There is no such invitation/);
    await refused(`/join/${'a'.repeat(150)}/`, 404, /There is no such invitation/);
  });

  test('is one of the other kind, or of another organization', async () => {
    const open = await link();
    await refused(`/accounts/do_confirm/${open.split('/')[2]}`, 404, /There is no such invitation/);
    const byMail = await invitedByMail('kinds@example.com');
    await refused(`/join/${byMail.split('/').at(-1)}/`, 404, /There is no such invitation/);
    await server.organization('elsewhere');
    const host = `elsewhere.${new URL(server.url).host}`;
    await refused(open, 404, /There is no such invitation/, server.url, host);
  });

  test('is revoked when its creator is deactivated, also while the user fills in the form', async () => {
    const inviter = await server.user({ role: Role.administrator });
    const path = await link({}, inviter);
    const visitor = new Visitor(server.url);
    await visitor.get(path);
    const home = await server.app.organizations.bySubdomain('');
    assert(home !== undefined);
    await deactivateUser(server.app, home, inviter.userId);
    const one = person();
    const { status, text } = await visitor.submit(path, one);
    assert.deepEqual([status, /has been revoked/.test(text)], [410, true]);
    await server.owner.fails('GET', `/users/${one.email}`);
    const { invites } = await server.owner.ok('GET', '/invites');
    assert(!invites.some(({ invited_by_user_id }: Json) => invited_by_user_id === inviter.userId));
  });

  // rules: invitations-8
  test('is revoked while its role exceeds the current role of its creator', async () => {
    const inviter = await server.user({ role: Role.administrator });
    const [high, low] = [await link({ invite_as: 200 }, inviter), await link({ invite_as: 400 }, inviter)];
    const role = (given: Role) => server.owner.ok('PATCH', `/users/${inviter.userId}`, { role: given });
    await role(Role.member);
    const { status, text } = await new Visitor(server.url).get(high);
    assert.deepEqual([status, /has been revoked/.test(text)], [410, true]);
    assert.equal((await signUp(low)).status, 200);
    await role(Role.administrator);
    assert.equal((await signUp(high)).status, 200);
  });

  test('is rate limited, so that guessing links fails', async () => {
    const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
    try {
      // Several at a time: the limit of 600 a minute begins again for requests that take longer.
      const guess = async (key: number) => (await new Visitor(limited.url).get(`/join/guess${key}/`)).status;
      const statuses = new Set<number>();
      for (let first = 0; first < 650; first += 50) {
        const found = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(first + index)));
        for (const status of found) statuses.add(status);
      }
      assert.deepEqual([...statuses], [404, 429]);
    } finally {
      await limited.stop();
    }
  });
});

test('refused forms do not reveal whether an email address has an account', async () => {
  const path = await link();
  const known = await server.user();
  const page = async (email: string) => {
    const visitor = new Visitor(server.url);
    await visitor.get(path);
    const { status, text } = await visitor.submit(path, { full_name: 'Ann Other', email, password: 'short' });
    return [status, text.replaceAll(email, '…').replace(/name="csrfmiddlewaretoken" value="[^"]*"/, '')];
  };
  assert.deepEqual(await page(known.email), await page('nobody-yet@example.com'));
});

test('a form without a CSRF token or from another origin is refused', async () => {
  const path = await link();
  const one = person();
  const bare = await new Visitor(server.url).send('POST', path, one);
  assert.equal(bare.status, 403);
  const visitor = new Visitor(server.url);
  await visitor.get(path);
  const foreign = await visitor.submit(path, one, { origin: 'https://evil.example' });
  assert.equal(foreign.status, 403);
  await server.owner.fails('GET', `/users/${one.email}`);
});
