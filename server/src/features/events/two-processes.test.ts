import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

/** Two servers on one database. */
let one: TestServer;
let two: TestServer;
/** The same user at each of them, and another user. */
let readerAtOne: TestClient;
let readerAtTwo: TestClient;
let writerAtOne: TestClient;
let writerAtTwo: TestClient;

before(async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  one = await startTestServer({ environment });
  two = await startTestServer({ environment, shared: one.shared });
  readerAtOne = await one.user({ name: 'Reader' });
  writerAtOne = await one.user({ name: 'Writer' });
  await loaded(two);
  readerAtTwo = await two.sameUser(readerAtOne);
  writerAtTwo = await two.sameUser(writerAtOne);
  await readerAtOne.subscribe('shared');
});
after(async () => {
  await two.stop();
  await one.stop();
});

/** Returns the server's organization, caught up with the log. */
async function loaded(server: TestServer) {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await organization.catchUp();
  return organization;
}

async function held(server: TestServer, count: number): Promise<void> {
  const { polls } = await loaded(server);
  await until(() => polls.waiting === count, `${count} held polls`);
}

/** Polls the queue at another server, as a client does that continues there. */
async function ask(client: TestClient, queue: TestQueue): Promise<Json[]> {
  const { events } = await client.ok('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
  return events;
}

const contents = (events: readonly Json[]) => events.map((event) => event.message.content);

test('a client of one process receives messages sent through the other, in the order of the log', async () => {
  await loaded(two);
  const queue = await readerAtOne.register({ event_types: ['message'] });
  const waiting = queue.next();
  await held(one, 1);
  await writerAtTwo.send('shared', 'topic', 'through the other');
  assert.deepEqual(contents(await waiting), ['through the other']);

  const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
  const sent = await Promise.all(
    texts.map((text, index) => (index % 2 === 0 ? writerAtOne : writerAtTwo).send('shared', 'topic', text)),
  );
  const events = await queue.take(20);
  assert.deepEqual(events.map((event) => event.message.id).toSorted(), sent.toSorted());
  assert.deepEqual(
    events.map((event) => event.message.id),
    sent.toSorted((a, b) => a - b),
    'messages arrive in the order of their ids',
  );
});

test('the other process serves a queue that was registered at one process, also both in turn', async () => {
  const queue = await readerAtOne.register({ event_types: ['message'] });
  await writerAtOne.send('shared', 'topic', 'first');
  assert.deepEqual(contents(await ask(readerAtTwo, queue)), ['first']);
  const waiting = ask(readerAtTwo, queue);
  await held(two, 1);
  await writerAtOne.send('shared', 'topic', 'second');
  assert.deepEqual(contents(await waiting), ['second']);
  await writerAtTwo.send('shared', 'topic', 'third');
  assert.deepEqual(contents(await ask(readerAtOne, queue)), ['third']);
});

test('DELETE at one process ends the poll that the other holds', async () => {
  const queue = await readerAtOne.register({ event_types: ['message'] });
  const waiting = readerAtTwo.fails('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await held(two, 1);
  await readerAtOne.ok('DELETE', '/events', { queue_id: queue.id });
  // The server's clock does this every few seconds.
  await two.app.queues.flush();
  assert.equal((await waiting).code, 'BAD_EVENT_QUEUE_ID');
});

test('typing events reach clients of the other process', async () => {
  const queue = await readerAtTwo.register({ event_types: ['typing'] });
  const waiting = ask(readerAtTwo, queue);
  await held(two, 1);
  await writerAtOne.ok('POST', '/typing', { op: 'start', to: [readerAtOne.userId] });
  const [event] = await waiting;
  assert.equal(event.type, 'typing');
  assert.equal(event.sender.user_id, writerAtOne.userId);
});

test('a process applies changes of the other before it makes its own changes', async () => {
  await Promise.all(
    [readerAtOne, readerAtTwo, writerAtOne, writerAtTwo].flatMap((client, index) =>
      ['same', `own ${index}`].map((name) => client.subscribe(name)),
    ),
  );
  const { subscriptions } = await readerAtTwo.ok('GET', '/users/me/subscriptions', { include_subscribers: true });
  const same = subscriptions.find((subscription: Json) => subscription.name === 'same');
  assert.deepEqual(
    same.subscribers.toSorted((a: number, b: number) => a - b),
    [readerAtOne.userId, writerAtOne.userId],
  );
  // A message through one process can go to a channel that the other has just created.
  await writerAtOne.subscribe('just made');
  const queue = await writerAtTwo.register({ event_types: ['message'] });
  await writerAtTwo.send('just made', 'topic', 'hello');
  assert.deepEqual(contents(await queue.now()), ['hello']);
});

test('I7: the initial state matches its position in the log, whatever the other process writes', async () => {
  await writerAtOne.subscribe('busy');
  for (let round = 0; round < 8; round++) {
    const writing = [
      writerAtTwo.subscribe(`channel ${round}`),
      writerAtOne.subscribe('busy', { principals: [readerAtOne.userId] }),
      readerAtTwo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['busy'] }),
      writerAtTwo.send('shared', 'topic', `${round}`),
    ];
    const queue = await readerAtOne.register({ include_subscribers: true });
    await Promise.all(writing);
    const known = new Map<number, Json>(queue.state.streams.map((channel: Json) => [channel.stream_id, channel]));
    let subscribed: number[] = queue.state.subscriptions.map((one: Json) => one.stream_id);
    let newest: number = queue.state.max_message_id;
    await (await loaded(one)).catchUp();
    for (const event of await queue.now()) {
      if (event.type === 'stream' && event.op === 'create') {
        for (const channel of event.streams) known.set(channel.stream_id, channel);
      } else if (event.type === 'subscription' && event.op === 'add') {
        subscribed = [...subscribed, ...event.subscriptions.map((one: Json) => one.stream_id)];
      } else if (event.type === 'subscription' && event.op === 'remove') {
        const gone = event.subscriptions.map((one: Json) => one.stream_id);
        subscribed = subscribed.filter((id) => !gone.includes(id));
      } else if (event.type === 'message') newest = event.message.id;
    }
    const fresh = (await readerAtTwo.register({ include_subscribers: true })).state;
    assert.deepEqual([...known.keys()].toSorted(), fresh.streams.map((channel: Json) => channel.stream_id).toSorted());
    assert.deepEqual(subscribed.toSorted(), fresh.subscriptions.map((one: Json) => one.stream_id).toSorted());
    assert.equal(newest, fresh.max_message_id);
  }
});

test('reads combine database rows with an equally new directory, even without a notification of the change', async () => {
  // This server does not notify others of its changes.
  const silent = await startTestServer({ environment: { HEDDLE_BUS: 'local' }, shared: one.shared });
  try {
    const ownerAtSilent = await silent.sameUser(one.owner);
    const reads: ((client: TestClient, newcomer: TestClient) => Promise<void>)[] = [
      async (client, { userId, name }) => {
        const window = { anchor: 'newest', num_before: 1, num_after: 0 };
        const [message] = (await client.ok('GET', '/messages', window)).messages;
        assert.deepEqual([message.sender_id, message.sender_full_name], [userId, name]);
      },
      async (client, { userId }) => {
        const [newest] = (await client.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }))
          .messages;
        const { message } = await client.ok('GET', `/messages/${newest.id}`);
        assert.equal(message.sender_id, userId);
      },
      async (client, { name }) => {
        const { subscriptions } = await client.ok('GET', '/users/me/subscriptions');
        assert(subscriptions.some((subscription: Json) => subscription.name === `of ${name}`));
      },
      async (client, { userId, name }) => {
        const narrow = [{ operator: 'sender', operand: userId }];
        const asked = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
        assert.equal((await client.ok('GET', '/messages', asked)).messages.length, 1, name);
      },
      async (client) => {
        const { max_message_id: newest } = await client.ok('GET', '/users/me');
        assert(newest > 0);
      },
    ];
    for (const [index, read] of reads.entries()) {
      const newcomer = await silent.user({ name: `Newcomer ${index}` });
      const own = `of ${newcomer.name}`;
      await ownerAtSilent.subscribe(own, { principals: [newcomer.userId, readerAtOne.userId] });
      await newcomer.send(own, 'hello', 'I am new here');
      await read(readerAtTwo, newcomer);
    }
    // A channel that only the other process knows so far.
    await ownerAtSilent.subscribe('just now');
    await ownerAtSilent.subscribe('just now', { principals: [readerAtOne.userId] });
    await ownerAtSilent.send('just now', 'a topic', 'hello');
    const { stream_id: id } = await ownerAtSilent.ok('GET', '/get_stream_id', { stream: 'just now' });
    const { topics } = await readerAtTwo.ok('GET', `/users/me/${id}/topics`);
    assert(topics.some(({ name }: Json) => name === 'a topic'));
  } finally {
    await silent.stop();
  }
});

test('a process refuses reads of a user whom another process deactivated', async () => {
  const silent = await startTestServer({ environment: { HEDDLE_BUS: 'local' }, shared: one.shared });
  try {
    const leaver = await one.user({ name: 'Leaver' });
    await (await loaded(two)).catchUp();
    const leaverAtTwo = await two.sameUser(leaver);
    await deactivateUser(silent.app, await loaded(silent), leaver.userId);
    const asked = { anchor: 'newest', num_before: 1, num_after: 0 };
    const { status, body } = await leaverAtTwo.call('GET', '/messages', asked);
    assert.deepEqual([status, body.code], [401, 'USER_DEACTIVATED']);
  } finally {
    await silent.stop();
  }
});
