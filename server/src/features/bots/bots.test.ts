import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role, SystemGroup } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { plainPicture, upload } from '../../testing/clients/uploading.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let administrator: TestClient;
let member: TestClient;
let other: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.user({ name: 'Administrator', role: Role.administrator });
  member = await server.user({ name: 'Member' });
  other = await server.user({ name: 'Other' });
  guest = await server.user({ name: 'Guest', role: Role.guest });
});
after(() => server.stop());

let made = 0;

function newBot(more: Fields = {}): Fields {
  made += 1;
  return { full_name: `Weaver ${made}`, short_name: `weaver${made}`, ...more };
}

async function create(client: TestClient, more: Fields = {}): Promise<Json> {
  return client.ok('POST', '/bots', newBot(more));
}

/** Returns a client that has the bot's key. */
async function asBot(botId: number): Promise<TestClient> {
  const { user } = await owner.ok('GET', `/users/${botId}`);
  return server.sameUser({ email: user.email } as TestClient);
}

async function refused(client: TestClient, method: string, path: string, fields: Fields = {}): Promise<Json> {
  const { code, msg } = await client.fails(method, path, fields);
  return [code, msg];
}

/** Returns the events during an action, without their ids. */
async function eventsDuring(clients: readonly TestClient[], act: () => Promise<unknown>): Promise<Json[][]> {
  const queues = await Promise.all(
    clients.map((client) => client.register({ event_types: ['realm_bot', 'realm_user'], client_gravatar: false })),
  );
  await act();
  const events = await Promise.all(queues.map((queue) => queue.now()));
  return events.map((of) => of.map(({ id: _, ...event }) => event));
}

const ofBots = (events: readonly Json[] | undefined) => events?.filter(({ type }) => type === 'realm_bot');

describe('creating', () => {
  // rules: bots-1
  test('creates a user owned by its creator, with an email address of the organization, and sends events', async () => {
    let bot: Json;
    const fields = newBot({ default_all_public_streams: true });
    const [own, administrators, others] = await eventsDuring([member, administrator, other], async () => {
      bot = await member.ok('POST', '/bots', fields);
    });
    const email = `${fields.short_name}-bot@localhost`;
    const { result: _, msg: __, ...answer } = bot;
    assert.deepEqual(answer, {
      user_id: bot.user_id,
      api_key: (await asBot(bot.user_id)).apiKey,
      avatar_url: bot.avatar_url,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: true,
    });
    const { user } = await other.ok('GET', `/users/${bot.user_id}`, { client_gravatar: false });
    assert.deepEqual(
      [user.email, user.full_name, user.is_bot, user.bot_type, user.bot_owner_id, user.role, user.is_active],
      [email, fields.full_name, true, 1, member.userId, 400, true],
    );
    const event = {
      type: 'realm_bot',
      op: 'add',
      bot: {
        user_id: bot.user_id,
        email,
        full_name: fields.full_name,
        bot_type: 1,
        is_active: true,
        api_key: bot.api_key,
        avatar_url: bot.avatar_url,
        owner_id: member.userId,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: true,
        services: [],
      },
    };
    assert.deepEqual(ofBots(own), [event]);
    assert.deepEqual(ofBots(administrators), [event]);
    assert.deepEqual(ofBots(others), []);
    for (const events of [own, administrators, others]) {
      assert.deepEqual(
        events?.filter(({ type }) => type === 'realm_user').map(({ op, person }) => [op, person.user_id]),
        [['add', bot.user_id]],
      );
    }
    const { state } = await member.register({ fetch_event_types: ['realm_bot'], event_types: [] });
    assert.deepEqual(
      state.realm_bots.find((one: Json) => one.user_id === bot.user_id),
      event.bot,
    );
    assert.deepEqual(
      (await (await asBot(bot.user_id)).ok('GET', '/users/me/subscriptions')).subscriptions,
      [],
      'the bot has no subscriptions',
    );
  });

  // rules: bots-2
  test('register returns their own bots to members, all bots to administrators, and none to guests', async () => {
    const { user_id } = await create(member);
    const idsFor = async (client: TestClient) => {
      const { state } = await client.register({ fetch_event_types: ['realm_bot'], event_types: [] });
      return state.realm_bots.map((one: Json) => one.user_id).includes(user_id);
    };
    assert.deepEqual(await Promise.all([member, owner, administrator, other, guest].map(idsFor)), [
      true,
      true,
      true,
      false,
      false,
    ]);
    const { state } = await guest.register({
      fetch_event_types: ['realm_embedded_bots', 'realm_incoming_webhook_bots'],
      event_types: [],
    });
    assert.deepEqual([state.realm_embedded_bots, state.realm_incoming_webhook_bots], [[], []]);
  });

  for (const short_name of ['', ' ', '@', 'a b', 'a@b', '"a"', 'a..b', 'ä', 'a:b', 'x\r\nBcc', 'x'.repeat(65)]) {
    // rules: bots-3
    test(`a short name that is not valid in an address is refused: ${JSON.stringify(short_name.slice(0, 10))}`, async () => {
      assert.deepEqual(await refused(member, 'POST', '/bots', newBot({ short_name })), [
        'BAD_REQUEST',
        'Bad name or username',
      ]);
    });
  }

  // rules: bots-3
  test('addresses and names of active users are taken; a deactivated bot keeps its address', async () => {
    const fields = newBot();
    const { user_id } = await member.ok('POST', '/bots', fields);
    const { full_name, short_name } = fields;
    assert.deepEqual(await refused(other, 'POST', '/bots', newBot({ short_name })), [
      'BAD_REQUEST',
      'Username already in use',
    ]);
    for (const taken of [full_name, `${full_name}`.toUpperCase(), 'Guest']) {
      assert.deepEqual(await refused(other, 'POST', '/bots', newBot({ full_name: taken })), [
        'BAD_REQUEST',
        'Name is already in use.',
      ]);
    }
    await member.ok('DELETE', `/bots/${user_id}`);
    assert.equal((await refused(other, 'POST', '/bots', newBot({ short_name })))[1], 'Username already in use');
    await other.ok('POST', '/bots', newBot({ full_name }));
  });

  // rules: bots-3
  test('if names must be unique, those of deactivated users are taken too', async () => {
    const { user_id } = await member.ok('POST', '/bots', newBot({ full_name: 'Once Only' }));
    await member.ok('DELETE', `/bots/${user_id}`);
    await owner.ok('PATCH', '/realm', { require_unique_names: true });
    assert.equal(
      (await refused(member, 'POST', '/bots', newBot({ full_name: 'once only' })))[1],
      'Unique names required in this organization.',
    );
    await owner.ok('PATCH', '/realm', { require_unique_names: false });
  });

  // rules: bots-3
  test('bot names follow the rules of user names', async () => {
    for (const [full_name, msg] of [
      ['  ', 'Name too short!'],
      ['x'.repeat(101), 'Name too long!'],
      ['@all', 'Invalid characters in name!'],
      ['Name|7', 'Invalid format!'],
    ]) {
      assert.equal((await refused(member, 'POST', '/bots', newBot({ full_name })))[1], msg);
    }
  });

  // rules: bots-5
  test('unsupported bot types and configurations are refused', async () => {
    for (const [fields, msg] of [
      [{ bot_type: 4, service_name: 'converter' }, 'Embedded bots are not enabled.'],
      [{ bot_type: 5 }, 'Invalid bot type'],
      [{ bot_type: 0 }, 'Invalid bot type'],
      [{ bot_type: 2, service_name: 'helloworld' }, "Invalid integration 'helloworld'."],
      [{ config_data: { key: 'value' } }, 'Invalid configuration data!'],
    ] as const) {
      assert.deepEqual(await refused(member, 'POST', '/bots', newBot(fields)), ['BAD_REQUEST', msg]);
    }
  });

  // rules: bots-4
  test('guests and bots cannot create bots; group settings decide which members can', async () => {
    const bot = await asBot((await create(member)).user_id);
    assert.equal((await refused(guest, 'POST', '/bots', newBot()))[1], 'Not allowed for guest users');
    assert.equal((await refused(bot, 'POST', '/bots', newBot()))[1], 'This endpoint does not accept bot requests.');

    const administrators = await systemGroup(server, SystemGroup.administrators);
    const members = await systemGroup(server, SystemGroup.members);
    await owner.ok('PATCH', '/realm', { can_create_bots_group: { new: administrators } });
    assert.equal((await refused(member, 'POST', '/bots', newBot()))[1], 'Insufficient permission');
    await create(member, { bot_type: 2 });
    await owner.ok('PATCH', '/realm', { can_create_write_only_bots_group: { new: administrators } });
    assert.equal((await refused(member, 'POST', '/bots', newBot({ bot_type: 2 })))[1], 'Insufficient permission');
    await create(administrator);
    await owner.ok('PATCH', '/realm', {
      can_create_bots_group: { new: members },
      can_create_write_only_bots_group: { new: members },
    });
    await create(member);
  });

  // rules: bots-1
  test('a bot can be created with an avatar; an invalid image and a second file are refused', async () => {
    const fields = newBot();
    const { status, body } = await upload(server.url, member, { path: '/bots', fields, file: await plainPicture() });
    assert.equal(status, 200);
    assert.match(body.avatar_url, /^\/user_avatars\/\d+\/\d+-[\da-f]{32}\.png\?version=2$/);
    const html = Buffer.from('<html><script>alert(1)</script></html>');
    const refusal = await upload(server.url, member, {
      path: '/bots',
      fields: newBot(),
      file: html,
      type: 'text/html',
    });
    assert.deepEqual([refusal.status, refusal.body.code], [400, 'BAD_IMAGE']);
    const before = (await member.ok('GET', '/bots')).bots.length;
    const form = new FormData();
    for (const [name, value] of Object.entries(newBot())) form.append(name, `${value}`);
    for (const name of ['one', 'two']) form.append(name, new Blob([new Uint8Array(await plainPicture())]), 'x.png');
    const response = await fetch(`${server.url}/api/v1/bots`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${member.email}:${member.apiKey}`)}` },
      body: form,
    });
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as Json).msg, 'You may only upload one file at a time');
    assert.equal((await member.ok('GET', '/bots')).bots.length, before);
  });

  // rules: bots-1
  test('a multipart form without a file is accepted', async () => {
    const { status, body } = await upload(server.url, member, { path: '/bots', fields: newBot() });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.avatar_url, /^https:\/\/secure\.gravatar\.com\//);
  });

  // rules: bots-14
  test('GET /bots lists the user’s own active bots', async () => {
    const bot = await create(other);
    const gone = await create(other);
    await other.ok('DELETE', `/bots/${gone.user_id}`);
    const { bots } = await other.ok('GET', '/bots');
    const { user } = await other.ok('GET', `/users/${bot.user_id}`);
    assert.deepEqual(bots.at(-1), {
      username: user.email,
      full_name: user.full_name,
      api_key: bot.api_key,
      avatar_url: bot.avatar_url,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    });
    assert(!bots.some((one: Json) => one.api_key === gone.api_key));
  });

  // rules: limits-12
  test('a user has a bounded number of bots, also counting transferred bots', async () => {
    const collector = await server.user();
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    const { user_id: last } = await create(member);
    for (let count = 0; count < 250; count++) await create(collector);
    assert.equal((await refused(collector, 'POST', '/bots', newBot()))[1], 'Too many bots (limit: 250)');
    const given = { bot_owner_id: collector.userId };
    assert.equal((await refused(member, 'PATCH', `/bots/${last}`, given))[1], 'Too many bots (limit: 250)');
  });
});

describe('a bot changed by PATCH /users/{user_id} or reactivated', () => {
  test('its new name reaches its owner and administrators as realm_bot event, others as realm_user event', async () => {
    const { user_id } = await create(member);
    const [own, administrators, others] = await eventsDuring([member, administrator, other], () =>
      administrator.ok('PATCH', `/users/${user_id}`, { full_name: 'Renamed Weaver' }),
    );
    const renamed = { type: 'realm_bot', op: 'update', bot: { user_id, full_name: 'Renamed Weaver' } };
    assert.deepEqual(ofBots(own), [renamed]);
    assert.deepEqual(ofBots(administrators), [renamed]);
    assert.deepEqual(ofBots(others), []);
    const person = { user_id, full_name: 'Renamed Weaver' };
    assert.deepEqual(others, [{ type: 'realm_user', op: 'update', person }]);
    const { state } = await member.register({ fetch_event_types: ['realm_bot'] });
    assert.equal(state.realm_bots.find((bot: Json) => bot.user_id === user_id).full_name, 'Renamed Weaver');
  });

  // rules: users-11
  test('belongs to its owner when it is reactivated', async () => {
    const { user_id } = await create(member);
    const key = (await asBot(user_id)).apiKey;
    await administrator.ok('DELETE', `/bots/${user_id}`);
    const [own, administrators, others] = await eventsDuring([member, administrator, other], () =>
      administrator.ok('POST', `/users/${user_id}/reactivate`),
    );
    const opened = { type: 'realm_bot', op: 'update', bot: { user_id, is_active: true } };
    assert.deepEqual(ofBots(own), [opened]);
    assert.deepEqual(ofBots(administrators), [opened]);
    const person = { user_id, is_active: true };
    assert.deepEqual(others, [{ type: 'realm_user', op: 'update', person }]);
    const bot = await asBot(user_id);
    assert.equal(bot.apiKey, key);
    assert.equal((await bot.ok('GET', '/users/me')).user_id, user_id);
  });

  // rules: users-11
  test('is reactivated by its owner too, who may still create such bots, if no active account has its name', async () => {
    const { full_name, ...fields } = newBot();
    const { user_id } = await member.ok('POST', '/bots', { full_name, ...fields });
    const path = `/users/${user_id}/reactivate`;
    await member.ok('DELETE', `/bots/${user_id}`);
    assert.equal((await refused(other, 'POST', path))[1], 'Insufficient permission');
    const { user_id: twin } = await create(other, { full_name });
    for (const client of [member, administrator]) {
      assert.deepEqual(await refused(client, 'POST', path), [
        'BAD_REQUEST',
        `There is already an active bot named "${full_name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
      ]);
    }
    await other.ok('DELETE', `/bots/${twin}`);

    const administrators = await systemGroup(server, SystemGroup.administrators);
    const { realm_can_create_bots_group: before } = (await owner.register({ fetch_event_types: ['realm'] })).state;
    await owner.ok('PATCH', '/realm', { can_create_bots_group: { new: administrators } });
    assert.equal((await refused(member, 'POST', path))[1], 'Insufficient permission');
    await owner.ok('PATCH', '/realm', { can_create_bots_group: { new: before } });
    await member.ok('POST', path);
    assert.equal((await other.ok('GET', `/users/${user_id}`)).user.is_active, true);
    await member.ok('POST', path);
  });

  // rules: users-11
  test('belongs to the user who reactivates it if its owner is deactivated, and stays theirs', async () => {
    const leaver = await server.user({ name: 'Leaver of a bot' });
    const { user_id } = await create(leaver);
    await administrator.ok('DELETE', `/users/${leaver.userId}`);
    assert.equal(
      (await other.ok('GET', `/users/${user_id}`)).user.is_active,
      false,
      'the bot was deactivated with its owner',
    );
    const [administrators, others] = await eventsDuring([owner, other], () =>
      administrator.ok('POST', `/users/${user_id}/reactivate`),
    );
    const { api_key } = await administrator.ok('GET', `/bots/${user_id}/api_key`);
    assert.deepEqual(ofBots(administrators), [
      { type: 'realm_bot', op: 'update', bot: { user_id, owner_id: administrator.userId } },
      { type: 'realm_bot', op: 'update', bot: { user_id, api_key } },
      { type: 'realm_bot', op: 'update', bot: { user_id, is_active: true } },
    ]);
    assert.deepEqual(
      others?.map(({ person }) => person),
      [
        { user_id, is_active: true },
        { user_id, bot_owner_id: administrator.userId },
      ],
    );
    await administrator.ok('POST', `/users/${leaver.userId}/reactivate`);
    const { state } = await leaver.register({ fetch_event_types: ['realm_bot'] });
    assert.deepEqual(state.realm_bots, []);
    assert.equal((await other.ok('GET', `/users/${user_id}`)).user.bot_owner_id, administrator.userId);
  });
});
