import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { refuse, TestPhone, TestPushService } from '../../testing/services/push-service.ts';
import { addToken, registerDevice } from './registering.ts';
import { pushOf } from './running.ts';

let service: TestPushService;
let server: TestServer;
let member: TestClient;
before(async () => {
  service = await TestPushService.start();
  server = await startTestServer({ environment: { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' } });
  member = await server.user();
});
after(async () => {
  await server.stop();
  await service.stop();
});

const REGISTER = '/mobile_push/register';

async function devices(client: TestClient): Promise<Json> {
  return (await client.register({ event_types: ['push_device'] })).state.push_devices;
}

/** Reports pending devices to the push service as if they were due now. */
async function introduceNow(at = server): Promise<void> {
  await sql`UPDATE push_devices SET due_at = now() WHERE due_at IS NOT NULL`.execute(at.app.db);
  await pushOf(at.app).settled();
}

// rules: mobile-push-1
test('a registered device is pending until the push service accepts it, then active; only its user receives events', async () => {
  const person = await server.user();
  const queue = await person.register({ event_types: ['push_device'] });
  const otherQueue = await member.register({ event_types: ['push_device'] });
  const phone = new TestPhone();
  await person.ok('POST', REGISTER, phone.registration(service));
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ id, ...event }) => event),
    ['pending', 'active'].map((status) => ({ type: 'push_device', push_account_id: phone.accountId, status })),
  );
  assert.deepEqual(await devices(person), { [phone.accountId]: { status: 'active', error_code: null } });
  assert.deepEqual(await otherQueue.now(), []);
});

// rules: mobile-push-1
test('the push service receives the data that the phone encrypted, and 64-bit numbers without rounding', async () => {
  const phone = new TestPhone();
  await phone.register(await server.user(), service);
  const { body } = await service.arrival(
    ({ endpoint, body }) => endpoint === 'push/e2ee/register' && body.push_account_id === phone.accountId,
  );
  assert.deepEqual(Object.keys(body).toSorted(), [
    'bouncer_public_key',
    'encrypted_push_registration',
    'push_account_id',
    'realm_uuid',
  ]);
  assert.match(body.realm_uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

// rules: mobile-push-2
test('registering a registered device again changes nothing and sends no event', async () => {
  const person = await server.user();
  const phone = await new TestPhone().register(person, service);
  const queue = await person.register({ event_types: ['push_device'] });
  const before = service.arrivals.length;
  await person.ok('POST', REGISTER, { ...phone.registration(service), token_kind: 'apns' });
  await introduceNow();
  assert.deepEqual(await queue.now(), []);
  assert.equal(service.arrivals.length, before);
});

// rules: mobile-push-2
test('a registration refused by the push service fails with its reason, and can be repeated', async () => {
  const person = await server.user();
  const phone = new TestPhone();
  const queue = await person.register({ event_types: ['push_device'] });
  const refusals: Record<string, Json> = {
    INVALID_BOUNCER_PUBLIC_KEY: { bouncer_public_key: 'another' },
    BAD_REQUEST: { encrypted_push_registration: 'not encrypted at all' },
    REQUEST_EXPIRED: phone.registration(service, { timestamp: 1 }),
  };
  for (const [code, wrong] of Object.entries(refusals)) {
    await person.ok('POST', REGISTER, { ...phone.registration(service), ...wrong });
    const [pending, failed] = await queue.take(2);
    assert.deepEqual([pending.status, failed.status, failed.error_code], ['pending', 'failed', code]);
    assert.deepEqual(await devices(person), { [phone.accountId]: { status: 'failed', error_code: code } });
  }
  await person.ok('POST', REGISTER, phone.registration(service));
  assert.deepEqual(
    (await queue.take(2)).map(({ status }) => status),
    ['pending', 'active'],
  );
});

// rules: mobile-push-3
test('registration is retried while the push service fails or does not accept this server', async () => {
  const person = await server.user();
  const phone = new TestPhone();
  const problems: (typeof service.behaviour)[] = [
    (_, response) => {
      response.statusCode = 500;
      response.end('oh');
      return true;
    },
    (_, response) => {
      refuse(response, 403, 'MISSING_REMOTE_REALM');
      return true;
    },
    (_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
      return true;
    },
  ];
  await person.ok('POST', REGISTER, phone.registration(service));
  for (const problem of problems) {
    service.behaviour = problem;
    await introduceNow();
  }
  service.behaviour = undefined;
  await introduceNow();
  assert.equal((await devices(person))[phone.accountId].status, 'active');
});

// rules: mobile-push-3
test('a registration that could not be delivered for a day fails as expired', async () => {
  const person = await server.user();
  const phone = new TestPhone();
  service.behaviour = (_, response) => {
    response.statusCode = 503;
    response.end();
    return true;
  };
  await person.ok('POST', REGISTER, phone.registration(service));
  await introduceNow();
  await sql`UPDATE push_devices SET registered_at = now() - interval '25 hours' WHERE state = 'pending'`.execute(
    server.app.db,
  );
  service.behaviour = undefined;
  await introduceNow();
  assert.deepEqual((await devices(person))[phone.accountId], { status: 'failed', error_code: 'REQUEST_EXPIRED' });
});

// rules: mobile-push-4
test('a push key has 32 bytes, or 33 with the prefix 0x31', async () => {
  const given = new TestPhone().registration(service);
  const message = async (fields: Json) => (await member.fails('POST', REGISTER, { ...given, ...fields })).msg;
  const { push_public_key: _, ...without } = given;
  assert.equal((await member.fails('POST', REGISTER, without)).msg, "Missing 'push_public_key' argument");
  assert.equal(await message({ push_public_key: 'no Base64' }), 'Invalid `push_public_key`');
  assert.equal(await message({ push_public_key: Buffer.alloc(31, 9).toString('base64') }), 'Invalid `push_public_key`');
  assert.equal(await message({ push_public_key: Buffer.alloc(32).toString('base64') }), 'Invalid `push_public_key`');
  assert.equal(await message({ push_key: Buffer.alloc(33, 0x30).toString('base64') }), 'Invalid `push_key`');
  assert.equal(await message({ push_key: Buffer.alloc(32, 0x31).toString('base64') }), 'Invalid `push_key`');
  assert.match(await message({ token_kind: 'web' }), /^Invalid token_kind: Value error, /);
  assert.match(await message({ push_account_id: 'one' }), /push_account_id/);
  assert.match(await message({ push_account_id: String(2n ** 63n) }), /push_account_id is too large/);
});

// rules: mobile-push-4
test('a user has at most 100 registered devices, also with concurrent registrations', async () => {
  const hoarder = await server.user();
  await sql`
    INSERT INTO push_devices (organization_id, user_id, kind, push_account_id, push_key, state)
    SELECT organization_id, id, 'fcm', n, '\\x00', 'failed' FROM users, generate_series(1, 99) AS n
     WHERE id = ${hoarder.userId}`.execute(server.app.db);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => hoarder.call('POST', REGISTER, new TestPhone().registration(service))),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const refused = answers.find(({ status }) => status !== 200);
  assert.equal(refused?.body.msg, 'Too many push devices (limit: 100)');
});

// rules: mobile-push-5
test('tokens are registered and unregistered at the push service; hexadecimal tokens ignore case', async () => {
  const person = await server.user();
  await person.ok('POST', '/users/me/apns_device_token', { token: 'c0ffee01', appid: 'org.zulip.Zulip' });
  await person.ok('POST', '/users/me/apns_device_token', { token: 'C0FFEE01', appid: 'org.zulip.Zulip' });
  await person.ok('POST', '/users/me/android_gcm_reg_id', { token: 'c0ffee01' });
  await introduceNow();
  const about = (endpoint: string) =>
    service.arrivals
      .filter((one) => one.endpoint === endpoint && Number(one.body.user_id) === person.userId)
      .map(({ body }) => [body.token, body.token_kind, body.ios_app_id])
      .toSorted();
  assert.deepEqual(about('push/register'), [
    ['c0ffee01', '1', 'org.zulip.Zulip'],
    ['c0ffee01', '2', undefined],
  ]);
  await person.ok('DELETE', '/users/me/apns_device_token', { token: 'C0FFEE01' });
  await introduceNow();
  assert.deepEqual(about('push/unregister'), [['c0ffee01', '1', undefined]]);
  const again = await person.fails('DELETE', '/users/me/apns_device_token', { token: 'c0ffee01' });
  assert.equal(again.msg, 'Token does not exist');
});

// rules: mobile-push-5
test('an invalid token is refused', async () => {
  const message = async (path: string, fields: Json) => (await member.fails('POST', `/users/me/${path}`, fields)).msg;
  assert.equal(await message('apns_device_token', { token: 'xyz', appid: 'a' }), 'Invalid APNS token');
  assert.equal(await message('apns_device_token', { token: '', appid: 'a' }), 'Empty or invalid length token');
  assert.equal(await message('apns_device_token', { token: 'ab', appid: '* -- +' }), 'appid has invalid format');
  assert.equal(await message('android_gcm_reg_id', { token: '' }), 'Empty or invalid length token');
  assert.match(await message('android_gcm_reg_id', { token: 'x'.repeat(4097) }), /token/);
  assert.equal(
    (await member.fails('DELETE', '/users/me/android_gcm_reg_id', { token: 'none' })).msg,
    'Token does not exist',
  );
});

// rules: mobile-push-5
test('with more than a hundred tokens, the server keeps the newest hundred', async () => {
  const flooder = await server.user();
  await sql`
    INSERT INTO push_devices (organization_id, user_id, kind, token, token_key, state, registered_at)
    SELECT organization_id, id, 'fcm', 't' || n, 'fcm ' || n, 'active', now() - make_interval(secs => 1000 - n)
      FROM users, generate_series(1, 100) AS n WHERE id = ${flooder.userId}`.execute(server.app.db);
  await flooder.ok('POST', '/users/me/android_gcm_reg_id', { token: 'one more' });
  await introduceNow();
  const rows = await server.app.db
    .selectFrom('push_devices')
    .select('token')
    .where('user_id', '=', flooder.userId)
    .execute();
  const tokens = rows.map(({ token }) => token);
  assert.deepEqual([tokens.length, tokens.includes('t1'), tokens.includes('one more')], [100, false, true]);
});

// rules: mobile-push-23
test('a new API key ends all phones of the account, and none of others', async () => {
  const [person, other] = [await server.user(), await server.user()];
  for (const one of [person, other]) {
    await new TestPhone().register(one, service);
    await one.ok('POST', '/users/me/android_gcm_reg_id', { token: `phone of ${one.userId}` });
  }
  await introduceNow();
  await person.ok('POST', '/users/me/api_key/regenerate');
  const activeOf = async ({ userId }: TestClient) => {
    const devices = server.app.db.selectFrom('push_devices').select('id').where('user_id', '=', userId);
    return (await devices.where('state', '=', 'active').execute()).length;
  };
  assert.deepEqual([await activeOf(person), await activeOf(other)], [0, 2]);
  await introduceNow();
  const unregistered = service.arrivals.filter(
    ({ endpoint, body }) => endpoint === 'push/unregister' && String(body.token).startsWith('phone of'),
  );
  assert.deepEqual(
    unregistered.map(({ body }) => body.token),
    [`phone of ${person.userId}`],
  );
});

// rules: mobile-push-23
test('a request that came with the old API key adds no phone after the new one', async () => {
  const person = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  const before = organization?.directory.user(person.userId);
  assert(organization !== undefined && before !== undefined);
  await person.ok('POST', '/users/me/api_key/regenerate');
  const token = { kind: 'fcm', token: 'too late', iosAppId: null } as const;
  const forService = { bouncer_public_key: 'key', encrypted_push_registration: 'data' };
  const device = { kind: 'fcm', accountId: '12345', key: Buffer.alloc(33), forService } as const;
  const refusal = { code: 'UNAUTHORIZED' };
  await assert.rejects(
    organization.transact(before, 'optimistic', (change) => addToken(change, before, token)),
    refusal,
  );
  await assert.rejects(
    organization.transact(before, 'optimistic', (change) => registerDevice(change, before, device)),
    refusal,
  );
});

// rules: mobile-push-6
test('a client device gets an id, appears in the initial state and in events, and can be removed once', async () => {
  const person = await server.user();
  const queue = await person.register({ event_types: ['device'] });
  const { device_id } = await person.ok('POST', '/register_client_device');
  assert.deepEqual(Object.keys((await person.register({ event_types: ['device'] })).state.devices), [
    String(device_id),
  ]);
  const wrong = await member.fails('POST', '/remove_client_device', { device_id });
  assert.equal(wrong.msg, 'Invalid `device_id`');
  await person.ok('POST', '/remove_client_device', { device_id });
  await person.fails('POST', '/remove_client_device', { device_id });
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ op, device_id: id }) => [op, id]),
    [
      ['add', device_id],
      ['remove', device_id],
    ],
  );
});

// rules: mobile-push-6
test('a user has at most 100 client devices: a new one replaces the oldest', async () => {
  const hoarder = await server.user();
  const first = (await hoarder.ok('POST', '/register_client_device')).device_id;
  await sql`
    INSERT INTO client_devices (organization_id, user_id)
    SELECT organization_id, id FROM users, generate_series(1, 99) WHERE id = ${hoarder.userId}`.execute(server.app.db);
  const queue = await hoarder.register({ event_types: ['device'] });
  await hoarder.ok('POST', '/register_client_device');
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ op }) => op),
    ['remove', 'add'],
  );
  assert.equal(events[0]?.device_id, first);
});

// rules: mobile-push-7
test('without a push service, registration fails and the server reports that push is disabled', async () => {
  const without = await startTestServer();
  try {
    const { msg } = await without.owner.fails('POST', REGISTER, new TestPhone().registration(service));
    assert.equal(msg, 'Server is not configured to use push notification service.');
    assert.equal((await without.spectator.ok('GET', '/server_settings')).push_notifications_enabled, false);
    const { state } = await without.owner.register({ fetch_event_types: ['realm'] });
    assert.deepEqual(
      [state.realm_push_notifications_enabled, state.realm_push_notifications_enabled_end_timestamp],
      [false, null],
    );
    assert.equal((await server.spectator.ok('GET', '/server_settings')).push_notifications_enabled, true);
    assert.equal(
      (await member.register({ fetch_event_types: ['realm'] })).state.realm_push_notifications_enabled,
      true,
    );
  } finally {
    await without.stop();
  }
});
