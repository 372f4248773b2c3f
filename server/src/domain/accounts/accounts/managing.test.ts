import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Organization } from '../../../directory/organization.ts';
import { Role } from '../../../directory/records.ts';
import { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { mailsOf } from '../../../testing/server/mails.ts';
import { becomeBot, systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { setPower } from './powers.ts';
import { greetNewcomer } from './welcome.ts';

let server: TestServer;
let root: Organization;
let owner: TestClient;
let administrator: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  const found = await server.app.organizations.bySubdomain('');
  assert(found !== undefined);
  root = found;
  owner = server.owner;
  administrator = await server.user({ role: Role.administrator });
  member = await server.user();
});
after(() => server.stop());

async function read(userId: number): Promise<Json> {
  return (await owner.ok('GET', `/users/${userId}`)).user;
}

const MUST_OWN = ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'];

describe('PATCH /users/{user_id}', () => {
  // rules: users-6
  test('changes name and role in one request, and notifies all users of each change', async () => {
    const user = await server.user();
    const queue = await member.register({ event_types: ['realm_user'] });
    await administrator.ok('PATCH', `/users/${user.userId}`, { full_name: '  New Name ', role: Role.moderator });
    const events = await queue.now();
    assert.deepEqual(
      events.map(({ op, person }) => [op, person]),
      [
        ['update', { user_id: user.userId, role: Role.moderator }],
        ['update', { user_id: user.userId, full_name: 'New Name' }],
      ],
    );
    const { full_name, role } = await read(user.userId);
    assert.deepEqual([full_name, role], ['New Name', Role.moderator]);
  });

  // rules: users-6
  test('accepts an email address in place of the id, also the placeholder address', async () => {
    const user = await server.user();
    for (const address of [user.email, `user${user.userId}@localhost`]) {
      await administrator.ok('PATCH', `/users/${encodeURIComponent(address)}`, {
        full_name: address.replace('@', ' '),
      });
      assert.equal((await read(user.userId)).full_name, address.replace('@', ' '));
    }
    assert.equal(
      (await administrator.fails('PATCH', '/users/nobody@example.com', { full_name: 'x' })).msg,
      'No such user',
    );
  });

  test('unchanged or empty values change nothing', async () => {
    const user = await server.user();
    const { full_name, role } = await read(user.userId);
    const queue = await member.register({ event_types: ['realm_user'] });
    await administrator.ok('PATCH', `/users/${user.userId}`, { full_name, role, profile_data: [] });
    await administrator.ok('PATCH', `/users/${user.userId}`, { full_name: '  ' });
    await administrator.ok('PATCH', `/users/${user.userId}`);
    assert.deepEqual(await queue.now(), []);
  });

  // rules: users-6
  test('an invalid field leaves the other fields of the request unchanged', async () => {
    const user = await server.user();
    const before = await read(user.userId);
    for (const wrong of [
      { full_name: 'x'.repeat(101) },
      { full_name: 'a*b' },
      { profile_data: [{ id: 1_000_000, value: 'x' }] },
      { new_email: 'another@example.com' },
    ]) {
      await administrator.fails('PATCH', `/users/${user.userId}`, { role: Role.guest, full_name: 'New', ...wrong });
      assert.deepEqual(await read(user.userId), before);
    }
  });

  // rules: users-6, users-19, errors-8
  test('refuses users who are not administrators, also for their own account', async () => {
    const moderator = await server.user({ role: Role.moderator });
    for (const caller of [moderator, member]) {
      for (const { userId } of [caller, administrator, { userId: 987_654 }]) {
        const { code, msg } = await caller.fails('PATCH', `/users/${userId}`, {
          full_name: 'Other',
          role: Role.owner,
        });
        assert.deepEqual([code, msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
      }
    }
  });

  // rules: users-7
  test('only owners grant and revoke the owner role, and the only owner keeps it', async () => {
    const second = await server.user({ role: Role.owner });
    for (const [target, role] of [
      [administrator, Role.owner],
      [member, Role.owner],
      [second, Role.member],
    ] as const) {
      const { code, msg } = await administrator.fails('PATCH', `/users/${target.userId}`, { role });
      assert.deepEqual([code, msg], MUST_OWN);
    }
    await owner.ok('PATCH', `/users/${second.userId}`, { role: Role.member });
    const { msg } = await owner.fails('PATCH', `/users/${owner.userId}`, { role: Role.administrator });
    assert.equal(msg, 'The owner permission cannot be removed from the only organization owner.');
  });

  // rules: users-8
  test('unknown roles are bad requests, and an unknown user is not found', async () => {
    for (const role of [0, 1, 500, '"owner"', [100]]) {
      assert.equal((await owner.fails('PATCH', `/users/${member.userId}`, { role })).code, 'BAD_REQUEST');
    }
    assert.equal((await owner.fails('PATCH', '/users/1000000', { role: 400 })).msg, 'No such user');
  });

  test('unsupported fields of the user record are ignored', async () => {
    const user = await server.user();
    const before = await read(user.userId);
    const more = { is_admin: true, is_owner: true, is_active: false, password: 'x', can_create_users: true, id: 1 };
    const answer = await administrator.ok('PATCH', `/users/${user.userId}`, more);
    assert.deepEqual(answer.ignored_parameters_unsupported.toSorted(), Object.keys(more).toSorted());
    assert.deepEqual(await read(user.userId), before);
  });

  // rules: users-6
  test('require_unique_names compares names regardless of case and Unicode form', async () => {
    await owner.ok('PATCH', '/realm', { require_unique_names: true });
    const user = await server.user({ name: 'Zoë Fine' });
    const other = await server.user();
    for (const full_name of ['Zoë Fine', 'ZOE\u0308 FINE', 'Ｚoë Fine', 'Notification Bot']) {
      const { msg } = await administrator.fails('PATCH', `/users/${other.userId}`, { full_name });
      assert.equal(msg, 'Unique names required in this organization.', full_name);
    }
    await administrator.ok('PATCH', `/users/${user.userId}`, { full_name: 'ZOË fine' });
    await owner.ok('PATCH', '/realm', { require_unique_names: false });
    await administrator.ok('PATCH', `/users/${other.userId}`, { full_name: 'Zoë Fine' });
  });

  test('names with HTML or with a mention’s id suffix are refused', async () => {
    const path = `/users/${member.userId}`;
    assert.equal(
      (await administrator.fails('PATCH', path, { full_name: '<b>"x"</b>' })).msg,
      'Invalid characters in name!',
    );
    assert.equal((await administrator.fails('PATCH', path, { full_name: 'x|12' })).msg, 'Invalid format!');
  });
});

describe('new_email', () => {
  // rules: users-5, users-9
  test('is allowed to owners to whom the operator gave change-addresses', async () => {
    const user = await server.user();
    const refused = async (caller: TestClient) => {
      const { msg } = await caller.fails('PATCH', `/users/${user.userId}`, { new_email: 'renamed@example.com' });
      assert.equal(msg, 'User not authorized to change user emails');
    };
    await refused(owner);
    await setPower(server.app, root, administrator.userId, { power: 'change-addresses', isGiven: true });
    await refused(administrator);
    await setPower(server.app, root, owner.userId, { power: 'change-addresses', isGiven: true });
    const queue = await member.register({ event_types: ['realm_user'] });
    await owner.ok('PATCH', `/users/${user.userId}`, { new_email: 'renamed@example.com' });
    const [mailed, picture, address, ...more] = (await queue.now()).map(({ person }) => person);
    assert.deepEqual(mailed, { user_id: user.userId, delivery_email: 'renamed@example.com' });
    assert.deepEqual([picture.user_id, picture.avatar_source], [user.userId, 'G']);
    assert.deepEqual(address, { user_id: user.userId, new_email: 'renamed@example.com' });
    assert.deepEqual(more, []);
    assert.equal(
      (await user.fails('GET', '/users/me', {}, 401)).code,
      'UNAUTHORIZED',
      'the old address no longer authenticates',
    );
    await setPower(server.app, root, owner.userId, { power: 'change-addresses', isGiven: false });
    await refused(owner);
  });

  // rules: users-9
  test('refuses invalid and taken addresses, and the unchanged address changes nothing', async () => {
    await setPower(server.app, root, owner.userId, { power: 'change-addresses', isGiven: true });
    const path = `/users/${member.userId}`;
    for (const [new_email, message] of [
      ['nonsense', 'Enter a valid email address.'],
      [administrator.email.toUpperCase(), `Email '${administrator.email.toUpperCase()}' already in use`],
      ['notification-bot@zulip.com', "Email 'notification-bot@zulip.com' already in use"],
      [`user${administrator.userId}@localhost`, 'Enter a valid email address.'],
    ] as const) {
      assert.equal((await owner.fails('PATCH', path, { new_email })).msg, message);
    }
    const queue = await member.register({ event_types: ['realm_user'] });
    await owner.ok('PATCH', path, { new_email: member.email });
    assert.deepEqual(await queue.now(), []);
  });
});

describe('POST /users', () => {
  const account = { email: 'made@example.com', full_name: 'Made', password: 'correct horse battery' };

  // rules: users-10
  test('is allowed to administrators to whom the operator gave create-users', async () => {
    assert.deepEqual((await member.fails('POST', '/users', account)).code, 'UNAUTHORIZED_PRINCIPAL');
    assert.equal((await owner.fails('POST', '/users', account)).msg, 'User not authorized to create users');
    await setPower(server.app, root, member.userId, { power: 'create-users', isGiven: true });
    assert.deepEqual((await member.fails('POST', '/users', account)).code, 'UNAUTHORIZED_PRINCIPAL');
    await setPower(server.app, root, owner.userId, { power: 'create-users', isGiven: true });
    const queue = await member.register({ event_types: ['realm_user'] });
    const { user_id } = await owner.ok('POST', '/users', account);
    const [event] = await queue.now();
    assert.deepEqual([event.op, event.person.user_id, event.person.full_name], ['add', user_id, 'Made']);
    const key = await owner.ok('POST', '/fetch_api_key', { username: account.email, password: account.password });
    assert.equal(key.user_id, user_id);
  });

  // rules: users-10
  test('refuses passwords that sign-up refuses', async () => {
    await setPower(server.app, root, owner.userId, { power: 'create-users', isGiven: true });
    const weak = { '12345678': 'keyboard pattern', password1: 'a common one', 'made@example': 'contains your name' };
    for (const [password, reason] of Object.entries(weak)) {
      const { msg } = await owner.fails('POST', '/users', { ...account, email: 'made2@example.com', password });
      assert.match(msg, new RegExp(reason));
    }
  });

  // rules: users-10
  test('sends the greeting of the welcome bot with the organization’s custom text', async () => {
    await setPower(server.app, root, owner.userId, { power: 'create-users', isGiven: true });
    await owner.ok('PATCH', '/realm', { welcome_message_custom_text: 'Of the organization' });
    const newcomer = { ...account, email: 'greeted@example.com' };
    const { user_id: userId } = await owner.ok('POST', '/users', newcomer);
    const { api_key: apiKey } = await owner.ok('POST', '/fetch_api_key', { ...newcomer, username: newcomer.email });
    const { host } = new URL(server.url);
    const client = new TestClient({ url: server.url, host, name: 'Made', userId, email: newcomer.email, apiKey });
    const { state } = await client.register({ fetch_event_types: ['update_message_flags', 'message'] });
    assert.equal(state.unread_msgs.count, 2);
    // The greeting leads to what concerns the newcomer.
    const { messages } = await client.ok('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 1 });
    const links = Array.from(messages[0].content.matchAll(/href="([^"]*)"/g), ([, href]) => href);
    assert.deepEqual(links.slice(0, 2), ['#channels/available', '#settings/profile']);
    assert(!links.includes('#invite'), 'for owners only');
    await owner.ok('PATCH', '/realm', { welcome_message_custom_text: '' });
  });

  // rules: users-10
  test('the greeting of the welcome bot is in the language of the account', async () => {
    await setPower(server.app, root, owner.userId, { power: 'create-users', isGiven: true });
    await owner.ok('PATCH', '/realm', { default_language: 'de' });
    const newcomer = { ...account, email: 'deutsch@example.com' };
    const { user_id: userId } = await owner.ok('POST', '/users', newcomer);
    await owner.ok('PATCH', '/realm', { default_language: 'en' });
    const { api_key: apiKey } = await owner.ok('POST', '/fetch_api_key', { ...newcomer, username: newcomer.email });
    const { host } = new URL(server.url);
    const client = new TestClient({ url: server.url, host, name: 'Made', userId, email: newcomer.email, apiKey });
    const { messages } = await client.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    assert.match(messages[0].content, /^<p>Hallo und willkommen! /);
    assert.match(messages[0].content, /<a href="#settings\/notifications">Wähle, was dich benachrichtigt<\/a>\./);
  });

  test('an owner is greeted with the first steps of the organization', async () => {
    await root.transact('server', 'optimistic', async (change) => {
      const newcomer = change.directory.user(owner.userId);
      assert(newcomer !== undefined);
      await greetNewcomer(server.app, change, newcomer);
    });
    const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    const links = Array.from(messages[0].content.matchAll(/href="([^"]*)"/g), ([, href]) => href);
    assert.deepEqual(links.slice(0, 4), [
      '#organization/organization-profile',
      '#channels/new',
      '#invite',
      '#channels/available',
    ]);
  });

  // rules: users-10
  test('refuses a taken or invalid address, an invalid name, and a weak or missing password', async () => {
    await setPower(server.app, root, owner.userId, { power: 'create-users', isGiven: true });
    const taken = { ...account, email: member.email };
    assert.equal((await owner.fails('POST', '/users', taken)).msg, `Email '${member.email}' already in use`);
    for (const wrong of [{ email: 'nonsense' }, { full_name: '' }, { full_name: 'a@b' }, { password: 'x' }]) {
      await owner.fails('POST', '/users', { ...account, email: 'other@example.com', ...wrong });
    }
    const { password: _, ...without } = account;
    assert.equal((await owner.fails('POST', '/users', without)).code, 'REQUEST_VARIABLE_MISSING');
  });
});

describe('DELETE /users/{user_id}', () => {
  // rules: users-11
  test('deactivates the account, refuses its API key and notifies all users', async () => {
    const user = await server.user();
    const queue = await member.register({ event_types: ['realm_user'] });
    await administrator.ok('DELETE', `/users/${user.userId}`);
    const [event] = await queue.now();
    assert.deepEqual(event.person, { user_id: user.userId, is_active: false });
    assert.equal((await user.fails('GET', '/users/me', {}, 401)).code, 'USER_DEACTIVATED');
    assert.equal((await administrator.fails('DELETE', `/users/${user.userId}`)).msg, 'User is deactivated');
  });

  // rules: users-11
  test('is allowed to administrators; only owners deactivate owners, and the only owner stays', async () => {
    const user = await server.user();
    const second = await server.user({ role: Role.owner });
    assert.equal((await member.fails('DELETE', `/users/${user.userId}`)).msg, 'Insufficient permission');
    assert.equal((await user.fails('DELETE', `/users/${user.userId}`)).msg, 'Insufficient permission');
    const { code, msg } = await administrator.fails('DELETE', `/users/${second.userId}`);
    assert.deepEqual([code, msg], MUST_OWN);
    await owner.ok('DELETE', `/users/${second.userId}`);
    const last = await owner.fails('DELETE', `/users/${owner.userId}`);
    assert.equal(last.msg, 'Cannot deactivate the only organization owner');
    assert.equal((await owner.fails('DELETE', '/users/1000000')).msg, 'No such user');
  });

  test('does not find bots', async () => {
    const bot = await server.user();
    await becomeBot(server, bot.userId, owner.userId);
    for (const caller of [owner, member]) {
      assert.equal((await caller.fails('DELETE', `/users/${bot.userId}`)).msg, 'No such user');
    }
  });

  test('ignores the unsupported parameter actions', async () => {
    const user = await server.user();
    const answer = await administrator.ok('DELETE', `/users/${user.userId}`, { actions: { delete_profile: true } });
    assert.deepEqual(answer.ignored_parameters_unsupported, ['actions']);
  });

  const mailsTo = async (user: TestClient) => (await mailsOf(server)).filter(({ to }) => to === user.email);

  // rules: users-11
  test('mails the administrators’ comment to the deactivated user as text', async () => {
    const user = await server.user();
    const comment = ' Farewell <b>\r\nBcc: everybody@example.com ';
    await administrator.ok('DELETE', `/users/${user.userId}`, { deactivation_notification_comment: comment });
    const [mail, ...others] = await mailsTo(user);
    assert.equal(others.length, 0);
    assert.match(mail?.body ?? '', /has been deactivated/);
    assert.match(mail?.body ?? '', /The administrators added this comment:\n\nFarewell <b>\n/);
    assert.match(mail?.body ?? '', /Farewell &lt;b&gt;/);
    const [head = ''] = (mail?.source ?? '').split('\n\n');
    assert.doesNotMatch(head, /^Bcc/im);
  });

  // rules: users-11
  test('a blank comment sends a mail without one, no comment sends no mail, and a long one is refused', async () => {
    const [mailed, notMailed] = [await server.user(), await server.user()];
    await administrator.ok('DELETE', `/users/${mailed.userId}`, { deactivation_notification_comment: ' ' });
    await administrator.ok('DELETE', `/users/${notMailed.userId}`);
    assert.doesNotMatch((await mailsTo(mailed))[0]?.body ?? 'say', /say/);
    assert.deepEqual(await mailsTo(notMailed), []);
    const long = { deactivation_notification_comment: 'x'.repeat(2001) };
    const colleague = await server.user();
    assert.equal(
      (await administrator.fails('DELETE', `/users/${colleague.userId}`, long)).msg,
      'deactivation_notification_comment is too long (limit: 2000 characters)',
    );
  });
});

describe('DELETE /users/me', () => {
  test('deactivates the caller’s account', async () => {
    const user = await server.user();
    await user.ok('DELETE', '/users/me');
    assert.equal((await user.fails('GET', '/users/me', {}, 401)).code, 'USER_DEACTIVATED');
  });

  // rules: users-11
  test('refuses the only owner and last active user', async () => {
    const { code, is_last_owner, entity, msg } = await owner.fails('DELETE', '/users/me');
    assert.deepEqual([code, is_last_owner, entity], ['CANNOT_DEACTIVATE_LAST_USER', true, 'organization owner']);
    assert.equal(msg, 'Cannot deactivate the only organization owner.');
  });

  test('refuses bots', async () => {
    const bot = await server.user();
    await becomeBot(server, bot.userId, owner.userId);
    assert.equal((await bot.fails('DELETE', '/users/me')).msg, 'This endpoint does not accept bot requests.');
  });
});

describe('POST /users/{user_id}/reactivate', () => {
  // rules: users-11
  test('restores role, API key, subscriptions and groups, and sends events for all of them', async () => {
    const user = await server.user({ role: Role.moderator });
    await user.subscribe('reopened');
    await member.subscribe('reopened');
    const group = await owner.ok('POST', '/user_groups/create', {
      name: 'reopened',
      description: '',
      members: [user.userId],
      can_manage_group: { direct_members: [user.userId, owner.userId], direct_subgroups: [] },
    });
    const permission = { direct_members: [user.userId], direct_subgroups: [] };
    await owner.ok('PATCH', '/realm', { can_add_custom_emoji_group: { new: permission } });
    const before = (await member.register()).state;
    await administrator.ok('DELETE', `/users/${user.userId}`);
    const queue = await member.register();
    await administrator.ok('POST', `/users/${user.userId}/reactivate`);
    const events = await queue.now();
    const [first] = events;
    assert.deepEqual([first.op, first.person], ['update', { user_id: user.userId, is_active: true }]);
    assert(
      events.some(
        ({ type, op, user_ids }) => type === 'subscription' && op === 'peer_add' && user_ids[0] === user.userId,
      ),
    );
    const joined = events.filter(({ type, op }) => type === 'user_group' && op === 'add_members');
    const moderators = await systemGroup(server, 'role:moderators');
    assert.deepEqual(new Set(joined.map(({ group_id }) => group_id)), new Set([moderators, group.group_id]));
    const managed = events.find(({ type, op }) => type === 'user_group' && op === 'update');
    assert.deepEqual(
      managed.data.can_manage_group.direct_members,
      [owner.userId, user.userId].sort((a, b) => a - b),
    );
    const ruled = events.find(({ type }) => type === 'realm');
    assert.deepEqual(ruled.data, { can_add_custom_emoji_group: permission });
    const { state } = await member.register();
    const mine = (users: readonly Json[]) => users.find((one) => one.user_id === user.userId);
    assert.deepEqual(mine(state.realm_users), mine(before.realm_users));
    assert.deepEqual(state.realm_user_groups, before.realm_user_groups);
    assert.deepEqual(state.realm_can_add_custom_emoji_group, before.realm_can_add_custom_emoji_group);
    assert.equal((await user.ok('GET', '/users/me')).role, Role.moderator);
    await owner.ok('PATCH', '/realm', {
      can_add_custom_emoji_group: { new: await systemGroup(server, 'role:members') },
    });
  });

  test('is allowed to administrators, and does not change an active account', async () => {
    const user = await server.user();
    const queue = await member.register();
    await administrator.ok('POST', `/users/${user.userId}/reactivate`);
    assert.deepEqual(await queue.now(), []);
    await administrator.ok('DELETE', `/users/${user.userId}`);
    assert.equal((await member.fails('POST', `/users/${user.userId}/reactivate`)).msg, 'Insufficient permission');
    assert.equal((await administrator.fails('POST', '/users/1000000/reactivate')).msg, 'No such user');
  });
});
