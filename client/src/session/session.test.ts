import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../server/src/testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { until } from '../../../server/src/testing/server/until.ts';
import { Connection } from '../calls/connection.ts';
import type { InitialState, ServerEvent } from '../calls/types.ts';
import type { Problem } from './consumer.ts';
import { Session, type SessionOptions } from './session.ts';
import { type SessionStatus, SessionStoppedError } from './status.ts';

let server: TestServer;
let channel: number;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_HEARTBEAT_SECONDS: '1' } });
  channel = await server.emptyChannel(server.owner, 'looms');
});
after(() => server.stop());

/** What the app of a session got. */
interface Heard {
  readonly session: Session;
  readonly states: InitialState[];
  readonly contents: string[];
  readonly statuses: SessionStatus[];
  readonly problems: Problem[];
}

function listen(client: TestClient, options: Partial<SessionOptions> = {}): Heard {
  const heard = { states: [], contents: [], statuses: [], problems: [] } as Omit<Heard, 'session'>;
  const connection = new Connection({
    url: server.url,
    credentials: { email: client.email, apiKey: client.apiKey },
  });
  const session = new Session({
    connection,
    registration: { event_types: ['message'], fetch_event_types: ['realm_user'] },
    onState: (state) => void heard.states.push(state),
    onEvents: (events) => void heard.contents.push(...contentsOf(events)),
    onStatus: (status) => void heard.statuses.push(status),
    onProblem: (problem) => void heard.problems.push(problem),
    ...options,
  });
  return { ...heard, session };
}

function contentsOf(events: readonly ServerEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'message' ? [event.message.content] : []));
}

async function member(): Promise<TestClient> {
  const client = await server.user();
  await client.subscribe('looms');
  return client;
}

const send = (content: string) => server.owner.send(channel, 'cloth', content);

test('a session registers, and hands each event over once and in order', async (t) => {
  const { session, states, contents, statuses } = listen(await member());
  t.after(() => session.stop());
  assert.deepEqual(session.status, { state: 'connecting' });
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  assert.equal(states.length, 1);
  assert.equal(session.queueId, states[0]?.queue_id);
  const sent = Array.from({ length: 30 }, (_, index) => `thread ${index}`);
  for (const content of sent) await send(content);
  await until(() => contents.length >= sent.length, 'all sent messages');
  assert.deepEqual(contents, sent);
  assert.deepEqual(
    statuses.map(({ state }) => state),
    ['live'],
  );
});

test('heartbeats move the session forward without a call of onEvents', async (t) => {
  const { session, contents } = listen(await member());
  t.after(() => session.stop());
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  const start = session.lastEventId ?? 0;
  await server.owner.ok('POST', '/users/me/presence', { status: 'active', ping_only: false, new_user_input: true });
  await server.owner.ok('POST', '/saved_snippets', { title: 'a', content: 'b' });
  await until(() => (session.lastEventId ?? 0) > start, 'a later event id');
  assert.deepEqual(contents, []);
});

test('a session whose queue has ended registers again', async (t) => {
  const client = await member();
  const { session, states, contents, statuses } = listen(client);
  t.after(() => session.stop());
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  const first = session.queueId;
  await client.ok('DELETE', '/events', { queue_id: first });
  await until(() => states.length === 2, 'the second initial state');
  assert.notEqual(session.queueId, first);
  await send('after the second registration');
  await until(() => contents.length > 0, 'the first message');
  assert.deepEqual(contents, ['after the second registration']);
  await until(() => statuses.length >= 3, 'three statuses');
  assert.deepEqual(
    statuses.map(({ state }) => state),
    ['live', 'connecting', 'live'],
  );
});

test('an app that throws gets a new state; an app that always throws does not register without end', async (t) => {
  const states: InitialState[] = [];
  const attempted: string[] = [];
  const { session, problems } = listen(await member(), {
    onState: (state) => void states.push(state),
    onEvents(events) {
      attempted.push(...contentsOf(events));
      throw new Error('the app cannot read this');
    },
  });
  t.after(() => session.stop());
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  for (let count = 1; count <= 5; count += 1) {
    const registered = states.length;
    await send(`knot ${count}`);
    await until(() => attempted.length === count && (count > 3 || states.length > registered), `attempt ${count}`);
  }
  assert.equal(states.length, 4);
  assert.equal(problems.length, 5);
  assert(problems.every(({ kind }) => kind === 'app'));
});

test('a session stops when its credentials are no longer valid', async () => {
  const client = await member();
  const { session } = listen(client);
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  await client.ok('POST', '/users/me/api_key/regenerate');
  session.check();
  await until(() => session.status.state === 'stopped', 'a stopped session');
  assert.equal(session.status.state === 'stopped' && session.status.reason, 'logged-out');
});

test('a session stops when the account is deactivated', async () => {
  const client = await member();
  const { session } = listen(client);
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  await server.owner.ok('DELETE', `/users/${client.userId}`);
  await until(() => session.status.state === 'stopped', 'a stopped session');
  const { status } = session;
  assert(status.state === 'stopped');
  assert.deepEqual([status.reason, status.code], ['deactivated', 'USER_DEACTIVATED']);
});

test('a session stops when the server refuses the registration', async () => {
  const { session } = listen(await member(), { registration: { narrow: [['nonsense', 'operand']] } });
  await session.start();
  await until(() => session.status.state === 'stopped', 'a stopped session');
  const { status } = session;
  assert(status.state === 'stopped');
  assert.equal(status.reason, 'unsupported');
  assert.notEqual(status.message, '');
});

test('stop ends the poll; it can delete the queue', async () => {
  const client = await member();
  const { session, contents } = listen(client);
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  const query = { queue_id: session.queueId, last_event_id: session.lastEventId, dont_block: true };
  await session.stop();
  await client.ok('GET', '/events', query);
  await send('to a stopped session');
  assert.equal((await client.ok('GET', '/events', query)).events.length, 1);
  assert.deepEqual(contents, []);

  const other = listen(client).session;
  await other.start();
  await until(() => other.status.state === 'live', 'a live session of the other client');
  const ended = { ...query, queue_id: other.queueId, last_event_id: other.lastEventId };
  await other.stop({ deleteQueue: true });
  assert.equal((await client.fails('GET', '/events', ended)).code, 'BAD_EVENT_QUEUE_ID');
});

test('events() iterates the events until the session is stopped', async () => {
  const { session } = listen(await member());
  const events = session.events();
  await until(() => session.status.state === 'live', 'a live session');
  await send('one');
  await send('two');
  const contents: string[] = [];
  for await (const event of events) {
    contents.push(...contentsOf([event]));
    if (contents.length === 2) void session.stop();
  }
  assert.deepEqual(contents, ['one', 'two']);
});

test('events() throws when the session stops for another reason', async () => {
  const client = await member();
  const { session } = listen(client);
  const next = session.events().next();
  await until(() => session.status.state === 'live', 'a live session');
  await server.owner.ok('DELETE', `/users/${client.userId}`);
  await assert.rejects(next, (error) => error instanceof SessionStoppedError && error.reason === 'deactivated');
});

test('a session does not poll further while a reader of events() has too many to read', async (t) => {
  const client = await member();
  const [{ session }, other] = [listen(client), listen(client)];
  t.after(() => Promise.all([session.stop(), other.session.stop()]));
  const events = session.events();
  await other.session.start();
  await until(
    () => [session, other.session].every(({ status }) => status.state === 'live'),
    'both sessions to be live',
  );
  // More than the session keeps for a reader.
  for (let batch = 0; batch < 26; batch += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(`${batch}.${index}`)));
  }
  await until(() => other.contents.length === 1_300, '1,300 messages');
  assert((session.lastEventId ?? 0) < (other.session.lastEventId ?? 0));
  const sent = 1_300;
  const received = new Set<string>();
  for await (const event of events) {
    for (const content of contentsOf([event])) received.add(content);
    if (received.size === sent) break;
  }
  assert.equal(received.size, sent);
});

test('events that arrive while the app is busy come in one batch', async (t) => {
  const batches: string[][] = [];
  const ready = Promise.withResolvers<void>();
  const { session } = listen(await member(), {
    onEvents: (events) => void batches.push(contentsOf(events)),
    untilReady: () => ready.promise,
  });
  t.after(() => session.stop());
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  await send('the first thread');
  await until(() => batches.length === 1, 'the first batch');
  for (const content of ['the second thread', 'the third thread']) await send(content);
  ready.resolve();
  await until(() => batches.length > 1, 'the second batch');
  assert.deepEqual(batches, [['the first thread'], ['the second thread', 'the third thread']]);
});

test('a new registration as another user stops the session', async () => {
  const [one, other] = [await member(), await member()];
  const keys = { email: one.email, apiKey: one.apiKey };
  // Like a browser whose cookie changes: the credentials are read for each request.
  const { session } = listen(one, {
    connection: {
      url: server.url,
      call: (operation, ...rest) => new Connection({ url: server.url, credentials: keys }).call(operation, ...rest),
    },
  });
  await session.start();
  await until(() => session.status.state === 'live', 'a live session');
  Object.assign(keys, { email: other.email, apiKey: other.apiKey });
  session.registerAgain();
  await until(() => session.status.state === 'stopped', 'a stopped session');
  assert.equal(session.status.state === 'stopped' && session.status.reason, 'other-account');
});
