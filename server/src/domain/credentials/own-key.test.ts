import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeBot } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const basic = (email: string, apiKey: string) => ({ authorization: `Basic ${btoa(`${email}:${apiKey}`)}` });

// rules: login-5
test('a new API key authenticates, and the old one is refused from then on', async () => {
  const user = await server.user();
  const { apiKey: before } = user;
  const { api_key: key } = await user.ok('POST', '/users/me/api_key/regenerate');
  assert.match(key, /^[A-Za-z0-9]{32}$/);
  assert.notEqual(key, before);
  const old = await user.call('GET', '/users/me', {}, basic(user.email, before));
  assert.deepEqual([old.status, old.body.code, old.body.msg], [401, 'UNAUTHORIZED', 'Invalid API key']);
  assert.equal((await user.ok('GET', '/users/me')).user_id, user.userId);
});

// rules: login-5
test('a pending poll with the old key fails, and its event queue is deleted', async () => {
  const user = await server.user();
  const queue = await user.register({ event_types: ['message'] });
  const held = user.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await user.ok('POST', '/users/me/api_key/regenerate');
  const { status, body } = await held;
  // The poll may have arrived after the key changed.
  assert([400, 401].includes(status));
  assert(['BAD_EVENT_QUEUE_ID', 'UNAUTHORIZED'].includes(body.code));
  const again = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
  const gone = await user.call('GET', '/events', again);
  assert.deepEqual([gone.status, gone.body.code], [400, 'BAD_EVENT_QUEUE_ID']);
});

// rules: login-5
test('another process refuses the old key for polls', async () => {
  const user = await server.user();
  const other = await startTestServer({ shared: server.shared, environment: { HEDDLE_BUS: 'postgres' } });
  try {
    const there = await other.sameUser(user);
    const queue = await there.register({ event_types: ['message'] });
    await user.ok('POST', '/users/me/api_key/regenerate');
    await other.app.organizations.bySubdomain('').then((organization) => organization?.catchUp());
    await there.fails('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId }, 401);
  } finally {
    await other.stop();
  }
});

test('bots cannot regenerate their API key', async () => {
  const bot = await server.user();
  await becomeBot(server, bot.userId, server.owner.userId);
  const { msg } = await bot.fails('POST', '/users/me/api_key/regenerate', {}, 400);
  assert.equal(msg, 'This endpoint does not accept bot requests.');
});
