import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { becomeBot } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let user: TestClient;
let reader: TestClient;
before(async () => {
  server = await startTestServer();
  user = await server.user();
  reader = await server.user({ role: Role.guest });
});
after(() => server.stop());

const statusOf = async ({ userId }: TestClient): Promise<Json> =>
  (await reader.ok('GET', `/users/${userId}/status`)).status;
const OCTOPUS = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };

// rules: other-6
test('a user’s status changes reach all users, with the changed fields only', async () => {
  const queue = await reader.register({ event_types: ['user_status'] });
  await user.ok('POST', '/users/me/status', { status_text: '  weaving ', emoji_name: 'octopus' });
  assert.deepEqual(await statusOf(user), { status_text: 'weaving', ...OCTOPUS });
  await user.ok('POST', '/users/me/status', { status_text: 'spinning' });
  assert.deepEqual(await statusOf(user), { status_text: 'spinning', ...OCTOPUS });
  const { user_status } = (await reader.register({ fetch_event_types: ['user_status'] })).state;
  assert.deepEqual(user_status[user.userId], { status_text: 'spinning', ...OCTOPUS });
  await user.ok('POST', '/users/me/status', { emoji_name: '' });
  await user.ok('POST', '/users/me/status', { status_text: '' });
  assert.deepEqual(await statusOf(user), {});
  assert.deepEqual((await reader.register({ fetch_event_types: ['user_status'] })).state.user_status, {});
  const events = (await queue.take(4)).map(({ id, ...event }: Json) => event);
  const common = { type: 'user_status', user_id: user.userId };
  assert.deepEqual(events, [
    { ...common, status_text: 'weaving', ...OCTOPUS },
    { ...common, status_text: 'spinning' },
    { ...common, emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' },
    { ...common, status_text: '' },
  ]);
});

// rules: other-6
test('away is the inverse of the setting presence_enabled, and both change it', async () => {
  const queue = await reader.register({ event_types: ['user_status'] });
  await user.ok('POST', '/users/me/status', { away: true });
  assert.deepEqual(await statusOf(user), { away: true });
  const { state } = await user.register({ fetch_event_types: ['user_settings', 'user_status'] });
  assert.equal(state.user_settings.presence_enabled, false);
  assert.deepEqual(state.user_status[user.userId], { away: true });
  await user.ok('PATCH', '/settings', { presence_enabled: true });
  assert.deepEqual(await statusOf(user), {});
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ away }: Json) => away),
    [true, false],
  );
});

// rules: other-6
test('an invalid status is refused', async () => {
  for (const [fields, msg] of [
    [{}, 'Client did not pass any new values.'],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'no such emoji' }, "Emoji 'no such emoji' does not exist"],
    [{ emoji_code: '1f419' }, 'Client must pass emoji_name if they pass either emoji_code or reaction_type.'],
    [{ ...OCTOPUS, emoji_code: '1f697' }, 'Invalid emoji name.'],
    [{ ...OCTOPUS, reaction_type: 'bogus' }, 'Invalid emoji type.'],
  ] as const) {
    const body = await user.fails('POST', '/users/me/status', fields);
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', msg]);
  }
});

// rules: other-6
test('only administrators can change the status of others; bots and deactivated users have none', async () => {
  const { owner } = server;
  await owner.ok('POST', `/users/${user.userId}/status`, { status_text: 'on leave' });
  assert.deepEqual(await statusOf(user), { status_text: 'on leave' });
  const { msg } = await reader.fails('POST', `/users/${user.userId}/status`, { status_text: 'x' });
  assert.equal(msg, 'Insufficient permission');
  const bot = await server.user();
  await becomeBot(server, bot.userId, owner.userId);
  const refusal = await bot.fails('POST', '/users/me/status', { status_text: 'x' });
  assert.equal(refusal.msg, 'This endpoint does not accept bot requests.');
  const gone = await server.user();
  await gone.ok('POST', '/users/me/status', { status_text: 'leaving' });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  for (const [id, expected] of [
    [bot.userId, 'No such user'],
    [999_999, 'No such user'],
    [gone.userId, 'User is deactivated'],
  ] as const) {
    assert.equal((await owner.fails('GET', `/users/${id}/status`)).msg, expected);
    for (const caller of [owner, reader]) {
      assert.equal((await caller.fails('POST', `/users/${id}/status`, { status_text: 'x' })).msg, expected);
    }
  }
  assert.equal(
    (await owner.register({ fetch_event_types: ['user_status'] })).state.user_status[gone.userId],
    undefined,
  );
});
