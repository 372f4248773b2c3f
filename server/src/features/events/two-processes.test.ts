import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json, TestClient, TestQueue } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Two servers on one database. */
let one: TestServer;
let two: TestServer;
/** The same account at each of them, and another one. */
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

/** The organization of the server, caught up with the others. */
async function loaded(server: TestServer) {
  const organization = await server.rooms.organizations.bySubdomain('');
  assert(organization !== undefined);
  await organization.catchUp();
  return organization;
}

async function held(server: TestServer, count: number): Promise<void> {
  const { polls } = await loaded(server);
  while (polls.waiting !== count) await nextTurn();
}

/** The queue as a client goes on with it at another server. */
async function ask(client: TestClient, queue: TestQueue): Promise<Json[]> {
  const { events } = await client.ok('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
  return events;
}

const contents = (events: readonly Json[]) => events.map((event) => event.message.content);

test('a client of one process receives what is sent through the other, in the order of the log', async () => {
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
    'messages come in the order of their ids',
  );
});

test('a queue that was registered at one process is served by the other, also by both in turns', async () => {
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

test('DELETE at one process ends the request that is held at the other', async () => {
  const queue = await readerAtOne.register({ event_types: ['message'] });
  const waiting = readerAtTwo.fails('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await held(two, 1);
  await readerAtOne.ok('DELETE', '/events', { queue_id: queue.id });
  // What the clock does every few seconds.
  await two.rooms.queues.flush();
  assert.equal((await waiting).code, 'BAD_EVENT_QUEUE_ID');
});

test('typing reaches the clients of the other process', async () => {
  const queue = await readerAtTwo.register({ event_types: ['typing'] });
  const waiting = ask(readerAtTwo, queue);
  await held(two, 1);
  await writerAtOne.ok('POST', '/typing', { op: 'start', to: [readerAtOne.userId] });
  const [event] = await waiting;
  assert.equal(event.type, 'typing');
  assert.equal(event.sender.user_id, writerAtOne.userId);
});

test('a change through one process is known to the other by the time that it is asked to change something itself', async () => {
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
  // A channel that one process has just made is there for a message through the other.
  await writerAtOne.subscribe('just made');
  const queue = await writerAtTwo.register({ event_types: ['message'] });
  await writerAtTwo.send('just made', 'topic', 'hello');
  assert.deepEqual(contents(await queue.now()), ['hello']);
});

test('I7: the state that one process answers is true for the position that it names, whatever goes through the other', async () => {
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
