import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { plainPicture, upload } from '../../testing/clients/uploading.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let administrator: TestClient;
let member: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.user({ name: 'Administrator', role: Role.administrator });
  member = await server.user({ name: 'Member' });
  other = await server.user({ name: 'Other' });
});
after(() => server.stop());

let made = 0;

async function create(client: TestClient, more: Fields = {}): Promise<Json> {
  made += 1;
  return client.ok('POST', '/bots', { full_name: `Spinner ${made}`, short_name: `spinner${made}`, ...more });
}

async function asBot(botId: number): Promise<TestClient> {
  const { user } = await owner.ok('GET', `/users/${botId}`);
  return server.sameUser({ email: user.email } as TestClient);
}

async function refused(client: TestClient, method: string, path: string, fields: Fields = {}): Promise<string> {
  const { code, msg } = await client.fails(method, path, fields);
  return `${code}: ${msg}`;
}

async function eventsDuring(clients: readonly TestClient[], act: () => Promise<unknown>): Promise<Json[][]> {
  const queues = await Promise.all(
    clients.map((client) => client.register({ event_types: ['realm_bot', 'realm_user'], client_gravatar: false })),
  );
  await act();
  const events = await Promise.all(queues.map((queue) => queue.now()));
  return events.map((of) => of.map(({ id: _, ...event }) => event));
}

const bot = (op: string, fields: Fields) => ({ type: 'realm_bot', op, bot: fields });
const user = (fields: Fields) => ({ type: 'realm_user', op: 'update', person: fields });

describe('changing a bot', () => {
  // rules: bots-15
  test('only the owner and administrators can change a bot, and an id that is not a bot is refused', async () => {
    const { user_id } = await create(member);
    await member.ok('PATCH', `/bots/${user_id}`, { default_all_public_streams: true });
    await administrator.ok('PATCH', `/bots/${user_id}`, { default_all_public_streams: false });
    const itself = await asBot(user_id);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/api_key'],
      ['POST', '/api_key/regenerate'],
    ] as const) {
      assert.equal(
        await refused(other, method, `/bots/${user_id}${path}`),
        'BAD_REQUEST: Insufficient permission',
        `${method} ${path}`,
      );
      for (const id of [member.userId, 999_999]) {
        assert.equal(await refused(administrator, method, `/bots/${id}${path}`), 'BAD_REQUEST: No such bot');
      }
      const ofItself = await itself.call(method, `/bots/${user_id}${path}`);
      assert.equal(ofItself.status, 400, `${method} ${path}`);
    }
  });

  // rules: bots-16
  test('a new name is sent to everybody as realm_user event, and to the owner as realm_bot event', async () => {
    const { user_id } = await create(member);
    const [own, others] = await eventsDuring([member, other], () =>
      member.ok('PATCH', `/bots/${user_id}`, { full_name: ' Renamed ' }),
    );
    assert.deepEqual(own, [user({ user_id, full_name: 'Renamed' }), bot('update', { user_id, full_name: 'Renamed' })]);
    assert.deepEqual(others, [user({ user_id, full_name: 'Renamed' })]);
    assert.equal(
      await refused(member, 'PATCH', `/bots/${user_id}`, { full_name: 'Other' }),
      'BAD_REQUEST: Name is already in use.',
    );
    const [unchanged] = await eventsDuring([member], () =>
      member.ok('PATCH', `/bots/${user_id}`, { full_name: 'Renamed', default_all_public_streams: false }),
    );
    assert.deepEqual(unchanged, []);
    // A bot's own name is not in its way.
    await member.ok('PATCH', `/bots/${user_id}`, { full_name: 'RENAMED' });
  });

  // rules: bots-16
  test('with a new owner, the former owner loses the bot, the new one gets it, and administrators receive the owner’s id', async () => {
    const { user_id } = await create(member);
    const [former, next, administrators, third] = await eventsDuring(
      [member, other, administrator, await server.user()],
      () => member.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: other.userId }),
    );
    const ownerChanged = user({ user_id, bot_owner_id: other.userId });
    assert.deepEqual(former, [ownerChanged, bot('delete', { user_id })]);
    const { api_key } = await other.ok('GET', `/bots/${user_id}/api_key`);
    const owned = bot('update', { user_id, owner_id: other.userId });
    assert.deepEqual(administrators, [ownerChanged, owned, bot('update', { user_id, api_key })]);
    assert.deepEqual(third, [ownerChanged]);
    assert.deepEqual(
      next?.map(({ type, op, bot: of }) => [type, op, of?.api_key]),
      [
        ['realm_user', 'update', undefined],
        ['realm_bot', 'add', api_key],
      ],
    );
    assert.equal(await refused(member, 'DELETE', `/bots/${user_id}`), 'BAD_REQUEST: Insufficient permission');
  });

  // rules: bots-16
  test('unknown users, deactivated users and bots cannot own a bot', async () => {
    const { user_id } = await create(member);
    const { user_id: another } = await create(member);
    const gone = await server.user();
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    await deactivateUser(server.app, organization, gone.userId);
    for (const [id, msg] of [
      [999_999, 'Failed to change owner, no such user'],
      [gone.userId, 'Failed to change owner, user is deactivated'],
      [another, "Failed to change owner, bots can't own other bots"],
    ] as const) {
      assert.equal(await refused(member, 'PATCH', `/bots/${user_id}`, { bot_owner_id: id }), `BAD_REQUEST: ${msg}`);
    }
  });

  // rules: bots-16
  test('only administrators change a bot’s role, and a bot cannot be an organization owner', async () => {
    const { user_id } = await create(member);
    assert.equal(
      await refused(member, 'PATCH', `/bots/${user_id}`, { role: 200 }),
      'UNAUTHORIZED_PRINCIPAL: Must be an organization administrator',
    );
    const [others] = await eventsDuring([other], () => administrator.ok('PATCH', `/bots/${user_id}`, { role: 300 }));
    assert.deepEqual(others, [user({ user_id, role: 300 })]);
    for (const client of [administrator, owner]) {
      assert.equal(
        await refused(client, 'PATCH', `/bots/${user_id}`, { role: 100 }),
        'BAD_REQUEST: A bot cannot be an organization owner.',
      );
    }
    assert.equal((await other.ok('GET', `/users/${user_id}`)).user.role, 300);
  });

  // rules: bots-15
  test('a request that fails changes nothing', async () => {
    const { user_id } = await create(member);
    const [events] = await eventsDuring([administrator], () =>
      refused(administrator, 'PATCH', `/bots/${user_id}`, { role: 300, full_name: 'Half', bot_owner_id: 999_999 }),
    );
    assert.deepEqual(events, []);
    const { user: is } = await other.ok('GET', `/users/${user_id}`);
    assert.deepEqual([is.role, is.full_name === 'Half'], [400, false]);
  });

  // rules: bots-15
  test('several changes in one request are all applied, in the directory and in the database', async () => {
    const { user_id } = await create(member);
    const fields = {
      role: 300,
      full_name: 'All At Once',
      bot_owner_id: other.userId,
      default_all_public_streams: true,
    };
    await administrator.ok('PATCH', `/bots/${user_id}`, fields);
    const restarted = await startTestServer({ shared: server.shared });
    for (const at of [server, restarted]) {
      const { state } = await (await at.sameUser(other)).register({
        fetch_event_types: ['realm_bot', 'realm_user'],
        event_types: [],
      });
      const { full_name, owner_id, default_all_public_streams } = state.realm_bots.find(
        (one: Json) => one.user_id === user_id,
      );
      const { role } = state.realm_users.find((one: Json) => one.user_id === user_id);
      assert.deepEqual(
        [full_name, owner_id, default_all_public_streams, role],
        ['All At Once', other.userId, true, 300],
      );
    }
    await restarted.stop();
  });

  // rules: bots-16
  test('default channels must be accessible to the user; an empty name clears one', async () => {
    const { user_id } = await create(member, { default_sending_stream: 'general' });
    const channels = async (fields: Fields) => {
      const [events] = await eventsDuring([member], () => member.ok('PATCH', `/bots/${user_id}`, fields));
      return events;
    };
    assert.deepEqual(await channels({ default_events_register_stream: 'sandbox', default_sending_stream: '' }), [
      bot('update', { user_id, default_sending_stream: null, default_events_register_stream: 'sandbox' }),
    ]);
    await server.emptyChannel(owner, 'cellar', { invite_only: true });
    for (const name of ['cellar', 'nowhere']) {
      assert.equal(
        await refused(member, 'PATCH', `/bots/${user_id}`, { default_sending_stream: name }),
        `BAD_REQUEST: Invalid channel name '${name}'`,
      );
    }
    const answer = await member.ok('PATCH', `/bots/${user_id}`);
    assert.deepEqual(
      [answer.default_sending_stream, answer.default_events_register_stream, answer.bot_owner, answer.config_data],
      [null, 'sandbox', member.email, null],
    );
  });

  // rules: bots-16
  test('a new avatar is sent to everybody as realm_user event, and to the owner as realm_bot event', async () => {
    const { user_id } = await create(member);
    const [own, others] = await eventsDuring([member, other], async () => {
      const file = await plainPicture();
      const { status } = await upload(server.url, member, { method: 'PATCH', path: `/bots/${user_id}`, file });
      assert.equal(status, 200);
    });
    assert.equal(others?.length, 1);
    const { avatar_url, avatar_source, avatar_version } = others?.[0].person ?? {};
    assert.deepEqual([avatar_source, avatar_version], ['U', 2]);
    assert.deepEqual(
      own?.filter(({ type }) => type === 'realm_bot'),
      [bot('update', { user_id, avatar_url })],
    );
  });
});

describe('API keys of bots', () => {
  // rules: bots-17
  test('a regenerated key replaces the old one, which becomes invalid; the owner receives an event', async () => {
    const { user_id, api_key } = await create(member);
    const before = await asBot(user_id);
    let after: Json;
    const [own, others] = await eventsDuring([member, other], async () => {
      after = (await member.ok('POST', `/bots/${user_id}/api_key/regenerate`)).api_key;
    });
    assert.notEqual(after, api_key);
    assert.deepEqual(own, [bot('update', { user_id, api_key: after })]);
    assert.deepEqual(others, []);
    assert.equal((await before.call('GET', '/users/me')).body.code, 'UNAUTHORIZED');
    await (await asBot(user_id)).ok('GET', '/users/me');
    assert.equal((await member.ok('GET', `/bots/${user_id}/api_key`)).api_key, after);
  });

  // rules: bots-17
  test('the log does not contain API keys', async () => {
    const { api_key } = await create(member);
    const rows = await server.app.db.selectFrom('events').select('body').execute();
    assert(!rows.some(({ body }) => body.includes(api_key)));
  });
});

describe('deactivating bots', () => {
  // rules: bots-18
  test('deactivates the user, and sends an update event', async () => {
    const { user_id } = await create(member);
    const client = await asBot(user_id);
    const [own, others] = await eventsDuring([member, other], () => member.ok('DELETE', `/bots/${user_id}`));
    const deactivated = user({ user_id, is_active: false });
    assert.deepEqual(own, [deactivated, bot('update', { user_id, is_active: false })]);
    assert.deepEqual(others, [deactivated]);
    assert.equal((await client.call('GET', '/users/me')).body.code, 'USER_DEACTIVATED');
    const send = { type: 'direct', to: [member.userId], content: 'still here' };
    assert.equal((await client.call('POST', '/messages', send)).body.code, 'USER_DEACTIVATED');
    await member.ok('DELETE', `/bots/${user_id}`);
  });

  // rules: bots-18
  test('deactivating a user deactivates all of their bots', async () => {
    const leaving = await server.user();
    const ids: number[] = [];
    for (let count = 0; count < 25; count++) ids.push((await create(leaving)).user_id);
    const first = await asBot(ids[0] ?? 0);
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    const [events] = await eventsDuring([administrator], () =>
      deactivateUser(server.app, organization, leaving.userId),
    );
    const closed = events?.flatMap(({ type, person }) => (type === 'realm_user' ? person.user_id : []));
    assert.deepEqual(closed, [...ids, leaving.userId]);
    assert.equal(events?.filter(({ type }) => type === 'realm_bot').length, ids.length);
    assert.equal((await first.call('GET', '/users/me')).body.code, 'USER_DEACTIVATED');
  });
});

describe('permissions of bots', () => {
  // rules: bots-19
  test('an incoming webhook bot can send messages but use no other endpoint', async () => {
    const { user_id } = await create(member, { bot_type: 2 });
    const webhook = await asBot(user_id);
    assert.equal((await other.ok('GET', `/users/${user_id}`)).user.bot_type, 2);
    await webhook.send('general', 'alerts', 'the loom is down');
    await webhook.direct([member.userId], 'the loom is down');
    for (const [method, path] of [
      ['GET', '/messages'],
      ['GET', '/users/me'],
      ['GET', '/users'],
      ['POST', '/register'],
      ['GET', '/streams'],
      ['GET', '/bot_storage'],
      ['GET', '/avatar/1'],
      ['DELETE', `/bots/${user_id}`],
      ['POST', '/messages/flags'],
    ] as const) {
      const { status, body } = await webhook.call(method, path);
      assert.deepEqual(
        [status, body.code, body.msg],
        [401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'],
        `${method} ${path}`,
      );
    }
    assert.equal((await webhook.call('GET', '/server_settings')).status, 200);
  });

  // rules: bots-20
  test('a bot can post where its owner is subscribed, but not read there', async () => {
    const { user_id } = await create(member);
    const client = await asBot(user_id);
    const hidden = await server.emptyChannel(member, 'workshop', { invite_only: true });
    const foreign = await server.emptyChannel(other, 'attic', { invite_only: true });
    const id = await client.send(hidden, 'topic', 'from the bot');
    assert.equal((await member.ok('GET', `/messages/${id}`)).message.sender_id, user_id);
    const { body } = await client.call('POST', '/messages', { type: 'channel', to: foreign, topic: 't', content: 'c' });
    assert.equal(body.code, 'STREAM_DOES_NOT_EXIST');
    const narrow = [{ operator: 'channel', operand: hidden }];
    const read = await client.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow });
    assert.equal(read.body.code, 'BAD_NARROW');
    const { channels } = { channels: (await client.ok('GET', '/streams')).streams };
    assert(!channels.some((one: Json) => one.stream_id === hidden));
    await administrator.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: other.userId });
    assert.equal(
      (
        await (
          await asBot(user_id)
        ).call('POST', '/messages', { type: 'channel', to: hidden, topic: 't', content: 'c' })
      ).body.code,
      'STREAM_DOES_NOT_EXIST',
    );
  });

  // rules: bots-20
  test('a bot can post where its owner can', async () => {
    const { user_id } = await create(member);
    const client = await asBot(user_id);
    const channel = await server.emptyChannel(owner, 'news');
    const only = { direct_members: [member.userId], direct_subgroups: [] };
    await owner.ok('PATCH', `/streams/${channel}`, { can_send_message_group: { new: only } });
    await client.send(channel, 'topic', 'for my owner');
    await administrator.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: other.userId });
    const sent = { type: 'channel', to: channel, topic: 't', content: 'c' };
    const refusal = await (await asBot(user_id)).fails('POST', '/messages', sent);
    assert.equal(refusal.msg, 'You do not have permission to post in this channel.');
  });

  // rules: bots-20
  test('its owner can subscribe and unsubscribe a bot; another member can only subscribe it', async () => {
    const { user_id } = await create(member);
    await member.subscribe('general', { principals: [user_id] });
    const out = { subscriptions: ['general'], principals: [user_id] };
    assert.equal(
      await refused(other, 'DELETE', '/users/me/subscriptions', out),
      'BAD_REQUEST: Insufficient permission',
    );
    assert.deepEqual((await member.ok('DELETE', '/users/me/subscriptions', out)).removed, ['general']);
  });

  // rules: bots-15
  test('a bot belongs to one organization: administrators of another cannot access it', async () => {
    const { user_id } = await create(member);
    const outsider = await server.organization('strangers');
    assert.equal(await refused(outsider, 'GET', `/bots/${user_id}/api_key`), 'BAD_REQUEST: No such bot');
    assert.equal(await refused(outsider, 'PATCH', `/bots/${user_id}`, { role: 200 }), 'BAD_REQUEST: No such bot');
  });
});
