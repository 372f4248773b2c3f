import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PROFILE_FIELD_TYPES } from '@heddle/api/objects/profile-field.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { HiddenPeople, listed, received, watch } from '../../../testing/server/hidden-people.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let people: HiddenPeople;
before(async () => {
  server = await startTestServer();
  ({ owner } = server);
  people = new HiddenPeople(server);
  await people.hide(true);
});
after(() => server.stop());

function standInFor({ userId }: TestClient): Json {
  return {
    user_id: userId,
    delivery_email: null,
    email: `user${userId}@localhost`,
    full_name: 'Unknown user',
    date_joined: '1970-01-01T00:00:00+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    role: 400,
    timezone: '',
    avatar_url: '/static/patterns/0.png',
    avatar_version: 1,
    profile_data: {},
  };
}

describe('users that a guest can access in an organization that hides users', () => {
  // rules: guests-1
  test('a guest sees only themselves, bots, and users of shared channels and direct conversations', async () => {
    const [guest, friend, writer, stranger] = [
      await people.guest(),
      await people.member(),
      await people.member(),
      await people.member(),
    ];
    const bot = await owner.ok('POST', '/bots', {
      full_name: `Bot of ${guest.userId}`,
      short_name: `b${guest.userId}`,
    });
    await people.channelOf(guest, friend);
    await writer.direct([guest.userId], 'hello');
    const { state } = await watch(guest);
    const { members } = await guest.ok('GET', '/users');
    for (const users of [state.realm_users, members]) {
      const ids = new Set(users.map(({ user_id }: Json) => user_id));
      for (const { userId } of [guest, friend, writer]) assert(ids.has(userId));
      assert(ids.has(bot.user_id));
      assert(!ids.has(stranger.userId));
    }
    for (const { userId } of [guest, friend, writer]) await guest.ok('GET', `/users/${userId}`);
    await guest.ok('GET', `/users/${bot.user_id}`);
    await guest.ok('GET', `/users/${state.cross_realm_bots[0].user_id}`);
  });

  // rules: guests-1
  test('members see all users, and all users see guests', async () => {
    const [guest, other] = [await people.guest(), await people.member()];
    const { members } = await other.ok('GET', '/users');
    assert(members.some(({ user_id }: Json) => user_id === guest.userId));
    assert.equal((await other.ok('GET', `/users/${guest.userId}`)).user.full_name, guest.name);
  });

  // rules: guests-1
  test('two guests without a shared channel or conversation cannot access each other', async () => {
    const [guest, other] = [await people.guest(), await people.guest()];
    assert.equal((await guest.fails('GET', `/users/${other.userId}`)).msg, 'Insufficient permission');
  });

  // rules: guests-1
  test('the guests of a direct conversation can access its other participants', async () => {
    const [guest, other, writer] = [await people.guest(), await people.guest(), await people.member()];
    await writer.direct([guest.userId, other.userId], 'to both');
    await guest.ok('GET', `/users/${other.userId}`);
    await other.ok('GET', `/users/${guest.userId}`);
  });

  // rules: guests-1
  test('a guest can access a deactivated user through a direct conversation, but not through a shared channel', async () => {
    const [guest, friend, writer] = [await people.guest(), await people.member(), await people.member()];
    await people.channelOf(guest, friend);
    await writer.direct([guest.userId], 'hello');
    for (const { userId } of [friend, writer]) await owner.ok('DELETE', `/users/${userId}`);
    const { state } = await watch(guest);
    assert.equal(listed(state, friend), undefined);
    assert(state.realm_non_active_users.includes(listed(state, writer)));
  });

  // rules: guests-2
  test('POST /register without user_list_incomplete returns placeholders for inaccessible users, deactivated ones included', async () => {
    const [guest, stranger, closed] = [await people.guest(), await people.member(), await people.member()];
    await owner.ok('DELETE', `/users/${closed.userId}`);
    const { state } = await guest.register({ fetch_event_types: ['realm_user'] });
    for (const one of [stranger, closed]) {
      const { avatar_url, ...placeholder } = listed(state, one);
      assert.deepEqual({ ...placeholder, avatar_url, is_active: true }, standInFor(one));
    }
    assert(
      state.realm_users.some(({ user_id }: Json) => user_id === closed.userId),
      'the placeholder of a deactivated user is listed as active',
    );
    const own = listed(state, guest);
    assert.deepEqual([own.full_name, own.is_guest], [guest.name, true]);
    const ids = state.realm_users.map(({ user_id }: Json) => user_id);
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('the server refuses requests of a guest that name an inaccessible user', () => {
  const paths = ({ userId }: TestClient, channelId: number) =>
    [
      ['GET', `/users/${userId}`],
      ['GET', `/users/user${userId}@localhost`],
      ['GET', `/users/${userId}/presence`],
      ['GET', `/users/${userId}/status`],
      ['GET', `/users/${userId}/subscriptions/${channelId}`],
      ['GET', `/users/${userId}/channels`],
    ] as const;

  // rules: guests-3
  test('GET of an inaccessible user, their presence, status, subscriptions and channels returns only "Insufficient permission"', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: await people.channelOf(guest, friend) });
    for (const [method, path] of paths(stranger, stream_id)) {
      const { msg } = await guest.fails(method, path);
      assert.equal(msg, 'Insufficient permission', path);
    }
    for (const [method, path] of paths(friend, stream_id)) {
      const { body } = await guest.call(method, path);
      assert.notEqual(body.msg, 'Insufficient permission', path);
    }
  });

  // rules: guests-3
  test('a guest does not find an inaccessible user by their real email address', async () => {
    const [guest, stranger] = [await people.guest(), await people.member()];
    for (const path of [`/users/${stranger.email}`, `/users/${stranger.email}/presence`]) {
      assert.equal((await guest.fails('GET', path)).msg, 'No such user');
    }
    const narrow = [{ operator: 'sender', operand: stranger.email }];
    const request = { anchor: 'newest', num_before: 1, num_after: 0 };
    await guest.fails('GET', '/messages', { ...request, narrow });
    const byId = [{ operator: 'sender', operand: stranger.userId }];
    await guest.ok('GET', '/messages', { ...request, narrow: byId });
  });

  // rules: guests-3
  test('refusals do not reveal whether the account of an inaccessible user is deactivated', async () => {
    const [guest, open, closed] = [await people.guest(), await people.member(), await people.member()];
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: await people.channelOf(guest, owner) });
    await owner.ok('DELETE', `/users/${closed.userId}`);
    const message = { type: 'direct', content: 'hello' };
    const refusals = (person: TestClient) => {
      const { userId } = person;
      return Promise.all(
        [
          ...paths(person, stream_id).map(([method, path]) => guest.fails(method, path)),
          guest.fails('POST', '/messages', { ...message, to: [userId] }),
          guest.fails('POST', '/typing', { op: 'start', to: [userId] }),
          guest.fails('POST', '/users/me/subscriptions', {
            subscriptions: [{ name: 'general' }],
            principals: [userId],
          }),
          guest.fails('DELETE', '/users/me/subscriptions', { subscriptions: ['general'], principals: [userId] }),
          guest.fails('POST', `/users/me/muted_users/${userId}`),
          guest.fails('DELETE', `/users/me/muted_users/${userId}`),
        ].map(async (refused) => (await refused).msg.replaceAll(String(userId), '…')),
      );
    };
    assert.deepEqual(await refusals(closed), await refusals(open));
  });

  // rules: guests-3
  test('a guest cannot name inaccessible users in a profile field, and does not learn whether they exist', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    const closed = await people.member();
    await people.channelOf(guest, friend);
    await owner.ok('DELETE', `/users/${closed.userId}`);
    const field = { name: 'Mentors', field_type: PROFILE_FIELD_TYPES.USER.id };
    const { id } = await owner.ok('POST', '/realm/profile_fields', field);
    const set = (value: readonly number[]) => guest.call('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
    for (const userId of [stranger.userId, closed.userId, 999_999]) {
      assert.equal((await set([friend.userId, userId])).body.msg, `Invalid user ID: ${userId}`);
    }
    assert.equal((await set([friend.userId])).status, 200);
  });

  // rules: guests-3
  test('direct messages, scheduled messages and typing notifications to inaccessible users are refused', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    await people.channelOf(guest, friend);
    const refusal = 'You do not have permission to access some of the recipients.';
    const message = { type: 'direct', content: 'hello' };
    for (const to of [[stranger.userId], [stranger.userId, friend.userId]]) {
      assert.equal((await guest.fails('POST', '/messages', { ...message, to })).msg, refusal);
      assert.equal((await guest.fails('POST', '/typing', { op: 'start', to })).msg, refusal);
      const scheduled = { ...message, to, scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 1000 };
      assert.equal((await guest.fails('POST', '/scheduled_messages', scheduled)).msg, refusal);
    }
    await guest.direct([friend.userId], 'hello');
    await guest.ok('POST', '/typing', { op: 'start', to: [friend.userId] });
  });

  // rules: guests-3
  test('a guest cannot mention an inaccessible user, and mention syntax does not reveal their name', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    await people.channelOf(guest, friend);
    const content = `@**${stranger.name}** @**${friend.name}** @_**|${stranger.userId}**`;
    const { rendered } = await guest.ok('POST', '/messages/render', { content });
    assert(rendered.includes(`data-user-id="${friend.userId}"`));
    assert(!rendered.includes(`data-user-id="${stranger.userId}"`));
    const { id } = await owner.ok('POST', '/realm/profile_fields', { name: `Of ${guest.userId}`, field_type: 2 });
    const value = `@**|${stranger.userId}**`;
    await guest.ok('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
    const { profile_data } = await guest.ok('GET', '/users/me');
    assert(!JSON.stringify(profile_data).includes(stranger.name));
    await owner.ok('DELETE', `/realm/profile_fields/${id}`);
  });

  // rules: guests-3
  test('GET /avatar of an inaccessible user redirects to the picture that all inaccessible users share', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    await people.channelOf(guest, friend);
    const asked = (who: TestClient, size = '') => guest.ask('GET', `/api/v1/avatar/${who.userId}${size}`);
    assert.equal((await asked(stranger)).headers.location, '/static/patterns/0.png');
    assert.equal((await asked(stranger, '/medium')).headers.location, '/static/patterns/0-medium.png');
    assert.notEqual((await asked(friend)).headers.location, '/static/patterns/0.png');
  });
});

describe('messages of inaccessible users', () => {
  // rules: guests-4
  test('a channel message or reaction of an inaccessible user hides their name, email address and picture', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    const name = await people.channelOf(guest, friend);
    const queue = await watch(guest, ['message', 'reaction']);
    const seen = await friend.register({ event_types: ['reaction'] });
    const id = await stranger.send(name, 'topic', 'who am I');
    const own = await friend.send(name, 'topic', 'known');
    await stranger.ok('POST', `/messages/${own}/reactions`, { emoji_name: 'octopus' });
    const events = await queue.take(3);
    const [{ message: announced }, { message: known }, reaction] = events as [Json, Json, Json];
    const { messages } = await guest.ok('GET', '/messages', { message_ids: [id, own] });
    const { message: fetched } = await guest.ok('GET', `/messages/${id}`);
    for (const message of [announced, messages[0], fetched]) {
      assert.equal(message.sender_id, stranger.userId);
      assert.equal(message.sender_full_name, 'Unknown user');
      assert.equal(message.sender_email, `user${stranger.userId}@localhost`);
      assert.equal(message.avatar_url, '/static/patterns/0.png');
    }
    for (const message of [known, messages[1]]) assert.equal(message.sender_full_name, friend.name);
    assert.equal(reaction.user_id, stranger.userId);
    assert.equal(reaction.user.full_name, 'Unknown user');
    assert.equal((await seen.take(1))[0].user.full_name, stranger.name);
    assert.equal(messages[1].reactions[0].user_id, stranger.userId);
    for (const one of [reaction, messages[1].reactions[0]]) assert(!JSON.stringify(one).includes(stranger.name));
    assert.equal((await friend.ok('GET', `/messages/${id}`)).message.sender_full_name, stranger.name);
  });

  // rules: guests-4
  test('a queue narrowed to the real email address of an inaccessible user receives no messages', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    const name = await people.channelOf(guest, friend);
    const byAddress = await guest.register({ event_types: ['message'], narrow: [['sender', stranger.email]] });
    const byId = await guest.register({ event_types: ['message'], narrow: [['sender', String(stranger.userId)]] });
    await stranger.send(name, 'topic', 'who am I');
    assert.deepEqual(await byAddress.now(), []);
    assert.equal((await byId.now()).length, 1);
  });

  // rules: guests-4
  test('read receipts list only users whom the guest can access', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    const name = await people.channelOf(guest, stranger, friend);
    const id = await guest.send(name, 'topic', 'who reads this');
    for (const one of [stranger, friend]) {
      await one.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    }
    const readers = async () => (await guest.ok('GET', `/messages/${id}/read_receipts`)).user_ids;
    assert.deepEqual(await readers(), [stranger.userId, friend.userId]);
    await people.leave(name, stranger);
    assert.deepEqual(await readers(), [friend.userId]);
    await guest.fails('POST', `/users/me/muted_users/${stranger.userId}`);
    await guest.ok('POST', `/users/me/muted_users/${friend.userId}`);
  });

  // rules: guests-4
  test('a reminder of a message of an inaccessible user does not contain their name', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    const id = await stranger.send(await people.channelOf(guest, friend), 'topic', 'who am I');
    const at = Math.floor(Date.now() / 1000) + 1000;
    await guest.ok('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: at, note: '' });
    const { reminders } = await guest.ok('GET', '/reminders');
    assert(!JSON.stringify(reminders).includes(stranger.name));
  });
});

describe('events about users', () => {
  // rules: guests-5
  test('subscribing a guest adds each newly accessible user once, before the subscription event', async () => {
    const [guest, friend, other] = [await people.guest(), await people.member(), await people.member()];
    const first = await people.channelOf(friend);
    const second = await people.channelOf(friend, other);
    const queue = await watch(guest, ['realm_user', 'subscription']);
    await people.join(first, guest);
    const events = await queue.now();
    const added = events.filter(({ op, type }) => type === 'realm_user' && op === 'add');
    assert.deepEqual(
      added.map(({ person }) => [person.user_id, person.full_name]),
      [[friend.userId, friend.name]],
    );
    assert.equal(events.at(-1).type, 'subscription');
    await people.join(second, guest);
    assert.deepEqual(
      (await queue.now()).filter(({ type }) => type === 'realm_user').map(({ person }) => person.user_id),
      [other.userId],
    );
  });

  // rules: guests-5
  test('a user becomes accessible on joining a guest’s channel and inaccessible on leaving the last shared one', async () => {
    const [guest, friend] = [await people.guest(), await people.member()];
    const [first, second] = [await people.channelOf(guest), await people.channelOf(guest)];
    const queue = await watch(guest);
    await people.join(first, friend);
    await people.join(second, friend);
    await people.leave(first, friend);
    assert.deepEqual(await received(queue), [['add', friend.userId]]);
    await people.leave(second, friend);
    const [event] = await queue.now();
    assert.deepEqual([event.op, event.person], ['remove', { user_id: friend.userId, full_name: 'Unknown user' }]);
    await guest.fails('GET', `/users/${friend.userId}`);
  });

  // rules: guests-5
  test('a guest who leaves a channel receives remove events for the users who became inaccessible', async () => {
    const [guest, friend, both, writer] = [
      await people.guest(),
      await people.member(),
      await people.member(),
      await people.member(),
    ];
    const name = await people.channelOf(guest, friend, both, writer);
    await people.channelOf(guest, both);
    await writer.direct([guest.userId], 'hello');
    const queue = await watch(guest);
    await people.leave(name, guest);
    assert.deepEqual(await received(queue), [['remove', friend.userId]]);
  });

  // rules: guests-5
  test('the first direct message adds its participants for the guests before the message event', async () => {
    const [guest, other, writer] = [await people.guest(), await people.guest(), await people.member()];
    const queue = await watch(guest, ['realm_user', 'message']);
    await writer.direct([guest.userId], 'one');
    await writer.direct([guest.userId], 'two');
    const kinds = (await queue.now()).map(({ type, person, message }) => person?.user_id ?? message?.content ?? type);
    assert.deepEqual(kinds, [writer.userId, 'one', 'two']);
    await writer.direct([guest.userId, other.userId], 'three');
    const added = (await queue.now()).map(({ person }) => person?.user_id);
    assert.deepEqual(added, [other.userId, undefined]);
  });

  // rules: guests-5
  test('concurrent first direct messages add their sender once', async () => {
    const [guest, writer] = [await people.guest(), await people.member()];
    const queue = await watch(guest, ['realm_user', 'message']);
    await Promise.all(Array.from({ length: 8 }, (_, place) => writer.direct([guest.userId], `hello ${place}`)));
    const [first, ...rest] = await queue.now();
    assert.equal(first?.person?.user_id, writer.userId);
    assert.deepEqual(
      rest.map(({ type }) => type),
      Array.from({ length: 8 }, () => 'message'),
    );
  });

  // rules: guests-2
  test('a new account reaches guests only as a placeholder, and not clients with user_list_incomplete', async () => {
    const guest = await people.guest();
    const [incomplete, complete] = [await watch(guest), await watch(guest, ['realm_user'], {})];
    const added = await people.member();
    assert.deepEqual(await received(incomplete), []);
    const [{ person }] = (await complete.now()) as [Json];
    assert.deepEqual(person, standInFor(added));
  });

  // rules: guests-6
  test('guests receive no names, pictures, roles, profiles, statuses or presence of inaccessible users', async () => {
    const [guest, stranger, friend] = [await people.guest(), await people.member(), await people.member()];
    await people.channelOf(guest, friend);
    const types = ['realm_user', 'user_status', 'presence', 'typing'];
    const queue = await watch(guest, types);
    const older = await watch(guest, types, {});
    const { id } = await owner.ok('POST', '/realm/profile_fields', { name: `Field ${guest.userId}`, field_type: 1 });
    for (const who of [stranger, friend]) {
      await owner.ok('PATCH', `/users/${who.userId}`, { full_name: `New ${who.userId}` });
      await owner.ok('PATCH', `/users/${who.userId}`, { role: 300 });
      await who.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'value' }] });
      await who.ok('PATCH', '/settings', { timezone: 'Europe/Rome' });
      await who.ok('PATCH', '/settings', { email_address_visibility: 3 });
      await who.ok('POST', '/users/me/status', { status_text: 'here' });
      await who.ok('POST', '/users/me/presence', { status: 'active' });
      await who.ok('POST', '/typing', { op: 'start', to: [guest.userId] });
    }
    await guest.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 });
    for (const one of [queue, older]) {
      const text = JSON.stringify(await one.now());
      assert(!text.includes(`"user_id":${stranger.userId}`) && !text.includes(stranger.email));
      assert(text.includes(`"user_id":${friend.userId}`) && text.includes('Europe/Rome') && text.includes('here'));
    }
    const { state } = await guest.register({ fetch_event_types: ['user_status', 'presence'], slim_presence: true });
    assert.deepEqual([friend.userId in state.user_status, stranger.userId in state.user_status], [true, false]);
    for (const presences of [
      state.presences,
      (await guest.ok('POST', '/users/me/presence', { status: 'active', slim_presence: true })).presences,
      (await guest.ok('POST', '/users/me/presence', { status: 'active', last_update_id: 0 })).presences,
    ]) {
      assert(!(stranger.userId in presences), JSON.stringify(presences));
    }
    const all = (await guest.ok('GET', '/realm/presence')).presences;
    assert(!(`user${stranger.userId}@localhost` in all));
    await owner.ok('DELETE', `/realm/profile_fields/${id}`);
  });

  // rules: guests-5
  test('deactivation removes a user who is accessible only through channels, and reactivation adds them again', async () => {
    const [guest, friend, writer] = [await people.guest(), await people.member(), await people.member()];
    await people.channelOf(guest, friend, writer);
    await writer.direct([guest.userId], 'hello');
    const queue = await watch(guest, ['realm_user', 'user_group']);
    const group = await owner.ok('POST', '/user_groups/create', {
      name: `Group ${guest.userId}`,
      description: '',
      members: [friend.userId],
    });
    await queue.now();
    await owner.ok('DELETE', `/users/${friend.userId}`);
    await owner.ok('DELETE', `/users/${writer.userId}`);
    const events = await queue.now();
    const changes = events.filter(({ type }) => type === 'realm_user').map(({ op, person }) => [op, person.user_id]);
    assert.deepEqual(changes, [
      ['remove', friend.userId],
      ['update', writer.userId],
    ]);
    const left = events.filter(({ op, group_id }) => op === 'remove_members' && group_id === group.group_id);
    assert.deepEqual(
      left.map(({ user_ids }) => user_ids),
      [[friend.userId]],
      'the user is removed from their groups',
    );
    for (const { userId } of [friend, writer]) await owner.ok('POST', `/users/${userId}/reactivate`);
    const back = (await queue.now()).filter(({ type }) => type === 'realm_user');
    assert.deepEqual(
      back.map(({ op, person }) => [op, person.user_id, person.is_active]),
      [
        ['add', friend.userId, true],
        ['update', writer.userId, true],
      ],
    );
  });
});
