import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { changeOrganization, systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { createUser, deactivateUser } from '../../accounts/accounts/actions.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let bots: Json[];
let bot: Json;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_DEV_LOGIN: '1' } });
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
  bots = (await member.register({ event_types: ['realm_user'] })).state.cross_realm_bots;
  bot = bots[0];
});
after(() => server.stop());

const NEWEST = { anchor: 'newest', num_before: 10, num_after: 0 };

// rules: users-18
test('cross_realm_bots are the notification bot, the welcome bot and the email gateway', () => {
  const deltas = bots.map(({ user_id, date_joined, avatar_url, ...rest }: Json) => {
    assert.match(date_joined, /^\d{4}-\d\d-\d\dT.*\+00:00$/);
    assert.equal(typeof avatar_url, 'string');
    assert(Number.isInteger(user_id));
    return rest;
  });
  const named = (email: string, full_name: string) => ({
    ...{ delivery_email: email, email, full_name, role: 400, timezone: '', avatar_version: 1 },
    ...{ is_active: true, is_owner: false, is_admin: false, is_guest: false },
    ...{ is_bot: true, bot_type: 1, bot_owner_id: null, is_system_bot: true },
  });
  assert.deepEqual(deltas, [
    named('notification-bot@zulip.com', 'Notification Bot'),
    named('welcome-bot@zulip.com', 'Welcome Bot'),
    named('emailgateway@zulip.com', 'Email Gateway'),
  ]);
});

test('system bots are in no list of users and in no group', async () => {
  const ids = new Set(bots.map(({ user_id }: Json) => user_id));
  const { state } = await owner.register({ event_types: ['realm_user', 'user_group', 'realm_user_groups'] });
  const listed = [...state.realm_users, ...state.realm_non_active_users, ...(await owner.ok('GET', '/users')).members];
  assert(!listed.some(({ user_id }: Json) => ids.has(user_id)));
  assert.deepEqual((await owner.ok('GET', '/users', { user_ids: [...ids] })).members, []);
  const grouped = state.realm_user_groups.flatMap((group: Json) => group.members);
  assert(!grouped.some((id: number) => ids.has(id)));
  const { directory } = (await server.app.organizations.bySubdomain('')) ?? assert.fail();
  for (const systemBot of directory.systemBots.values()) assert.equal(directory.groups.groupsOf(systemBot).size, 0);
});

test('a system bot is found by id but not by email address, and its address cannot be taken', async () => {
  const { user } = await member.ok('GET', `/users/${bot.user_id}`);
  assert.deepEqual(user, bot);
  assert.equal((await member.fails('GET', `/users/${bot.email}`)).msg, 'No such user');
  const organization = (await server.app.organizations.bySubdomain('')) ?? assert.fail();
  const impostor = createUser(organization, { email: 'Welcome-Bot@zulip.com', fullName: 'Mallory' });
  await assert.rejects(impostor, /already in use/);
});

test('logging in as a system bot is refused', async () => {
  for (const { email } of bots) {
    const dev = await member.fails('POST', '/dev_fetch_api_key', { username: email }, 401);
    const login = await member.fails('POST', '/fetch_api_key', { username: email, password: 'x'.repeat(12) }, 401);
    assert.deepEqual([dev.code, login.code], ['AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED']);
  }
});

test('system bots cannot be subscribed, deactivated or given permissions', async () => {
  const principals = [bot.user_id];
  assert.equal(
    (await owner.fails('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals })).msg,
    'No such user',
  );
  assert.equal(
    (await owner.fails('POST', '/channels/create', { name: 'x', subscribers: principals })).msg,
    'No such user',
  );
  const setting = { direct_members: principals, direct_subgroups: [] };
  const refused = await owner.fails('POST', '/channels/create', {
    ...{ name: 'x', subscribers: [], can_send_message_group: setting },
  });
  assert.equal(refused.msg, `Invalid user ID: ${bot.user_id}`);
  const organization = (await server.app.organizations.bySubdomain('')) ?? assert.fail();
  await assert.rejects(deactivateUser(server.app, organization, bot.user_id), /No such user/);
});

test('a conversation with a system bot is found by the bot’s id and email address', async () => {
  const queue = await member.register({ event_types: ['message', 'typing'] });
  await member.ok('POST', '/typing', { op: 'start', to: [bot.user_id] });
  const id = await member.direct([bot.user_id], 'hello');
  const also = (await member.ok('POST', '/messages', { type: 'direct', to: bot.email, content: 'again' })).id;
  for (const operand of [[bot.user_id], bot.email]) {
    const { messages } = await member.ok('GET', '/messages', { ...NEWEST, narrow: [{ operator: 'dm', operand }] });
    assert.deepEqual(
      messages.map((message: Json) => message.id),
      [id, also],
    );
    assert.deepEqual(
      messages[0].display_recipient.map((person: Json) => person.email).sort(),
      [member.email, bot.email].sort(),
    );
  }
  assert.deepEqual(
    (await queue.take(3)).map((event) => event.type),
    ['typing', 'message', 'message'],
  );
});

test('a mention of a system bot is rendered as a mention', async () => {
  const id = await member.direct([owner.userId], `@**${bot.full_name}** @**|${bots[1].user_id}**`);
  const { message } = await member.ok('GET', `/messages/${id}`);
  assert.match(message.content, new RegExp(`data-user-id="${bot.user_id}">@Notification Bot<`));
  assert.match(message.content, /@Welcome Bot</);
});

test('a system bot as participant does not authorize a direct message to others', async () => {
  const guest = await server.user({ role: Role.guest });
  await changeOrganization(server, { direct_message_permission_group: await systemGroup(server, 'role:members') });
  const [one, two] = [guest, await server.user({ role: Role.guest })];
  await one.direct([bot.user_id], 'to the bot alone');
  const body = await one.fails('POST', '/messages', { type: 'direct', to: [two.userId, bot.user_id], content: 'x' });
  assert.equal(body.msg, 'This conversation does not include any users who can authorize it.');
});

test('each organization has its own system bots, which other organizations cannot find', async () => {
  const stranger = await server.organization('elsewhere');
  const theirs = (await stranger.register({ event_types: ['realm_user'] })).state.cross_realm_bots;
  assert.deepEqual(
    theirs.map(({ email }: Json) => email),
    bots.map(({ email }: Json) => email),
  );
  assert.equal((await stranger.fails('GET', `/users/${bot.user_id}`)).msg, 'No such user');
  const body = await stranger.fails('POST', '/messages', { type: 'direct', to: [bot.user_id], content: 'x' });
  assert.equal(body.msg, `Invalid user ID ${bot.user_id}`);
});
