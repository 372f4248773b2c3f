/** What exports have of people who did not agree. Only Ada, Hana and the owner agree. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { AddressVisibility } from '../../access/addresses.ts';
import { Role } from '../../directory/records.ts';
import { TestClient } from '../../testing/clients/client.ts';
import { type Exported, madeExport } from '../../testing/server/exported.ts';
import { HiddenPeople } from '../../testing/server/hidden-people.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let ada: TestClient;
let bo: TestClient;
let gil: TestClient;
let hana: TestClient;
let exported: Exported;
let published: Exported;

/** Owners of addresses with each visibility, who do not agree. */
const addressed = new Map<number, TestClient>();

before(async () => {
  server = await startTestServer();
  owner = server.owner;
  ada = await server.user({ name: 'Ada' });
  bo = await server.user({ name: 'Bo', role: Role.moderator });
  gil = await server.user({ name: 'Gil', role: Role.guest });
  hana = await server.user({ name: 'Hana', role: Role.guest });
  for (const one of [owner, ada, hana]) await one.ok('PATCH', '/settings', { allow_private_data_export: true });
  for (const visibility of Object.values(AddressVisibility)) {
    const client = await server.user();
    await client.ok('PATCH', '/settings', { email_address_visibility: visibility });
    addressed.set(visibility, client);
  }
  await ada.ok('PATCH', '/settings', { email_address_visibility: AddressVisibility.nobody });
  await meet();
  await useBot();
  await moveMessages();
  await owner.ok('POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [] });
  exported = await madeExport(server, owner, 2);
  published = await madeExport(server, owner, 1);
});
after(() => server.stop());

/** The organization hides people from guests, and guests have direct conversations. */
async function meet(): Promise<void> {
  await new HiddenPeople(server).hide(true);
  await bo.direct([gil.userId], 'secret for Gil');
  await gil.direct([bo.userId], 'secret for Bo');
  await ada.direct([gil.userId], 'private for Gil');
  await bo.direct([hana.userId], 'private for Hana');
}

/** Bo writes to a bot of Ada. The bot and Ada have reminders of messages that an export does not have. */
async function useBot(): Promise<void> {
  const { user_id: userId, api_key: apiKey } = await ada.ok('POST', '/bots', { full_name: 'Loom', short_name: 'loom' });
  const { user } = await ada.ok('GET', `/users/${userId}`);
  const host = new URL(server.url).host;
  const bot = new TestClient({ url: server.url, host, email: user.email, apiKey, userId, name: 'Loom' });
  const at = Math.floor(Date.now() / 1000) + 10_000;
  const told = await bo.direct([userId], 'secret for the bot');
  await bot.ok('POST', '/reminders', { message_id: told, scheduled_delivery_timestamp: at });

  await server.emptyChannel(bo, 'attic', {
    ...{ principals: [ada.userId], invite_only: true, history_public_to_subscribers: true },
  });
  const left = await bo.send('attic', 'x', 'secret in the attic');
  await ada.ok('POST', '/reminders', { message_id: left, scheduled_delivery_timestamp: at });
  await ada.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['attic'] });

  const own = await ada.direct([ada.userId], 'private for herself');
  await ada.ok('POST', '/reminders', { message_id: own, scheduled_delivery_timestamp: at });
}

/** Bo moves messages into a private channel with protected history, before and after Ada is subscribed. */
async function moveMessages(): Promise<void> {
  await server.emptyChannel(bo, 'cellar', { invite_only: true, history_public_to_subscribers: true });
  const vault = await server.emptyChannel(bo, 'vault', { invite_only: true, history_public_to_subscribers: false });
  const [early, late] = [await bo.send('cellar', 'x', 'secret, moved'), await bo.send('cellar', 'x', 'private, moved')];
  const move = (id: number) =>
    bo.ok('PATCH', `/messages/${id}`, {
      stream_id: vault,
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    });
  await move(early);
  await bo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [ada.userId] });
  await move(late);
}

// rules: exports-5
test('a public export does not say which guests had direct messages with whom', () => {
  assert.deepEqual(published.rows('acquaintances'), []);
});

// rules: exports-5
test('a full export has the acquaintances of those who agree', () => {
  const pairs = exported.rows('acquaintances').map(({ guest_id: guest, user_id: user }) => [guest, user]);
  assert.deepEqual(pairs, [
    [gil.userId, ada.userId],
    [hana.userId, bo.userId],
  ]);
});

// rules: exports-5
test('the agreement of the owner of a bot does not count for direct messages to the bot, nor for reminders of them', () => {
  assert.doesNotMatch(exported.text, /secret for the bot/);
});

// rules: exports-5
test('a full export has only reminders of messages that it has', () => {
  const [reminder, ...others] = exported.rows('reminders');
  assert.equal(reminder.user_id, ada.userId);
  assert(exported.rows('messages').some(({ id }) => id === reminder.message_id));
  assert.deepEqual(others, []);
  assert.doesNotMatch(exported.text, /secret in the attic/);
});

// rules: exports-5
test('of a protected history, a full export has what was moved there while a user who agreed was subscribed', () => {
  assert.match(exported.text, /private, moved/);
  assert.doesNotMatch(exported.text, /secret, moved/);
});

// rules: exports-5
test('a full export hides addresses from those from whom administrators may not see them', () => {
  const addresses = new Map(exported.rows('users').map(({ id, delivery_email: address }) => [id, address]));
  for (const [visibility, client] of addressed) {
    const expected = visibility === AddressVisibility.nobody ? null : client.email;
    assert.equal(addresses.get(client.userId), expected, `visibility ${visibility}`);
  }
  assert.equal(addresses.get(ada.userId), ada.email, 'she agrees');
});

// rules: exports-5
test('a public export has the addresses that members may see', () => {
  const addresses = new Map(published.rows('users').map(({ id, delivery_email: address }) => [id, address]));
  const seen: readonly number[] = [AddressVisibility.everyone, AddressVisibility.members];
  for (const [visibility, client] of addressed) {
    const expected = seen.includes(visibility) ? client.email : null;
    assert.equal(addresses.get(client.userId), expected, `visibility ${visibility}`);
    if (expected === null) assert(!published.text.includes(client.email), `visibility ${visibility}`);
  }
  assert.equal(addresses.get(ada.userId), null);
});

// rules: exports-5
test('a public export has no invitations, and a full one has all', () => {
  assert.deepEqual(published.rows('invitations'), []);
  assert.deepEqual(
    exported.rows('invitations').map(({ email }) => email),
    ['new@example.com'],
  );
  assert.doesNotMatch(published.text, /new@example\.com/);
});

// rules: exports-5
test('a public export has the edit history that members may see', async () => {
  const channel = await server.emptyChannel(owner, 'square');
  const edited = await owner.send('square', 'warp', 'former text');
  await owner.ok('PATCH', `/messages/${edited}`, { content: 'later text' });
  await owner.ok('PATCH', `/messages/${edited}`, { content: 'last text', topic: 'weft' });
  const shown = async (policy: string, type: 1 | 2) => {
    await owner.ok('PATCH', '/realm', { message_edit_history_visibility_policy: policy });
    const { rows } = await madeExport(server, owner, type);
    assert(rows('messages').some(({ channel_id: id }) => id === channel));
    return rows('message_edits')
      .filter(({ message_id: id }) => id === edited)
      .map(({ prev_content: content, prev_topic: topic }) => [content, topic]);
  };
  const all = [
    ['former text', null],
    ['later text', 'warp'],
  ];
  assert.deepEqual(await shown('all', 1), all);
  assert.deepEqual(await shown('moves', 1), [[null, 'warp']]);
  assert.deepEqual(await shown('none', 1), []);
  await sql`UPDATE data_exports SET requested_at = now() - interval '8 days'`.execute(server.app.db);
  assert.deepEqual(await shown('none', 2), all);
});
