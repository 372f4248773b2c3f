import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let administrator: TestClient;
let member: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer();
  administrator = await server.user({ name: 'Administrator', role: Role.administrator });
  member = await server.user({ name: 'Member' });
  other = await server.user({ name: 'Other' });
});
after(() => server.stop());

const URL = 'https://service.example.com/hook?of=looms';
let made = 0;

function outgoing(more: Fields = {}): Fields {
  made += 1;
  return {
    full_name: `Reeler ${made}`,
    short_name: `reeler${made}`,
    bot_type: 3,
    payload_url: JSON.stringify(URL),
    ...more,
  };
}

async function create(more: Fields = {}): Promise<Json> {
  return member.ok('POST', '/bots', outgoing(more));
}

/** Returns the bot from the user's initial state. */
async function stateOf(client: TestClient, botId: number): Promise<Json> {
  const { state } = await client.register({ fetch_event_types: ['realm_bot'] });
  return state.realm_bots.find((one: Json) => one.user_id === botId);
}

async function refused(client: TestClient, method: string, path: string, fields: Fields): Promise<string> {
  const { code, msg } = await client.fails(method, path, fields);
  assert.equal(code, 'BAD_REQUEST');
  return msg;
}

async function events(clients: readonly TestClient[], act: () => Promise<unknown>): Promise<Json[][]> {
  const queues = await Promise.all(clients.map((client) => client.register({ event_types: ['realm_bot'] })));
  await act();
  return Promise.all(queues.map(async (queue) => (await queue.now()).map(({ id: _, ...event }) => event)));
}

describe('an outgoing webhook bot', () => {
  // rules: bots-6
  test('its service is visible to its owner and administrators by event, register and GET /bots, and to nobody else', async () => {
    let bot: Json;
    const [own, administrators, others] = await events([member, administrator, other], async () => {
      bot = await create({ interface_type: 2 });
    });
    const services = [{ base_url: URL, interface: 2, token: own?.[0].bot.services[0].token }];
    assert.match(services[0]?.token, /^[A-Za-z0-9]{32}$/);
    assert.notEqual(services[0]?.token, bot.api_key);
    assert.deepEqual(own?.[0].bot.services, services);
    assert.deepEqual(administrators?.[0].bot.services, services);
    assert.equal(own?.[0].bot.bot_type, 3);
    assert.deepEqual(others, []);
    for (const client of [member, administrator])
      assert.deepEqual((await stateOf(client, bot.user_id)).services, services);
    const { bots } = await member.ok('GET', '/bots');
    assert.deepEqual(bots.find((one: Json) => one.api_key === bot.api_key).services, services);
    const { user } = await other.ok('GET', `/users/${bot.user_id}`);
    assert.equal(user.bot_type, 3);
    assert.equal(JSON.stringify(user).includes('service.example.com'), false);
  });

  // rules: bots-6
  test('has a stable token that is not stored in the log', async () => {
    const { user_id } = await create();
    const [{ token }] = (await stateOf(member, user_id)).services;
    await member.ok('POST', `/bots/${user_id}/api_key/regenerate`);
    assert.equal((await stateOf(member, user_id)).services[0].token, token);
    const rows = await server.app.db.selectFrom('events').select('body').execute();
    assert(!rows.some(({ body }) => body.includes(token)));
    const other = await create();
    assert.notEqual((await stateOf(member, other.user_id)).services[0].token, token);
  });

  // rules: bots-7
  test('can change its URL and its format, together or separately; each change sends an event with services', async () => {
    const { user_id } = await create();
    const [{ token }] = (await stateOf(member, user_id)).services;
    const change = async (fields: Fields) => {
      const [own] = await events([member], async () => {
        const answer = await member.ok('PATCH', `/bots/${user_id}`, fields);
        const { base_url, interface: form } = (await stateOf(member, user_id)).services[0];
        assert.deepEqual([answer.service_payload_url, answer.service_interface], [base_url, form]);
      });
      return own;
    };
    const updated = (base_url: string, form: number) => [
      { type: 'realm_bot', op: 'update', bot: { user_id, services: [{ base_url, interface: form, token }] } },
    ];
    const [first, second] = ['http://one.example.com:8080', 'https://two.example.com/'];
    assert.deepEqual(
      await change({ service_payload_url: JSON.stringify(first), service_interface: 2 }),
      updated(first, 2),
    );
    assert.deepEqual(await change({ service_payload_url: second }), updated(second, 2));
    assert.deepEqual(await change({ service_interface: 1 }), updated(second, 1));
    assert.deepEqual(await change({ service_payload_url: second, service_interface: 1 }), []);
    assert.deepEqual(await change({ default_all_public_streams: true }), [
      { type: 'realm_bot', op: 'update', bot: { user_id, default_all_public_streams: true } },
    ]);
    assert.equal((await stateOf(member, user_id)).services[0].base_url, second);
  });

  // rules: bots-6
  test('can be created without a URL and get one later', async () => {
    const { user_id } = await create({ payload_url: undefined });
    assert.equal((await stateOf(member, user_id)).services[0].base_url, '');
    await member.ok('PATCH', `/bots/${user_id}`, { service_payload_url: JSON.stringify(URL), service_interface: 1 });
    assert.equal((await stateOf(member, user_id)).services[0].base_url, URL);
  });

  // rules: bots-6
  test('can be created by members of can_create_bots_group only', async () => {
    const { state } = await server.owner.register({ fetch_event_types: ['realm_user_groups'] });
    const idOf = (name: string) => state.realm_user_groups.find((one: Json) => one.name === name).id;
    await server.owner.ok('PATCH', '/realm', { can_create_bots_group: { new: idOf('role:administrators') } });
    assert.equal(await refused(member, 'POST', '/bots', outgoing()), 'Insufficient permission');
    await server.owner.ok('PATCH', '/realm', { can_create_bots_group: { new: idOf('role:members') } });
    await create();
  });

  // rules: bots-7
  test('can be changed by its owner and by administrators', async () => {
    const { user_id } = await create();
    const fields = { service_payload_url: 'https://elsewhere.example.com' };
    assert.equal(await refused(other, 'PATCH', `/bots/${user_id}`, fields), 'Insufficient permission');
    await administrator.ok('PATCH', `/bots/${user_id}`, fields);
    assert.equal((await stateOf(member, user_id)).services[0].base_url, fields.service_payload_url);
  });

  for (const given of [
    '',
    'service.example.com',
    'ftp://service.example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
    'http:///path',
    'https://a b.example.com',
    'http://127.0.0.:5002',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1',
    'http://example.com:99999',
    'http://example.com/\r\nX-Evil: yes',
    `https://example.com/${'x'.repeat(2048)}`,
  ]) {
    // rules: bots-6
    test(`refuses an invalid URL: ${JSON.stringify(given.slice(0, 40))}`, async () => {
      for (const payload_url of [given, JSON.stringify(given)]) {
        assert.equal(
          await refused(member, 'POST', '/bots', outgoing({ payload_url })),
          'Invalid payload_url: Value error, Not a URL',
        );
      }
      const { user_id } = await create();
      assert.equal(
        await refused(member, 'PATCH', `/bots/${user_id}`, { service_payload_url: given }),
        'Invalid service_payload_url: Value error, Not a URL',
      );
    });
  }

  // rules: bots-6
  test('accepts URLs in every form that clients send', async () => {
    for (const url of [
      'http://localhost:5002',
      'https://bücher.example/',
      'http://[2001:db8::1]/',
      'http://u:p@h.example',
    ]) {
      for (const payload_url of [url, JSON.stringify(url)]) {
        const { user_id } = await create({ payload_url });
        assert.equal((await stateOf(member, user_id)).services[0].base_url, url);
      }
    }
  });

  // rules: bots-6
  test('supports two formats', async () => {
    for (const interface_type of [-1, 0, 3]) {
      assert.equal(await refused(member, 'POST', '/bots', outgoing({ interface_type })), 'Invalid interface type');
    }
    const { user_id } = await create();
    const wrong = { service_interface: 3 };
    assert.equal(await refused(member, 'PATCH', `/bots/${user_id}`, wrong), 'Invalid interface type');
  });

  // rules: bots-7
  test('has a service, unlike other bots, which cannot get one', async () => {
    const { user_id } = await create({ bot_type: 1 });
    assert.deepEqual((await stateOf(member, user_id)).services, []);
    assert.equal(
      await refused(member, 'PATCH', `/bots/${user_id}`, { service_payload_url: URL }),
      'Only outgoing webhook bots have a service.',
    );
    const answer = await member.ok('PATCH', `/bots/${user_id}`);
    assert.deepEqual([answer.service_interface, answer.service_payload_url], [1, null]);
  });

  test('uses the API with its key like a generic bot', async () => {
    await create();
    const bot = await server.sameUser({ email: `reeler${made}-bot@localhost` } as TestClient);
    await bot.send('general', 'by key', 'by itself');
    assert.equal((await bot.ok('GET', '/users/me')).is_bot, true);
  });
});
