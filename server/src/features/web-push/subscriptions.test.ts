import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deactivateUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';
import { MAX_BROWSERS_PER_USER } from './subscriptions.ts';

const password = 'correct horse battery';

let service: TestWebPushService;
let server: TestServer;
before(async () => {
  service = await TestWebPushService.start();
  server = await startTestServer({ environment: service.environment });
});
after(async () => {
  await server.stop();
  await service.stop();
});

const deviceOf = (client: TestClient, fields = {}) =>
  TestWebPushDevice.of(client, { url: server.url, password, service, fields });

async function devices(device: TestWebPushDevice) {
  return (await device.call('GET', '/web_push/devices')).json.devices;
}

/** The subscriptions in the database. */
async function count({ userId }: TestClient): Promise<number> {
  const { rows } = await sql`SELECT FROM web_push_subscriptions WHERE user_id = ${userId}`.execute(server.app.db);
  return rows.length;
}

// rules: web-push-1
test('only clients that know Web Push get the key of the installation, and all processes have the same', async () => {
  const own = async (capabilities: object) => {
    const { state } = await server.owner.register({ event_types: ['realm'], client_capabilities: capabilities });
    return state.web_push_public_key;
  };
  assert.equal(await own({}), undefined);
  const key = await own({ web_push: true });
  assert.equal(Buffer.from(key, 'base64url').length, 65);
  const other = await startTestServer({ shared: server.shared });
  const theirs = await (await other.sameUser(server.owner)).register({ client_capabilities: { web_push: true } });
  assert.equal(theirs.state.web_push_public_key, key);
  await other.stop();
});

// rules: web-push-2
test('a browser subscribes its session, once; the list names it, and it can be removed', async () => {
  const person = await server.user({ password });
  const device = await deviceOf(person, { shows_text: 'false' });
  const other = await deviceOf(person);
  const [first, second] = await devices(device);
  assert.deepEqual([first.device_id, second.device_id].toSorted(), [device.deviceId, other.deviceId].toSorted());
  const own = [first, second].find(({ device_id }) => device_id === device.deviceId);
  const { registered_at, last_used_at, ...rest } = own;
  assert.deepEqual(rest, {
    device_id: device.deviceId,
    is_current: true,
    browser: null,
    system: null,
    shows_text: false,
    last_notified_at: null,
  });
  assert(registered_at >= last_used_at - 1);
  // The same subscription again changes only what is asked for.
  const again = await device.call('POST', '/web_push/subscription', device.subscription);
  assert.equal(again.json.device_id, device.deviceId);
  assert.equal((await devices(device)).find((one: { is_current: boolean }) => one.is_current).shows_text, true);
  // A new one of the same session replaces it.
  const endpoint = service.add(device);
  const replaced = await device.call('POST', '/web_push/subscription', { ...device.subscription, endpoint });
  assert.notEqual(replaced.json.device_id, device.deviceId);
  assert.equal(await count(person), 2);
  const { status } = await device.call('DELETE', `/web_push/devices/${other.deviceId}`);
  assert.equal(status, 200);
  assert.equal((await device.call('DELETE', `/web_push/devices/${other.deviceId}`)).status, 404);
  // A browser that its user has removed knows it, until it subscribes again.
  const isRemoved = async (one: typeof device) => (await one.call('GET', '/web_push/devices')).json.is_removed;
  assert.deepEqual([await isRemoved(device), await isRemoved(other)], [false, true]);
  await other.call('POST', '/web_push/subscription', other.subscription);
  assert.equal(await isRemoved(other), false);
  assert.equal((await other.call('DELETE', '/web_push/subscription')).status, 200);
  assert.equal(await isRemoved(other), false);
  assert.equal((await device.call('DELETE', '/web_push/subscription')).status, 200);
  assert.equal((await device.call('DELETE', '/web_push/subscription')).status, 200);
  assert.deepEqual(await devices(device), []);
});

// rules: web-push-2
test('what no browser says, and addresses that the server must not call, are refused', async () => {
  const person = await server.user({ password });
  const device = await deviceOf(person);
  const refusal = async (fields: object) => {
    const { status, json } = await device.call('POST', '/web_push/subscription', { ...device.subscription, ...fields });
    return status === 200 ? undefined : json.msg;
  };
  const endpoints = [
    'http://push.example.com/1',
    'https://10.0.0.1/1',
    'https://[::1]/1',
    'https://169.254.169.254/latest',
    'https://ada:secret@push.example.com/1',
    'https://push.example.com:25/1',
    'http://127.0.0.2/1',
    'ftp://push.example.com/1',
    'push.example.com',
  ];
  for (const endpoint of endpoints) assert.equal(await refusal({ endpoint }), 'Invalid `endpoint`', endpoint);
  assert.match(await refusal({ endpoint: `https://push.example.com/${'x'.repeat(2000)}` }), /endpoint/);
  assert.equal(await refusal({ p256dh: device.subscription.auth }), 'Invalid `p256dh`');
  assert.equal(await refusal({ auth: 'AAAA' }), 'Invalid `auth`');
  assert.equal(await refusal({ endpoint: 'https://push.example.com/1' }), undefined);
  await person.fails('POST', '/web_push/subscription', device.subscription);
  await person.fails('DELETE', '/web_push/subscription');
});

// rules: web-push-3
test('the eleventh browser replaces the one that is unused for longest', async () => {
  const person = await server.user({ password });
  const all: TestWebPushDevice[] = [];
  for (let index = 0; index < MAX_BROWSERS_PER_USER; index++) all.push(await deviceOf(person));
  const idle = all[3];
  await sql`
    UPDATE sessions SET used_at = now() - interval '30 minutes'
      FROM web_push_subscriptions s
     WHERE s.session_hash = token_hash AND s.id = ${idle?.deviceId}`.execute(server.app.db);
  const last = await deviceOf(person);
  const ids = (await devices(last)).map(({ device_id }: { device_id: number }) => device_id);
  const expected = [...all, last].filter((one) => one !== idle).map(({ deviceId }) => deviceId);
  assert.deepEqual(ids.toSorted(), expected.toSorted());
});

// rules: web-push-3
test('a browser that another account uses now notifies only that one', async () => {
  const [ada, bo] = [await server.user({ password }), await server.user({ password })];
  const device = await deviceOf(ada);
  const visitor = new Visitor(server.url);
  await visitor.logIn(bo.email, password);
  await visitor.get('/accounts/sessions/');
  const token = { 'x-csrftoken': visitor.csrfToken };
  // Without the secret, the address alone takes nothing away.
  const guess = { ...device.subscription, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
  assert.equal((await visitor.send('POST', '/json/web_push/subscription', guess, token)).status, 200);
  assert.deepEqual([await count(ada), await count(bo)], [1, 1]);
  await visitor.send('POST', '/json/web_push/subscription', device.subscription, token);
  assert.deepEqual([await count(ada), await count(bo)], [0, 1]);
});

// rules: web-push-3
test('the subscription ends with its session: a logout, an end in the list, a new password, a deactivation', async () => {
  const person = await server.user({ password });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const [out, listed, other] = [await deviceOf(person), await deviceOf(person), await deviceOf(person)];
  await out.visitor.get('/accounts/sessions/');
  await out.visitor.submit('/accounts/logout/');
  assert.equal(await count(person), 2);
  const { sessions } = (await listed.call('GET', '/users/me/sessions')).json;
  const own = sessions.find(({ is_current }: { is_current: boolean }) => is_current);
  await other.call('DELETE', `/users/me/sessions/${own.session_id}`);
  assert.equal(await count(person), 1);
  await deviceOf(person);
  await other.call('DELETE', '/users/me/sessions');
  assert.equal(await count(person), 1);
  await setPassword(organization, person.userId, 'another horse battery');
  assert.equal(await count(person), 0);
  const leaving = await server.user({ password });
  await deviceOf(leaving);
  await deactivateUser(server.app, organization, leaving.userId);
  assert.equal(await count(leaving), 0);
});

// rules: web-push-6
test('nobody reaches the browsers of another account or organization', async () => {
  const [ada, bo] = [await server.user({ password }), await server.user({ password })];
  const [hers, his] = [await deviceOf(ada), await deviceOf(bo)];
  const elsewhere = await server.organization('elsewhere');
  assert.equal((await his.call('DELETE', `/web_push/devices/${hers.deviceId}`)).status, 404);
  await elsewhere.fails('DELETE', `/web_push/devices/${hers.deviceId}`, {}, 404);
  assert.deepEqual((await elsewhere.ok('GET', '/web_push/devices')).devices, []);
  assert.equal((await devices(his)).length, 1);
  assert.equal(await count(ada), 1);
});
