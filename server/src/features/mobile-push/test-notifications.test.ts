// timeouts: real
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { type Behaviour, refuse, TestPhone, TestPushService } from '../../testing/services/push-service.ts';
import { pushOf } from './running.ts';

let service: TestPushService;
let server: TestServer;
let person: TestClient;
before(async () => {
  service = await TestPushService.start();
  server = await startTestServer({ environment: { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' } });
});
beforeEach(async () => {
  service.behaviour = undefined;
  service.gone.clear();
  person = await server.user();
});
after(async () => {
  await server.stop();
  await service.stop();
});

const ENCRYPTED = '/mobile_push/e2ee/test_notification';
const PLAIN = '/mobile_push/test_notification';

/** For each failure of the push service, the response to the user. */
const PROBLEMS: readonly (readonly [what: string, behaviour: Behaviour, status: number, code: string])[] = [
  ['answers with a 500', (_, response) => !!response.writeHead(500).end('oh'), 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
  ['answers with no JSON', (_, response) => !!response.end('<p>Welcome'), 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
  ['answers with a list', (_, response) => !!response.end('[]'), 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
  ['answers without end', endless, 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
  ['hangs up', (_, response) => !!response.socket?.destroy(), 502, 'FAILED_TO_CONNECT_BOUNCER'],
  ['redirects', (_, response) => !!response.writeHead(302, { location: '/' }).end(), 403, 'ADMIN_ACTION_REQUIRED'],
  ['does not know this server', refusing(401, 'INVALID_ZULIP_SERVER'), 403, 'ADMIN_ACTION_REQUIRED'],
  ['does not know the organization', refusing(403, 'MISSING_REMOTE_REALM'), 403, 'ADMIN_ACTION_REQUIRED'],
  ['has no plan for it', refusing(400, 'PUSH_NOTIFICATIONS_DISALLOWED'), 403, 'ADMIN_ACTION_REQUIRED'],
  ['does not take it', refusing(400, 'SOMETHING_NEW'), 400, 'BAD_REQUEST'],
];

function refusing(status: number, code: string): Behaviour {
  return (_, response) => {
    refuse(response, status, code);
    return true;
  };
}

/** Writes a gigabyte as long as the client reads it. */
function endless(_: string, response: Parameters<Behaviour>[1]): boolean {
  const piece = Buffer.alloc(1 << 20, ' ');
  let left = 1024;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(piece)) return response.once('drain', more);
    }
    return response.end();
  };
  more();
  return true;
}

for (const hasOneKey of [false, true]) {
  // rules: mobile-push-8
  test(`a test notification arrives, and only the phone can decrypt it, with ${hasOneKey ? 'one key' : 'a pair of keys'}`, async () => {
    const phone = await new TestPhone({ hasOneKey }).register(person, service);
    await person.ok('POST', ENCRYPTED, { push_account_id: phone.accountId });
    const [notification] = phone.received(service);
    assert.deepEqual(notification, {
      type: 'test',
      realm_url: server.app.address.of(''),
      realm_name: 'Organization',
      user_id: person.userId,
      time: notification.time,
    });
    assert(!JSON.stringify(service.arrivals.at(-1)).includes('Organization'));
  });
}

// rules: mobile-push-8
test('a test notification goes to the named device, or to all devices of the user', async () => {
  const [one, two] = [new TestPhone(), new TestPhone({ kind: 'apns' })];
  await one.register(person, service);
  await two.register(person, service);
  const others = await new TestPhone().register(await server.user(), service);
  await person.ok('POST', ENCRYPTED, { push_account_id: two.accountId });
  await person.ok('POST', ENCRYPTED);
  const counts = [one, two, others].map((phone) => phone.received(service).length);
  assert.deepEqual(counts, [1, 2, 0]);
});

// rules: mobile-push-8
test('the request contains the delivery options for Apple’s and Google’s services', async () => {
  const android = await new TestPhone().register(person, service);
  const apple = await new TestPhone({ kind: 'apns' }).register(person, service);
  await person.ok('POST', ENCRYPTED);
  const request = (phone: TestPhone) => service.notified.findLast(({ token }) => token === phone.token)?.request;
  assert.equal(request(android).fcm_priority, 'high');
  assert.deepEqual(request(apple).http_headers, { apns_priority: 10, apns_push_type: 'alert' });
  assert.deepEqual(request(apple).payload.aps, { 'mutable-content': 1, alert: { title: 'New notification' } });
});

// rules: mobile-push-9, errors-10
test('without an active device the request is refused', async () => {
  const refused = async (fields: Json) => {
    const { code, msg } = await person.fails('POST', ENCRYPTED, fields);
    assert.equal(msg, 'No active registered push device');
    return code;
  };
  assert.equal(await refused({}), 'NO_ACTIVE_PUSH_DEVICE');
  const somebody = await server.user();
  const theirs = await new TestPhone().register(somebody, service);
  assert.equal(await refused({ push_account_id: theirs.accountId }), 'NO_ACTIVE_PUSH_DEVICE');
  const own = await new TestPhone().register(person, service);
  assert.equal(await refused({ push_account_id: theirs.accountId }), 'NO_ACTIVE_PUSH_DEVICE');
  service.gone.add(own.token);
  assert.equal(await refused({}), 'NO_ACTIVE_PUSH_DEVICE');
  // The service has reported that the device is gone.
  assert.deepEqual((await person.register({ event_types: ['push_device'] })).state.push_devices, {});
});

// rules: mobile-push-10
test('a device in another organization does not belong to the user', async () => {
  const elsewhere = await server.organization('elsewhere');
  const theirs = await new TestPhone().register(elsewhere, service);
  await person.fails('POST', ENCRYPTED, { push_account_id: theirs.accountId });
  await elsewhere.ok('POST', ENCRYPTED, { push_account_id: theirs.accountId });
  assert.equal(theirs.received(service).length, 1);
});

for (const [what, behaviour, status, code] of PROBLEMS) {
  // rules: mobile-push-9, errors-10
  test(`a push service that ${what} yields ${status} ${code}`, async () => {
    await new TestPhone().register(person, service);
    await person.ok('POST', '/users/me/android_gcm_reg_id', { token: `token of ${what}` });
    await pushOf(server.app).settled();
    service.behaviour = behaviour;
    for (const path of [ENCRYPTED, PLAIN]) {
      const { body, ...answer } = await person.call('POST', path);
      assert.deepEqual([answer.status, body.code], [status, code], path);
    }
  });
}

// rules: mobile-push-9
test('an unreachable push service yields 502 FAILED_TO_CONNECT_BOUNCER', async () => {
  const brief = await TestPushService.start();
  const alone = await startTestServer({ environment: { ...brief.environment, HEDDLE_LOG_LEVEL: 'silent' } });
  try {
    await new TestPhone().register(alone.owner, brief);
    await brief.stop();
    const { code, msg } = await alone.owner.fails('POST', ENCRYPTED, {}, 502);
    assert.equal(code, 'FAILED_TO_CONNECT_BOUNCER');
    assert.equal(msg, 'Network error while connecting to Zulip push notification service.');
  } finally {
    await alone.stop();
    await brief.stop();
  }
});

// rules: mobile-push-9
test('a request to a silent push service times out and does not delay others', async () => {
  await new TestPhone().register(person, service);
  service.behaviour = () => true;
  const waiting = person.call('POST', ENCRYPTED);
  await service.arrival(() => true);
  await person.direct([person.userId], 'meanwhile');
  const { status, body } = await waiting;
  assert.deepEqual([status, body.code], [502, 'FAILED_TO_CONNECT_BOUNCER']);
});

// rules: mobile-push-11
test('a plain test notification contains the device token and the base payload', async () => {
  await person.ok('POST', '/users/me/apns_device_token', { token: 'beef', appid: 'org.zulip.Zulip' });
  await person.ok('POST', '/users/me/android_gcm_reg_id', { token: 'an android' });
  await pushOf(server.app).settled();
  await person.ok('POST', PLAIN, { token: 'beef' });
  const { body } = await service.arrival(
    ({ endpoint, body }) => endpoint === 'push/test_notification' && body.user_id === person.userId,
  );
  const url = server.app.address.of('');
  const home = await server.app.organizations.bySubdomain('');
  assert.deepEqual(
    { ...body, realm_uuid: '', user_uuid: '' },
    {
      realm_uuid: '',
      user_uuid: '',
      user_id: person.userId,
      token: 'beef',
      token_kind: 1,
      base_payload: {
        server: new URL(url).host,
        realm_id: home?.id,
        realm_url: url,
        realm_uri: url,
        realm_name: 'Organization',
        user_id: person.userId,
      },
    },
  );
  await person.ok('POST', PLAIN);
  const tokens = service.arrivals
    .filter(({ endpoint, body }) => endpoint === 'push/test_notification' && body.user_id === person.userId)
    .map((one) => one.body.token);
  assert.deepEqual(tokens.toSorted(), ['an android', 'beef', 'beef']);
});

// rules: mobile-push-11
test('a token of another user and a token unknown to the push service get different errors', async () => {
  const somebody = await server.user();
  await somebody.ok('POST', '/users/me/android_gcm_reg_id', { token: 'theirs' });
  await person.ok('POST', '/users/me/android_gcm_reg_id', { token: 'mine' });
  await pushOf(server.app).settled();
  const foreign = await person.fails('POST', PLAIN, { token: 'theirs' });
  assert.deepEqual([foreign.code, foreign.msg], ['INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized']);
  service.gone.add('mine');
  const unknown = await person.fails('POST', PLAIN, { token: 'mine' });
  assert.deepEqual(
    [unknown.code, unknown.msg],
    ['INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer'],
  );
});

// rules: mobile-push-11
test('a user without tokens gets no plain test notification and no error', async () => {
  const before = service.arrivals.length;
  await person.ok('POST', PLAIN);
  assert.equal(service.arrivals.length, before);
});
