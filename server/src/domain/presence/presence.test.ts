import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { becomeBot } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deactivateUser } from '../accounts/accounts/actions.ts';
import { presenceStatusOf, presencesOf } from './queries.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
});
after(() => server.stop());

const now = () => Math.floor(Date.now() / 1000);
const report = (client: TestClient, fields: Fields = {}) =>
  client.ok('POST', '/users/me/presence', { status: 'active', ...fields });

async function organizationOf(of: TestServer) {
  const organization = await of.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

/** Writes all changed reports to the database, which assigns their update ids. */
async function written(at = server): Promise<void> {
  await presencesOf(at.app, await organizationOf(at)).flush();
}

/** Makes the user's stored presence older by this number of seconds. Returns a server that starts afterwards. */
async function aged(user: TestClient, seconds: number): Promise<TestServer> {
  await written();
  await sql`UPDATE presences SET connected_at = connected_at - ${seconds} * interval '1 second',
                                 active_at = active_at - ${seconds} * interval '1 second'
             WHERE user_id = ${user.userId}`.execute(server.app.db);
  return startTestServer({ shared: server.shared });
}

/** Runs `act` as the user at another server, for which the stored presence is older by this number of seconds. */
async function later(
  user: TestClient,
  seconds: number,
  act: (client: TestClient, at: TestServer) => Promise<void>,
): Promise<void> {
  const at = await aged(user, seconds);
  try {
    await act(await at.sameUser(user), at);
  } finally {
    await at.stop();
  }
}

/** Whether this is a time between the beginning of the test and now. The server may round it up or down. */
const isSince = (begun: number, value: number) => value >= begun && value <= now() + 2;

// rules: presence-1
test('a report returns presences by email address in the legacy format by default', async () => {
  const [begun, user] = [now(), await server.user()];
  const { presences, server_timestamp, presence_last_update_id } = await report(user);
  const { aggregated, website } = presences[user.email];
  assert(isSince(begun, server_timestamp) && isSince(begun, website.timestamp));
  assert.deepEqual(website, { client: 'website', status: 'active', timestamp: website.timestamp, pushable: false });
  assert.deepEqual(aggregated, { client: 'website', status: 'active', timestamp: website.timestamp });
  assert.equal(typeof presence_last_update_id, 'number');
});

// rules: presence-2
test('slim_presence and last_update_id return two timestamps by user id', async () => {
  const [begun, user] = [now(), await server.user()];
  for (const fields of [{ slim_presence: true }, { last_update_id: -1 }]) {
    const { presences } = await report(user, fields);
    const { active_timestamp, idle_timestamp, ...others } = presences[user.userId];
    assert(isSince(begun, active_timestamp) && isSince(begun, idle_timestamp));
    assert.deepEqual(others, {});
    assert.equal(presences[user.email], undefined);
  }
});

// rules: presence-3
test('last_update_id returns only later changes, and with 0 or less all presences', async () => {
  const [one, two] = [await server.user(), await server.user()];
  await report(one);
  await written();
  const first = await report(two, { last_update_id: -1 });
  assert(one.userId in first.presences);
  await written();
  const second = await report(two, { last_update_id: first.presence_last_update_id });
  assert.deepEqual(Object.keys(second.presences), [String(two.userId)]);
  assert(second.presence_last_update_id > first.presence_last_update_id);
  const third = await report(two, { last_update_id: second.presence_last_update_id });
  assert.deepEqual([third.presences, third.presence_last_update_id], [{}, second.presence_last_update_id]);
  const all = await report(two, { last_update_id: 0 });
  assert(one.userId in all.presences && two.userId in all.presences);
});

// rules: presence-3
test('a last_update_id beyond the newest returns everything, because the database was restored', async () => {
  const user = await server.user();
  const { presences, presence_last_update_id } = await report(user, { last_update_id: 1_000_000 });
  assert(user.userId in presences);
  assert(presence_last_update_id < 1_000_000);
});

// rules: presence-4
test('ping_only returns no presences', async () => {
  const user = await server.user();
  const answer = await report(user, { ping_only: true });
  assert.deepEqual(answer, { result: 'success', msg: '' });
  const { presences } = await owner.ok('GET', '/realm/presence');
  assert(user.email in presences);
});

test('an idle report makes a user present but not active', async () => {
  const user = await server.user();
  await later(user, 0, async (client) => {
    await client.ok('POST', '/users/me/presence', { status: 'idle' });
    const { presence } = await client.ok('GET', `/users/${client.userId}/presence`);
    // A user who was never active has the time of joining as timestamp, which here is now.
    assert.deepEqual(Object.keys(presence).sort(), ['aggregated', 'website']);
    assert.deepEqual(Object.keys(presence.website).sort(), ['status', 'timestamp']);
  });
});

// rules: presence-4
test('status must be active or idle', async () => {
  const body = await owner.fails('POST', '/users/me/presence', { status: 'asleep' });
  assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Invalid status: asleep']);
  assert.equal((await owner.fails('POST', '/users/me/presence')).code, 'REQUEST_VARIABLE_MISSING');
});

// rules: presence-4
test('bots cannot report presence, and have none', async () => {
  const bot = await server.user();
  await becomeBot(server, bot.userId, owner.userId);
  const body = await bot.fails('POST', '/users/me/presence', { status: 'active' });
  assert.equal(body.msg, 'This endpoint does not accept bot requests.');
  const refusal = await owner.fails('GET', `/users/${bot.userId}/presence`);
  assert.equal(refusal.msg, 'Presence is not supported for bot users.');
  assert.equal(typeof (await bot.ok('GET', '/realm/presence')).server_timestamp, 'number');
});

// rules: presence-5
test('a user’s presence is found by id or email address, and is offline after an old report', async () => {
  const user = await server.user();
  for (const named of [user.userId, user.email]) {
    const body = await owner.fails('GET', `/users/${named}/presence`);
    assert.equal(body.msg, `No presence data for ${named}`);
  }
  await report(user);
  for (const named of [user.userId, user.email, user.email.toUpperCase()]) {
    const { presence } = await owner.ok('GET', `/users/${named}/presence`);
    assert.deepEqual(presence.aggregated, presence.website);
    assert.equal(presence.website.status, 'active');
  }
  for (const named of [999_999, 'nobody@example.com', 'me', '99999999999999999999']) {
    assert.equal((await owner.fails('GET', `/users/${named}/presence`)).msg, 'No such user');
  }
  await later(user, 201, async (client) => {
    const { presence } = await client.ok('GET', `/users/${client.userId}/presence`);
    assert.deepEqual([presence.aggregated.status, presence.website.status], ['offline', 'active']);
  });
});

// rules: register-7
test('history_limit_days limits the age of presences: 14 days by default, none with 0', async () => {
  const user = await server.user();
  await report(user);
  const days = (count: number) => count * 86_400;
  await later(user, days(15), async (_, at) => {
    const reader = await at.sameUser(owner);
    const has = async (fields: Fields) =>
      user.userId in (await report(reader, { slim_presence: true, ...fields })).presences;
    assert.equal(await has({}), false);
    assert.equal(await has({ history_limit_days: 16 }), true);
    assert.deepEqual((await report(reader, { last_update_id: -1, history_limit_days: 0 })).presences, {});
    const registered = async (fields: Fields) => {
      const { presences } = (await reader.register({ fetch_event_types: ['presence'], slim_presence: true, ...fields }))
        .state;
      return user.userId in presences;
    };
    assert.deepEqual([await registered({}), await registered({ presence_history_limit_days: 365 })], [false, true]);
    const negative = await reader.fails('POST', '/register', { presence_history_limit_days: -1 });
    assert.equal(negative.code, 'BAD_REQUEST');
  });
});

// rules: register-6
test('POST /register returns presences in the requested format', async () => {
  const [begun, user] = [now(), await server.user()];
  await report(user);
  await written();
  const state = async (fields: Fields) => (await owner.register({ fetch_event_types: ['presence'], ...fields })).state;
  const legacy = await state({});
  assert.equal(legacy.presences[user.email].aggregated.status, 'active');
  const modern = await state({ slim_presence: true });
  assert(isSince(begun, modern.presences[user.userId].active_timestamp));
  assert(modern.presence_last_update_id > 0 && isSince(begun, modern.server_timestamp));
  const ofEvents = { client_capabilities: { simplified_presence_events: true } };
  const capable = await state({ ...ofEvents, slim_presence: false });
  assert.equal(capable.presences[user.email].aggregated.status, 'active');
  assert.equal('presences' in (await state({ fetch_event_types: ['message'] })), false);
});

// rules: register-21
test('a new presence is sent at once, by user id or in the legacy format, as the client supports', async () => {
  const [begun, user] = [now(), await server.user()];
  const simplified = { client_capabilities: { simplified_presence_events: true } };
  const olderQueue = await owner.register({ event_types: ['presence'] });
  const newerQueue = await owner.register({ event_types: ['presence'], ...simplified });
  await report(user);
  await written();
  const [older] = await olderQueue.take(1);
  const [newer] = await newerQueue.take(1);
  const { timestamp } = older.presence.website;
  const { id, server_timestamp, ...rest } = older;
  assert(isSince(begun, server_timestamp));
  assert.deepEqual(rest, {
    type: 'presence',
    user_id: user.userId,
    email: user.email,
    presence: { website: { client: 'website', status: 'active', timestamp, pushable: false } },
  });
  const presences = { [user.userId]: { active_timestamp: timestamp, idle_timestamp: timestamp } };
  assert.deepEqual(newer, { id: newer.id, type: 'presence', presences });
});

// rules: presence-6
test('a report sends an event only if the user was about to be shown as offline', async () => {
  const user = await server.user();
  await report(user);
  for (const [seconds, isTold] of [
    [0, false],
    [60, false],
    [140, true],
  ] as const) {
    await later(user, seconds, async (client, at) => {
      const reader = await at.sameUser(owner);
      const queue = await reader.register({ event_types: ['presence', 'message'] });
      await report(client, { ping_only: true });
      await written(at);
      await reader.direct([reader.userId], 'the last');
      const events = await queue.take(isTold ? 2 : 1);
      assert.deepEqual(
        events.map(({ type }: Json) => type),
        isTold ? ['presence', 'message'] : ['message'],
        `after ${seconds} s`,
      );
    });
  }
});

// rules: presence-9
test('repeated reports of users are written together, once per user', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => server.user()));
  await written();
  const heads = () => server.app.db.selectFrom('presence_heads').select('last_update_id').execute();
  const head = async () => (await heads())[0]?.last_update_id ?? 0;
  const before = await head();
  for (let round = 0; round < 5; round++) {
    await Promise.all(users.map((user) => report(user, { ping_only: true, new_user_input: true })));
  }
  await written();
  assert.equal((await head()) - before, users.length);
});

// rules: presence-7
test('hiding presence stores an earlier time, and showing it again notifies all users', async () => {
  const user = await server.user();
  await report(user);
  await report(owner);
  await written();
  const client_capabilities = { simplified_presence_events: true };
  const queue = await owner.register({ event_types: ['presence'], client_capabilities });
  const seen = async () => (await report(owner, { slim_presence: true })).presences[user.userId];
  await written();

  await user.ok('PATCH', '/settings', { presence_enabled: false });
  const { idle_timestamp } = await seen();
  assert(idle_timestamp < now() - 200, 'offline for every client');
  const answer = await report(user, { slim_presence: true });
  assert(owner.userId in answer.presences, 'the hidden user still sees others');
  assert.deepEqual(await seen(), { active_timestamp: answer.presences[user.userId].active_timestamp, idle_timestamp });
  const { presence } = await owner.ok('GET', `/users/${user.userId}/presence`);
  assert(['offline', 'active'].includes(presence.aggregated.status));
  await written();

  const begun = now();
  await user.ok('PATCH', '/settings', { presence_enabled: true });
  assert(isSince(begun, (await seen()).active_timestamp));
  await written();
  const events = (await queue.take(2)).flatMap(({ presences }: Json) => presences[user.userId] ?? []);
  const shownAsPresent = events.map((event: Json) => event.idle_timestamp > now() - 200);
  assert.deepEqual(shownAsPresent.slice(-2), [false, true]);
  await user.ok('PATCH', '/settings', { presence_enabled: true });
});

test('a deactivated account has no presence', async () => {
  const user = await server.user();
  await report(user);
  await written();
  await deactivateUser(server.app, await organizationOf(server), user.userId);
  const { presences } = await report(owner, { slim_presence: true });
  assert.equal(presences[user.userId], undefined);
  assert.equal((await owner.fails('GET', `/users/${user.userId}/presence`)).msg, 'No such user');
});

// rules: presence-8
test('presence_disabled hides all presences', async () => {
  const user = await server.user();
  const queue = await owner.register({ event_types: ['presence', 'realm'], slim_presence: true });
  assert.equal(queue.state.realm_presence_disabled, false);
  await owner.ok('PATCH', '/realm', { presence_disabled: true });
  await report(user);
  await written();
  const { presences, presence_last_update_id } = await report(owner, { last_update_id: -1 });
  assert.deepEqual([presences, presence_last_update_id], [{}, -1]);
  assert.deepEqual((await owner.ok('GET', '/realm/presence')).presences, {});
  assert.equal((await owner.fails('GET', `/users/${user.userId}/presence`)).msg, `No presence data for ${user.userId}`);
  const { state } = await owner.register({ fetch_event_types: ['presence', 'realm'] });
  assert.deepEqual([state.presences, state.realm_presence_disabled], [{}, true]);
  await owner.ok('PATCH', '/realm', { presence_disabled: false });
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ type }: Json) => type),
    ['realm', 'realm'],
  );
  assert(user.email in (await owner.ok('GET', '/realm/presence')).presences);
});

test('spectators receive no presences', async () => {
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.subscribe('shown', { is_web_public: true });
  const { presences, realm_presence_disabled } = await server.spectator.ok('POST', '/register');
  assert.deepEqual([presences, realm_presence_disabled], [{}, true]);
  for (const path of ['/realm/presence', `/users/${owner.userId}/presence`]) {
    await server.spectator.fails('GET', path, {}, 401);
  }
  await owner.ok('PATCH', '/realm', { enable_spectator_access: false });
});

test('an organization does not receive presences of another one', async () => {
  const foreign = await server.organization('elsewhere');
  await report(foreign);
  const guest = await server.user({ role: Role.guest });
  const { presences } = await report(guest);
  assert.equal(presences[foreign.email], undefined);
  assert.deepEqual(Object.keys((await report(foreign)).presences), [foreign.email]);
  assert.equal((await foreign.fails('GET', `/users/${owner.email}/presence`)).msg, 'No such user');
});

test('presenceStatuses returns active, idle or offline', async () => {
  const [active, idle, hidden, gone] = await Promise.all(Array.from({ length: 4 }, () => server.user()));
  assert(active && idle && hidden && gone);
  await report(active);
  await idle.ok('POST', '/users/me/presence', { status: 'idle' });
  await report(hidden);
  await hidden.ok('PATCH', '/settings', { presence_enabled: false });
  const ids = [active, idle, hidden, gone].map(({ userId }) => userId);
  const statusOf = await presenceStatusOf(server.app, await organizationOf(server));
  assert.deepEqual(ids.map(statusOf), ['active', 'idle', 'offline', 'offline']);
});

// rules: register-5
test('include_subscribers=partial lists bots, the user and recently active subscribers of a large channel', async () => {
  const people = await Promise.all(Array.from({ length: 260 }, () => server.user()));
  const [bot, active, hidden] = people;
  assert(bot && active && hidden);
  await becomeBot(server, bot.userId, owner.userId);
  const principals = people.map(({ userId }) => userId);
  const stream_id = await server.emptyChannel(owner, 'large', { principals });
  const small = await server.emptyChannel(owner, 'small', { principals: principals.slice(0, 100) });
  await report(active);
  await hidden.ok('PATCH', '/settings', { presence_enabled: false });
  await report(hidden);
  await written();
  await sql`UPDATE users SET date_joined = date_joined - interval '30 days' WHERE id = ANY (${principals})`.execute(
    server.app.db,
  );
  const at = await startTestServer({ shared: server.shared });
  try {
    const reader = await at.sameUser(owner);
    const fields = { fetch_event_types: ['subscription'], include_subscribers: 'partial' };
    const { subscriptions } = (await reader.register(fields)).state;
    const of = (id: number) => subscriptions.find((one: Json) => one.stream_id === id);
    const { partial_subscribers, subscribers, subscriber_count } = of(stream_id);
    assert.equal(subscribers, undefined);
    assert.equal(subscriber_count, people.length + 1);
    const expected = [owner, bot, active, hidden].map(({ userId }) => userId).sort((a, b) => a - b);
    assert.deepEqual(
      partial_subscribers.toSorted((a: number, b: number) => a - b),
      expected,
    );
    assert.equal(of(small).subscribers.length, 101);
  } finally {
    await at.stop();
  }
});

// rules: presence-9
test('two processes share presences within a second, and their update ids continue', async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  const one = await startTestServer({ environment });
  const two = await startTestServer({ environment, shared: one.shared });
  try {
    const [user, other] = [await one.user(), await one.user()];
    const reader = await two.sameUser(one.owner);
    const queue = await reader.register({ event_types: ['presence'], slim_presence: true });
    await report(user);
    const [event] = await queue.take(1);
    assert.equal(event.user_id, user.userId);
    const { presences } = await reader.ok('GET', '/realm/presence');
    assert(user.email in presences);
    // Writing its own report makes the process read the others' reports.
    await report(await two.sameUser(other), { ping_only: true });
    await written(two);
    await written(one);
    const { presences: changed } = await report(reader, { last_update_id: 0 });
    assert(user.userId in changed && other.userId in changed);
  } finally {
    await two.stop();
    await one.stop();
  }
});
