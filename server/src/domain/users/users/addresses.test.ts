import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { AddressVisibility } from '../../../access/addresses.ts';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { setPassword } from '../../accounts/accounts/actions.ts';

let server: TestServer;
/** One user of each role. */
let readers: ReadonlyMap<Role, TestClient>;
before(async () => {
  server = await startTestServer();
  const clients = new Map<Role, TestClient>();
  for (const role of Object.values(Role)) clients.set(role, await server.user({ role }));
  readers = clients;
});
after(() => server.stop());

const { everyone, members, moderators, administrators, nobody } = AddressVisibility;

/** The roles that can see another user's email address (public reference: `email_address_visibility`). */
const TOLD: readonly (readonly [AddressVisibility, readonly Role[]])[] = [
  [everyone, [100, 200, 300, 400, 600]],
  [members, [100, 200, 300, 400]],
  [moderators, [100, 200, 300]],
  [administrators, [100, 200]],
  [nobody, []],
];

/** Creates a user with this email address visibility. */
async function hidden(visibility: AddressVisibility, role: Role = Role.member): Promise<TestClient> {
  const user = await server.user({ role });
  await user.ok('PATCH', '/settings', { email_address_visibility: visibility });
  return user;
}

const standIn = ({ userId }: TestClient) => `user${userId}@localhost`;
const shown = (visibility: AddressVisibility, user: TestClient) =>
  visibility === everyone ? user.email : standIn(user);

for (const [visibility, roles] of TOLD) {
  for (const role of Object.values(Role)) {
    // rules: users-4
    test(`an address visible to ${visibility} of a user with role ${role} is visible to exactly these roles`, async () => {
      const user = await hidden(visibility, role);
      for (const [readerRole, reader] of readers) {
        const isTold = roles.includes(readerRole);
        const what = `role ${readerRole} reads of ${role} who tells ${visibility}`;
        const delivery_email = isTold ? user.email : null;
        const email = shown(visibility, user);
        const { user: one } = await reader.ok('GET', `/users/${user.userId}`);
        assert.deepEqual([one.delivery_email, one.email], [delivery_email, email], what);
        const { members } = await reader.ok('GET', '/users', { user_ids: [user.userId] });
        assert.deepEqual([members[0].delivery_email, members[0].email], [delivery_email, email], what);
        const { state } = await reader.register({ fetch_event_types: ['realm_user'] });
        const listed = state.realm_users.find((other: Json) => other.user_id === user.userId);
        assert.deepEqual([listed.delivery_email, listed.email], [delivery_email, email], what);
        if (isTold) await reader.ok('GET', `/users/${user.email}`);
        else assert.equal((await reader.fails('GET', `/users/${user.email}`)).msg, 'No such user', what);
        assert.equal((await reader.ok('GET', `/users/${standIn(user)}`)).user.user_id, user.userId);
      }
      const { state } = await user.register({ fetch_event_types: ['realm_user'] });
      assert.deepEqual([state.delivery_email, state.email], [user.email, shown(visibility, user)]);
      const own = state.realm_users.find((other: Json) => other.user_id === user.userId);
      assert.deepEqual(
        [own.delivery_email, own.email],
        [user.email, shown(visibility, user)],
        'users see their own address',
      );
      assert.equal((await user.ok('GET', '/users/me')).delivery_email, user.email);
    });
  }
}

describe('changing the email address visibility', () => {
  for (const [before, toldBefore] of TOLD) {
    for (const [now, toldNow] of TOLD) {
      if (before === now) continue;
      // rules: users-5
      test(`from ${before} to ${now} notifies exactly the users for whom it changes`, async () => {
        const user = await hidden(before);
        const queues = [];
        for (const [role, reader] of readers) {
          queues.push({ role, queue: await reader.register({ event_types: ['realm_user'] }) });
        }
        const own = await user.register({ event_types: ['realm_user', 'user_settings'] });
        await user.ok('PATCH', '/settings', { email_address_visibility: now });
        const isPublic = (visibility: AddressVisibility) => visibility === everyone;
        const renames = isPublic(before) !== isPublic(now);
        for (const { role, queue } of queues) {
          const events = await queue.now();
          const [was, is] = [toldBefore.includes(role), toldNow.includes(role)];
          const persons = events.map(({ person }) => person);
          const address = persons.filter((person) => 'delivery_email' in person);
          const addressEvents = was === is ? [] : [{ user_id: user.userId, delivery_email: is ? user.email : null }];
          assert.deepEqual(address, addressEvents, `role ${role}`);
          const renamed = persons.filter((person) => 'new_email' in person);
          assert.deepEqual(renamed, renames ? [{ user_id: user.userId, new_email: shown(now, user) }] : []);
          assert.equal(persons.filter((person) => 'avatar_url' in person).length, renames ? 1 : 0);
          assert.equal(persons.length, addressEvents.length + (renames ? 2 : 0));
        }
        const [setting, ...others] = await own.now();
        assert.deepEqual([setting.property, setting.value], ['email_address_visibility', now]);
        assert(
          others.every(({ person }) => !('delivery_email' in person)),
          'the user’s own address does not change',
        );
      });
    }
  }
});

describe('a hidden email address', () => {
  // rules: users-4
  test('is in no message, recipient, reaction or typing notification', async () => {
    const user = await hidden(nobody);
    const guest = readers.get(Role.guest);
    assert(guest !== undefined);
    await server.owner.subscribe('hidden', { principals: [user.userId, guest.userId] });
    const queue = await guest.register({ client_gravatar: true });
    const id = await user.send('hidden', 'topic', 'hello');
    await user.direct([guest.userId], 'hello');
    await user.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    await user.ok('POST', '/typing', { op: 'start', to: [guest.userId] });
    const events = await queue.take(4);
    const fetched = await guest.ok('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 });
    const text = JSON.stringify([events, fetched]);
    assert(!text.includes(user.email));
    const [sent] = events;
    assert.deepEqual([sent.message.sender_email, typeof sent.message.avatar_url], [standIn(user), 'string']);
    for (const message of fetched.messages.slice(-2)) {
      assert.equal(message.sender_email, standIn(user));
      assert.equal(typeof message.avatar_url, 'string', 'clients cannot compute the avatar from a hidden address');
    }
  });

  // rules: users-3
  test('is replaced by the placeholder address as user name, recipient, principal and in narrows', async () => {
    const user = await hidden(administrators);
    const sender = await server.user();
    const key = { ...user, email: standIn(user) };
    const authorization = `Basic ${Buffer.from(`${key.email}:${user.apiKey}`).toString('base64')}`;
    assert.equal((await user.call('GET', '/users/me', {}, { authorization })).body.user_id, user.userId);
    assert.equal((await user.ok('GET', '/users/me')).user_id, user.userId, 'the real address still works for the user');
    const message = { type: 'direct', content: 'hello' };
    await sender.ok('POST', '/messages', { ...message, to: [standIn(user)] });
    const { msg } = await sender.fails('POST', '/messages', { ...message, to: [user.email] });
    assert.equal(msg, `Invalid email '${user.email}'`, 'the error is the same as for an unknown address');
    await server.owner.ok('POST', '/messages', { ...message, to: [user.email] });
    await sender.subscribe('standing', { principals: [standIn(user)] });
    const refused = { subscriptions: [{ name: 'standing' }], principals: [user.email] };
    assert.equal((await sender.fails('POST', '/users/me/subscriptions', refused)).msg, 'No such user');
    const page = { anchor: 'newest', num_before: 1, num_after: 0 };
    const narrow = (operand: string) => ({ ...page, narrow: [{ operator: 'dm', operand }] });
    assert.equal((await sender.ok('GET', '/messages', narrow(standIn(user)))).messages.length, 1);
    assert.equal((await sender.fails('GET', '/messages', narrow(user.email))).code, 'BAD_NARROW');
  });

  test('is returned to the user who logs in', async () => {
    const user = await hidden(nobody);
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    await setPassword(organization, user.userId, 'correct horse battery');
    const password = 'correct horse battery';
    const { email } = await user.ok('POST', '/fetch_api_key', { username: user.email, password });
    assert.equal(email, user.email);
    await user.fails('POST', '/fetch_api_key', { username: standIn(user), password }, 401);
  });

  test('cannot be guessed from the avatar URL, which is the same for all users', async () => {
    const user = await hidden(nobody);
    const url = (await server.owner.ok('GET', `/users/${user.userId}`)).user.avatar_url;
    assert.equal((await user.ok('GET', '/users/me')).avatar_url, url);
    assert(!url.includes(hash('md5', user.email)));
    await user.ok('PATCH', '/settings', { email_address_visibility: everyone });
    assert((await user.ok('GET', '/users/me')).avatar_url.includes(hash('md5', user.email)));
  });

  // rules: users-4
  test('can be the default of new accounts', async () => {
    await server.owner.ok('PATCH', '/realm/user_settings_defaults', { email_address_visibility: moderators });
    const queue = await readers.get(Role.member)?.register({ event_types: ['realm_user'] });
    const moderator = await readers.get(Role.moderator)?.register({ event_types: ['realm_user'] });
    const user = await server.user();
    const [seen] = (await queue?.now()) ?? [];
    assert.deepEqual([seen.person.delivery_email, seen.person.email], [null, standIn(user)]);
    const [event] = (await moderator?.now()) ?? [];
    assert.equal(event.person.delivery_email, user.email);
    await server.owner.ok('PATCH', '/realm/user_settings_defaults', { email_address_visibility: everyone });
  });

  test('does not exist for system bots', async () => {
    const { cross_realm_bots: bots } = (await server.owner.register({ fetch_event_types: ['realm_user'] })).state;
    assert(bots.every((bot: Json) => bot.delivery_email === bot.email));
  });
});
