import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, type TestContext, test } from 'node:test';
import type { Organization } from '../../directory/organization.ts';
import type { PollAnswer } from '../../log/held-poll.ts';
import type { Queue } from '../../log/queue.ts';
import { trimLogs } from '../../log/retention.ts';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { answerTo } from '../../testing/clients/poll.ts';
import { KEPT_FOR_QUEUES, word } from '../../testing/database/log.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

let server: TestServer;
let member: TestClient;
let organization: Organization;
before(async () => {
  server = await startTestServer();
  server.app.presenters.add('word', { present: (event) => ({ type: 'word', text: event.body }) });
  member = await server.user();
  const loaded = await server.app.organizations.bySubdomain('');
  assert(loaded !== undefined);
  organization = loaded;
});
after(() => server.stop());

/** Appends one `word` event per text, for everyone. */
async function say(...words: readonly string[]): Promise<void> {
  await organization.transact('server', 'exclusive', async ({ append }) => {
    for (const text of words) append(word(text));
  });
}

const registerWords = (client = member) => client.register({ event_types: ['word'] });

/** Returns the events after this cursor, without waiting. */
async function ask(queue: TestQueue, lastEventId: number, more = {}, client = member): Promise<Json[]> {
  const fields = { queue_id: queue.id, last_event_id: lastEventId, dont_block: true, ...more };
  return (await client.ok('GET', '/events', fields)).events;
}

/** Returns the next events of the queue and moves its cursor, as a client does. */
async function advance(queue: TestQueue, more = {}): Promise<Json[]> {
  const events = await ask(queue, queue.lastEventId, more);
  queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
  return events;
}

const texts = (events: readonly Json[]) => events.map((event) => event.text);

/** Deletes all queues, so that the log need not keep events for queues of other tests. */
async function endAllQueues(): Promise<void> {
  await server.app.queues.removeAllOf(organization.id, member.userId);
  await server.app.queues.removeAllOf(organization.id, server.owner.userId);
}

/** Waits until the server holds this many polls. */
async function held(count: number, where = organization): Promise<void> {
  await until(() => where.polls.waiting === count, `${count} held polls`);
}

/** Another process, which sends a heartbeat after a second. A slow machine gets one whenever a test waits, so other tests do without it. */
async function beating(t: TestContext) {
  const other = await startTestServer({ shared: server.shared, environment: { HEDDLE_HEARTBEAT_SECONDS: '1' } });
  t.after(() => other.stop());
  other.app.presenters.add('word', { present: (event) => ({ type: 'word', text: event.body }) });
  const [client, there] = [await other.sameUser(member), await other.app.organizations.bySubdomain('')];
  assert(there !== undefined);
  /** Begins a poll, and resolves when the process holds it or has answered it with a heartbeat. */
  async function hold(queue: TestQueue, lastEventId: number) {
    let isOver = false;
    const answer = ask(queue, lastEventId, { dont_block: false }, client).finally(() => {
      isOver = true;
    });
    await until(() => isOver || there?.polls.waiting === 1, 'a held poll or its answer');
    return { answer };
  }
  return { client, there, hold };
}

test('I3: a poll returns the events after its cursor, and the same cursor returns the same events again', async () => {
  const queue = await registerWords();
  const start = queue.lastEventId;
  assert.deepEqual(await ask(queue, start), []);
  await say('one', 'two');
  const first = await ask(queue, start);
  assert.deepEqual(texts(first), ['one', 'two']);
  assert.deepEqual(await ask(queue, start), first);
  const [one, two] = first;
  assert.deepEqual(texts(await ask(queue, one.id)), ['two']);
  assert.deepEqual(await ask(queue, two.id), []);
  await say('three');
  assert.deepEqual(texts(await ask(queue, start)), ['one', 'two', 'three'], 'also after a poll for later events');
});

test('I3: concurrent polls from different cursors do not make the queue skip events', async (t) => {
  const { client, there, hold } = await beating(t);
  const queue = await registerWords(client);
  const start = queue.lastEventId;
  const others = await client.register({ event_types: ['message'] });
  await there.transact('server', 'exclusive', async ({ append }) => append(word('one')));
  const [one] = await ask(queue, start, {}, client);
  const waiting = await hold(queue, one.id);
  assert.deepEqual(texts(await ask(queue, start, {}, client)), ['one']);
  const ended = await waiting.answer;
  assert.deepEqual(
    ended.filter(({ type }) => type !== 'heartbeat'),
    [],
    'the newer poll ends the older one',
  );
  const again = await hold(queue, one.id);
  assert.deepEqual(texts(await ask(others, start, {}, client)), [], 'the queue skips events of other types');
  const [beat] = await again.answer;
  assert.equal(beat.type, 'heartbeat');
  assert.deepEqual(texts(await ask(queue, start, {}, client)), ['one']);
});

test('last_event_id -1 returns the unacknowledged events; a poll without last_event_id is refused', async () => {
  const queue = await registerWords();
  await say('one', 'two');
  const [one] = await ask(queue, -1);
  assert.equal(one.text, 'one');
  assert.deepEqual(texts(await ask(queue, -1)), ['one', 'two']);
  await ask(queue, one.id);
  assert.deepEqual(texts(await ask(queue, -1)), ['two']);
  const { code, var_name } = await member.fails('GET', '/events', { queue_id: queue.id, dont_block: true });
  assert.deepEqual([code, var_name], ['REQUEST_VARIABLE_MISSING', 'last_event_id']);
});

test('a queue begins at its registration: every process refuses cursors before it', async () => {
  await say('in the initial state');
  const queue = await registerWords();
  await say('after it');
  const other = await startTestServer({ shared: server.shared });
  other.app.presenters.add('word', { present: (event) => ({ type: 'word', text: event.body }) });
  try {
    for (const client of [member, await other.sameUser(member)]) {
      const from = (last_event_id: number) => ({ queue_id: queue.id, last_event_id, dont_block: true });
      for (const id of [queue.state.last_event_id - 1, 0]) {
        const body = await client.fails('GET', '/events', from(id));
        assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', `Event ${id} was not in this queue`]);
      }
      const { events } = await client.ok('GET', '/events', from(queue.state.last_event_id));
      assert.deepEqual(texts(events), ['after it']);
    }
  } finally {
    await other.stop();
  }
});

test('dont_block returns at once, without a heartbeat', async () => {
  const queue = await registerWords();
  assert.deepEqual(await advance(queue), []);
});

// rules: register-24
test('a waiting poll returns the next event, or a heartbeat with the position of the log', async (t) => {
  const queue = await registerWords();
  const next = advance(queue, { dont_block: false });
  await held(1);
  await say('now');
  assert.deepEqual(texts(await next), ['now']);
  const { client, there, hold } = await beating(t);
  // On a slow machine the heartbeat can come before the event.
  const position = await until(async () => {
    const { answer } = await hold(queue, queue.lastEventId);
    await there.transact('server', 'exclusive', async ({ append }) =>
      append({ ...word('not for all'), audience: { to: 'nobody' } }),
    );
    const events = await answer;
    assert.deepEqual(events, [{ id: events[0]?.id, type: 'heartbeat' }]);
    return events[0]?.id === there.position && there.position;
  }, 'a heartbeat after the event');
  assert.deepEqual(await ask(queue, position, {}, client), []);
});

test('the server drops a poll when its client hangs up', async () => {
  const queue = await registerWords();
  const url = `${server.url}/api/v1/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`;
  const authorization = `Basic ${Buffer.from(`${member.email}:${member.apiKey}`).toString('base64')}`;
  const request = get(url, { headers: { authorization } });
  request.on('error', () => undefined);
  await held(1);
  request.destroy();
  await held(0);
  await say('meanwhile');
  assert.deepEqual(texts(await advance(queue)), ['meanwhile']);
});

test('a second poll on a queue ends the first with no events', async () => {
  const queue = await registerWords();
  const first = ask(queue, queue.lastEventId, { dont_block: false });
  await held(1);
  const second = ask(queue, queue.lastEventId, { dont_block: false });
  assert.deepEqual(await first, []);
  await held(1);
  await say('for the second');
  assert.deepEqual(texts(await second), ['for the second']);
});

/**
 * Copies of a queue, as if each belonged to another client: more than the server answers in one turn of the event loop.
 */
async function manyQueuesAt({ polls, id }: Organization, { id: queueId }: TestQueue): Promise<Queue[]> {
  const queue = await server.app.queues.find(id, queueId);
  assert(queue !== undefined && polls.waiting === 0);
  return Array.from({ length: 1000 }, () => ({ ...queue }));
}

test('1000 polling queues each receive every event once and in order, also events appended before their turn', async () => {
  const copies = await manyQueuesAt(organization, await registerWords());
  const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
  const got = copies.map(async (queue) => {
    const own: string[] = [];
    for (let cursor = queue.start; own.length < words.length; ) {
      const answer = await answerTo(organization.polls.poll({ queue, lastEventId: cursor, block: true }));
      assert('events' in answer);
      for (const event of answer.events.map((bytes) => JSON.parse(bytes.toString()))) {
        cursor = event.id;
        if (event.type === 'word') own.push(event.text);
      }
    }
    return own;
  });
  for (const text of words) await say(text);
  for (const own of await Promise.all(got)) assert.deepEqual(own, words);
});

test('polls that wait for their turn at shutdown receive their events; a poll that hangs up receives nothing', async () => {
  const owner = await server.organization('crowded');
  const crowded = await server.app.organizations.bySubdomain('crowded');
  assert(crowded !== undefined);
  const copies = await manyQueuesAt(crowded, await owner.register({ event_types: ['word'] }));
  const polls = copies.map((queue) => crowded.polls.poll({ queue, lastEventId: queue.start, block: true }));
  const held = (await Promise.all(polls)).filter((answer) => 'whenAnswered' in answer);
  assert.equal(held.length, copies.length);
  const answers: PollAnswer[] = [];
  for (const poll of held) poll.whenAnswered({ take: (answer) => answers.push(answer) });
  let inLine = 0;
  crowded.onEvent(() => {
    queueMicrotask(() => {
      inLine = crowded.polls.waiting;
      held.at(-1)?.giveUp();
      assert.equal(crowded.polls.waiting, inLine - 1);
      crowded.polls.close();
    });
  });
  await crowded.transact('server', 'exclusive', async ({ append }) => append(word('the last')));
  assert(inLine > 1, 'the server does not answer all polls in one turn');
  const event = Buffer.from(`{"id":${crowded.position},"type":"word","text":"the last"}`);
  const whole = answers.filter((answer) => 'events' in answer && answer.events.length > 0);
  assert.equal(whole.length, copies.length - 1);
  for (const answer of whole) assert.deepEqual(answer, { events: [event] });
});

test('the server returns a long backlog in batches of limited size', async () => {
  const queue = await registerWords();
  const long = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
  await say(...long);
  const start = queue.lastEventId;
  const sizes: number[] = [];
  const got: string[] = [];
  for (let cursor = start; got.length < long.length; ) {
    const events = await ask(queue, cursor);
    assert(events.length > 0, 'the batches continue to the end');
    got.push(...texts(events));
    sizes.push(events.length);
    cursor = events.at(-1).id;
  }
  assert.deepEqual(got, long);
  assert.deepEqual(sizes, [10, 10, 10]);
});

test('a queue reads from the table when the event buffer does not reach back far enough', async () => {
  const queue = await registerWords();
  const start = queue.lastEventId;
  await say('first');
  for (let count = 0; count < 10; count++)
    await say(...Array.from({ length: 1000 }, (_, index) => `${count} ${index}`));
  const numbers: number[] = [];
  await until(async () => {
    const events = await advance(queue);
    numbers.push(...events.map((event) => event.id));
    return events.length === 0;
  }, 'the last event');
  assert.deepEqual(
    numbers,
    Array.from({ length: 10_001 }, (_, index) => start + 1 + index),
  );
});

test('DELETE ends a queue and its waiting poll', async () => {
  const queue = await registerWords();
  const waiting = member.fails('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await held(1);
  await member.ok('DELETE', '/events', { queue_id: queue.id });
  const { code, queue_id } = await waiting;
  assert.deepEqual([code, queue_id], ['BAD_EVENT_QUEUE_ID', queue.id]);
  const again = await member.fails('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  assert.equal(again.code, 'BAD_EVENT_QUEUE_ID');
  assert.equal((await member.fails('DELETE', '/events', { queue_id: queue.id })).code, 'BAD_EVENT_QUEUE_ID');
});

// rules: errors-12
test('only the owner can use a queue: other users, also of other organizations, get BAD_EVENT_QUEUE_ID', async () => {
  const queue = await registerWords();
  const outsider = await server.organization('strangers');
  for (const other of [server.owner, outsider]) {
    for (const method of ['GET', 'DELETE']) {
      const { code } = await other.fails(method, '/events', { queue_id: queue.id, last_event_id: 0, dont_block: true });
      assert.equal(code, 'BAD_EVENT_QUEUE_ID');
    }
  }
  await say('still there');
  assert.deepEqual(texts(await advance(queue)), ['still there']);
});

test('a poll with a cursor beyond the log gets BAD_EVENT_QUEUE_ID, and the server does not acknowledge that cursor', async () => {
  await endAllQueues();
  const queue = await registerWords();
  const start = queue.lastEventId;
  const { code } = await member.fails('GET', '/events', { queue_id: queue.id, last_event_id: start + 1000 });
  assert.equal(code, 'BAD_EVENT_QUEUE_ID');
  await say('kept');
  await server.app.queues.flush();
  await trimLogs(server.app.db, KEPT_FOR_QUEUES);
  assert.deepEqual(texts(await ask(queue, start)), ['kept']);
});

// rules: register-23
test('the server deletes a queue whose events the log no longer keeps', async () => {
  await endAllQueues();
  const stuck = await registerWords();
  await say('one', 'two', 'three');
  await trimLogs(server.app.db, { ...KEPT_FOR_QUEUES, maxEvents: 1 });
  const { queues } = server.app;
  // A flush reports the queues that were polled since the last flush. The server's own clock may flush at any time.
  await until(async () => {
    const queue = queues.inMemory(organization.id, stuck.id);
    if (queue === undefined) return true;
    queues.touch(queue, queue.acknowledgedId);
    await queues.flush();
    return false;
  }, 'the deletion of the queue');
  const { code } = await member.fails('GET', '/events', { queue_id: stuck.id, last_event_id: stuck.lastEventId });
  assert.equal(code, 'BAD_EVENT_QUEUE_ID');
  const { rows } = await server.app.pool.query('SELECT FROM queues WHERE id = $1', [stuck.id]);
  assert.equal(rows.length, 0);
});

test('the log keeps the events that a live queue can request, and refuses older cursors', async () => {
  await endAllQueues();
  const lagging = await registerWords();
  const { db, queues } = server.app;
  await say('one', 'two', 'three');
  const quick = await registerWords();
  await queues.flush();
  await trimLogs(db, KEPT_FOR_QUEUES);
  assert.deepEqual(texts(await ask(lagging, lagging.lastEventId)), ['one', 'two', 'three']);

  const [one] = await ask(lagging, lagging.lastEventId);
  await ask(lagging, one.id);
  await queues.flush();
  await trimLogs(db, { ...KEPT_FOR_QUEUES, minSeconds: 3600 });
  const { rows } = await server.app.pool.query('SELECT min(id) AS first FROM events WHERE organization_id = $1', [
    organization.id,
  ]);
  assert.equal(
    rows[0].first <= lagging.lastEventId + 1,
    true,
    'recent events stay, even if every queue has acknowledged them',
  );
  await trimLogs(db, KEPT_FOR_QUEUES);

  // This process does not have the events in memory.
  const other = await startTestServer({ shared: server.shared });
  other.app.presenters.add('word', { present: (event) => ({ type: 'word', text: event.body }) });
  try {
    const client = await other.sameUser(member);
    const pruned = await client.fails('GET', '/events', { queue_id: lagging.id, last_event_id: lagging.lastEventId });
    assert.equal(pruned.msg, `An event newer than ${lagging.lastEventId} has already been pruned!`);
    const { events } = await client.ok('GET', '/events', { queue_id: lagging.id, last_event_id: one.id });
    assert.deepEqual(texts(events), ['two', 'three']);
    const none = await client.ok('GET', '/events', {
      queue_id: quick.id,
      last_event_id: quick.lastEventId,
      dont_block: true,
    });
    assert.deepEqual(none.events, []);
  } finally {
    await other.stop();
  }
});

test('I3: queues survive a restart: no event is lost and no client registers again', async () => {
  const before = await startTestServer({ shared: server.shared });
  const client = await before.sameUser(member);
  const queue = await client.register({ event_types: ['word', 'message'] });
  await before.emptyChannel(client, 'restarts');
  await client.send('restarts', 'topic', 'before');
  const [seen] = await queue.take(1);
  await client.send('restarts', 'topic', 'not fetched');
  await before.stop();
  await organization.catchUp();
  await member.send('restarts', 'topic', 'while it was down');

  const restarted = await startTestServer({ shared: server.shared });
  try {
    const again = await restarted.sameUser(member);
    await again.send('restarts', 'topic', 'after');
    const { events } = await again.ok('GET', '/events', { queue_id: queue.id, last_event_id: seen.id });
    assert.deepEqual(
      events.map((event: Json) => event.message.content),
      ['not fetched', 'while it was down', 'after'],
    );
  } finally {
    await restarted.stop();
  }
});

test('a process returns only events that it has applied, because it does not know the audience of later ones', async () => {
  const queue = await member.register({ event_types: ['message'] });
  await say('older than what the other process will have in memory');
  const other = await startTestServer({ shared: server.shared });
  try {
    const client = await other.sameUser(member);
    const there = await other.app.organizations.bySubdomain('');
    await server.emptyChannel(member, 'unknown to the other');
    await member.send('unknown to the other', 'topic', 'hello');
    const contents: string[] = [];
    let cursor = queue.lastEventId;
    for (const moment of ['before', 'after'] as const) {
      if (moment === 'after') await there?.catchUp();
      const fields = { queue_id: queue.id, last_event_id: cursor, dont_block: true };
      const { events } = await client.ok('GET', '/events', fields);
      contents.push(...events.map((event: Json) => event.message.content));
      cursor = events.at(-1)?.id ?? cursor;
    }
    assert.deepEqual(contents, ['hello']);
  } finally {
    await other.stop();
  }
});

// rules: register-23, errors-12
test('the server deletes a queue after the idle time and not before; a queue with a waiting poll is not idle', async () => {
  const impatient = await startTestServer({
    recurringJobs: ['collect-queues'],
    environment: { HEDDLE_QUEUE_IDLE_SECONDS: '1', HEDDLE_HEARTBEAT_SECONDS: '1' },
  });
  try {
    const { owner, app } = impatient;
    // timing: the idle time is the rule, and a slow machine only makes it longer
    const begun = performance.now();
    const idle = await owner.register({ event_types: ['message'] });
    const busy = await owner.register({ event_types: ['message'] });
    const lastFetch = async () => {
      const { rows } = await app.pool.query(
        'SELECT extract(epoch FROM now() - last_fetched_at)::float8 AS age FROM queues WHERE id = $1',
        [idle.id],
      );
      return rows[0]?.age as number | undefined;
    };
    let isOver = false;
    const polling = (async () => {
      // timing: each poll ends with a heartbeat
      while (!isOver) await busy.next();
    })();
    let last = 0;
    await until(async () => {
      const age = await lastFetch();
      assert(age === undefined || age >= last, 'no request refreshes the queue');
      last = age ?? last;
      return age === undefined;
    }, 'the deletion of the idle queue');
    // timing: as above
    assert(performance.now() - begun >= 1000, 'the queue was not idle for a second');
    isOver = true;
    await polling;
    const { code } = await owner.fails('GET', '/events', { queue_id: idle.id, last_event_id: idle.lastEventId });
    assert.equal(code, 'BAD_EVENT_QUEUE_ID');
    assert.deepEqual(await busy.now(), []);
  } finally {
    await impatient.stop();
  }
});
