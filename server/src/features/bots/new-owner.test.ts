import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import { type Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

let server: TestServer;
let second: TestServer;
let administrator: TestClient;
let maker: TestClient;
let next: TestClient;
before(async () => {
  server = await startTestServer();
  second = await startTestServer({ shared: server.shared });
  administrator = await server.user({ name: 'Administrator', role: Role.administrator });
  maker = await server.user({ name: 'Maker' });
  next = await server.user({ name: 'Next' });
});
after(async () => {
  await second.stop();
  await server.stop();
});

let made = 0;
const SERVICE = 'https://service.example.com/hook';

async function create(client: TestClient, more: Fields = {}): Promise<Json> {
  made += 1;
  return client.ok('POST', '/bots', { full_name: `Given ${made}`, short_name: `given${made}`, ...more });
}

/** The same client at another process, whatever that process knows of the user. */
function through({ url }: TestServer, { email, apiKey, userId, name }: TestClient): TestClient {
  return new TestClient({ url, host: new URL(url).host, email, apiKey, userId, name });
}

/** Returns a client with the bot's current key. A later change invalidates it. */
async function asBot(botId: number, at: TestServer = server): Promise<TestClient> {
  const { user } = await server.owner.ok('GET', `/users/${botId}`);
  return through(at, await server.sameUser({ email: user.email } as TestClient));
}

/** Waits until the process holds a poll. */
async function held(at: TestServer): Promise<void> {
  const organization = await at.app.organizations.bySubdomain('');
  await until(() => organization?.polls.waiting !== 0, 'a held poll');
}

/** Performs an action and waits until the second process has applied its bot event. */
async function secondApplies(act: () => Promise<unknown>): Promise<void> {
  const queue = await through(second, server.owner).register({ event_types: ['realm_bot'] });
  await act();
  await queue.take(1);
}

/** Returns the bot from the user's initial state. */
async function botFor(client: TestClient, botId: number): Promise<Json> {
  const { state } = await client.register({ fetch_event_types: ['realm_bot'], event_types: [] });
  return state.realm_bots.find((bot: Json) => bot.user_id === botId);
}

function give(by: TestClient, botId: number, more: Fields = {}): Promise<Json> {
  return by.ok('PATCH', `/bots/${botId}`, { bot_owner_id: next.userId, ...more });
}

describe('a bot with another owner', () => {
  // rules: bots-16
  test('has a new API key: every process refuses the old one, and only the new owner and administrators get the new one', async () => {
    const { user_id, api_key } = await create(maker);
    const attic = await server.emptyChannel(next, 'attic', { invite_only: true });
    const before = [await asBot(user_id), await asBot(user_id, second)];
    const queues = await Promise.all(
      [maker, next, administrator].map((client) => client.register({ event_types: ['realm_bot'] })),
    );
    let answer: Json;
    await secondApplies(async () => {
      answer = await give(maker, user_id);
    });
    for (const client of before) {
      const send = { type: 'channel', to: attic, topic: 'topic', content: 'still here' };
      const { status, body } = await client.call('POST', '/messages', send);
      assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED']);
    }
    const key = (await next.ok('GET', `/bots/${user_id}/api_key`)).api_key;
    assert.notEqual(key, api_key);
    assert.equal((await botFor(next, user_id)).api_key, key);
    assert((await next.ok('GET', '/bots')).bots.some((bot: Json) => bot.api_key === key));
    assert.equal((await botFor(administrator, user_id)).api_key, key);
    const events = await Promise.all(queues.map((queue) => queue.now()));
    const [toMaker, toNext, toAdministrator] = events.map((of) => of.map(({ op, bot }) => [op, bot]));
    assert.deepEqual(toMaker, [['delete', { user_id }]]);
    assert.deepEqual(toNext, [['add', await botFor(next, user_id)]]);
    assert.deepEqual(toAdministrator, [
      ['update', { user_id, owner_id: next.userId }],
      ['update', { user_id, api_key: key }],
    ]);
    assert(!JSON.stringify([answer, toMaker]).includes(key));
    assert.equal(await botFor(maker, user_id), undefined);
    await (await asBot(user_id)).send(attic, 'topic', 'from my new owner');
  });

  // rules: bots-16
  test('loses its event queues: waiting polls end at once, in every process', async () => {
    let user_id = 0;
    await secondApplies(async () => {
      user_id = (await create(maker)).user_id;
    });
    const waiting = await Promise.all(
      [server, second].map(async (at) => (await asBot(user_id, at)).register({ event_types: ['message'] })),
    );
    const polls = waiting.map((queue) => queue.unlessGone('next'));
    await Promise.all([held(server), held(second)]);
    await give(administrator, user_id);
    assert.deepEqual(await Promise.all(polls), [undefined, undefined]);
    const bot = await asBot(user_id);
    for (const { id } of waiting) {
      const { code } = await bot.fails('GET', '/events', { queue_id: id, last_event_id: -1, dont_block: true });
      assert.equal(code, 'BAD_EVENT_QUEUE_ID');
    }
  });

  test('loses its scheduled messages', async () => {
    const { user_id } = await create(maker);
    const bot = await asBot(user_id);
    const later = Math.floor(Date.now() / 1000) + 3600;
    const message = { to: [next.userId], content: 'later', scheduled_delivery_timestamp: later };
    await bot.ok('POST', '/scheduled_messages', { type: 'direct', ...message });
    const kept = { ...message, type: 'channel', to: await server.emptyChannel(maker, 'shed'), topic: 'topic' };
    await maker.ok('POST', '/scheduled_messages', kept);
    await give(maker, user_id);
    const of = async (client: TestClient) => (await client.ok('GET', '/scheduled_messages')).scheduled_messages.length;
    assert.deepEqual(await Promise.all([of(await asBot(user_id)), of(maker)]), [0, 1]);
  });

  test('keeps its key if the request names the current owner', async () => {
    const { user_id, api_key } = await create(maker);
    await maker.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: maker.userId, default_all_public_streams: true });
    assert.equal((await botFor(maker, user_id)).api_key, api_key);
  });

  test('also has a new key if the user who reactivates it becomes the owner', async () => {
    const leaver = await server.user({ name: 'Leaver' });
    const { user_id } = await create(leaver);
    const before = await asBot(user_id);
    await administrator.ok('DELETE', `/users/${leaver.userId}`);
    const queue = await administrator.register({ event_types: ['realm_bot'] });
    await administrator.ok('POST', `/users/${user_id}/reactivate`);
    assert.equal((await before.call('GET', '/users/me')).body.code, 'UNAUTHORIZED');
    const { api_key } = await administrator.ok('GET', `/bots/${user_id}/api_key`);
    assert.deepEqual(
      (await queue.now()).map(({ bot: { user_id: _, ...changed } }) => changed),
      [{ owner_id: administrator.userId }, { api_key }, { is_active: true }],
    );
  });
});

describe('an outgoing webhook bot with another owner', () => {
  const outgoing = { bot_type: 3, payload_url: SERVICE };
  const serviceOf = async (client: TestClient, botId: number) => (await botFor(client, botId)).services[0];

  test('has a new token; if an administrator transferred it, it keeps its service URL', async () => {
    const { user_id } = await create(maker, outgoing);
    const before = await serviceOf(maker, user_id);
    const queue = await administrator.register({ event_types: ['realm_bot'] });
    await give(administrator, user_id);
    const service = await serviceOf(next, user_id);
    assert.deepEqual([service.base_url, service.interface], [SERVICE, 1]);
    assert.notEqual(service.token, before.token);
    assert.deepEqual((await queue.now()).at(-1).bot, { user_id, services: [service] });
    await next.ok('PATCH', `/bots/${user_id}`, { service_interface: 2 });
    assert.equal((await serviceOf(next, user_id)).token, service.token);
  });

  test('loses its service URL if a member transferred it, even if the same request names one', async () => {
    const { user_id } = await create(maker, outgoing);
    const answer = await give(maker, user_id, { service_payload_url: 'https://another.example.com' });
    assert.equal(answer.service_payload_url, '');
    assert.equal((await serviceOf(next, user_id)).base_url, '');
  });
});
