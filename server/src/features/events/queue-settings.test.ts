import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import { registerQueue } from '@heddle/api/endpoints/events.ts';
import { IS_WORDS, NARROW_OPERATORS } from '@heddle/api/narrow-vocabulary.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { eventNarrow } from './narrow.ts';
import { queueSettings } from './queue-settings.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('register ignores unknown event types, and duplicate event types and filters', () => {
  const event_types = ['typing', 'message', 'no such thing', 'message', '__proto__'];
  const narrow = [
    ['stream', 'a'],
    ['channel', 'a'],
    ['topic', 'a'],
  ];
  const settings = queueSettings(
    completed(registerQueue, { event_types, narrow }),
    'HeddleTest',
    server.app.presenters,
  );
  assert.deepEqual(settings.eventTypes, ['message', 'typing']);
  assert.deepEqual(settings.narrow, [
    ['channel', 'a'],
    ['topic', 'a'],
  ]);
  assert.equal(queueSettings(completed(registerQueue, {}), 'HeddleTest', server.app.presenters).eventTypes, null);
});

test('the narrow of a queue accepts exactly the operators that the vocabulary lists, by each of these names', () => {
  for (const [name, { olderNames, namesInQueue }] of Object.entries(NARROW_OPERATORS)) {
    const names: readonly string[] = namesInQueue;
    for (const operator of [name, ...olderNames]) {
      const read = () => eventNarrow([[operator, 'dm']]);
      if (names.includes(operator)) assert.deepEqual(read(), [[name, 'dm']]);
      else assert.throws(read, { message: `Operator ${operator} not supported.` });
    }
  }
});

test('the narrow of a queue applies, ignores or refuses each word of `is:` as the vocabulary says', () => {
  for (const [word, { olderNames, inQueue }] of Object.entries(IS_WORDS)) {
    for (const operand of [word, ...olderNames]) {
      const read = () => eventNarrow([['is', operand]]);
      if (inQueue === 'refused') assert.throws(read, { message: `Operand ${operand} not supported.` });
      else assert.deepEqual(read(), inQueue === 'applied' ? [['is', word]] : []);
    }
  }
});

test('event types that have no events still select state', async () => {
  const state = await server.owner.ok('POST', '/register', { event_types: ['realm_emoji', 'no such thing'] });
  assert.deepEqual(state.realm_emoji, {});
});

test('registering and deleting queues with different settings leaves no settings in memory', async () => {
  const { owner, app } = server;
  const before = app.queues.differentSettings;
  for (let n = 0; n < 20; n++) {
    const parameters = { event_types: ['message', `new ${n}`], narrow: [['topic', `new ${n}`]] };
    const { queue_id } = await owner.ok('POST', '/register', parameters);
    await owner.ok('DELETE', '/events', { queue_id });
  }
  assert.equal(app.queues.differentSettings, before);
});

test('when a user exceeds the limit of queues, the server deletes the least recently polled one', async () => {
  const user = await server.user();
  const register = async () => (await user.ok('POST', '/register', { event_types: ['message'] })).queue_id;
  const oldest = await register();
  for (let n = 0; n < 99; n++) await register();
  const newest = await register();
  const body = await user.fails('GET', '/events', { queue_id: oldest, last_event_id: -1, dont_block: true });
  assert.equal(body.code, 'BAD_EVENT_QUEUE_ID');
  await user.ok('GET', '/events', { queue_id: newest, last_event_id: -1, dont_block: true });
  const { rows } = await server.app.pool.query('SELECT count(*)::int AS queues FROM queues WHERE user_id = $1', [
    user.userId,
  ]);
  assert.deepEqual(rows, [{ queues: 100 }]);
});
