import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import { createChannel } from '@heddle/api/endpoints/channels.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { activeUser } from '../../directory/active-user.ts';
import { loadDirectory } from '../../directory/load.ts';
import type { Organization } from '../../directory/organization.ts';
import type { TestClient } from '../../testing/client.ts';
import { dumpDirectory } from '../../testing/directory-dump.ts';
import type { Json } from '../../testing/json.ts';
import { moveMessages } from '../../testing/message-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { deactivateUser } from '../accounts/actions.ts';
import { planCreating } from '../channel-management/creating.ts';
import { carryOut, type Planned, type Sizes } from './slices.ts';
import { planSubscribing, type Subscribed } from './subscribing.ts';

let server: TestServer;
let organization: Organization;
let owner: TestClient;
let people: readonly [TestClient, TestClient, TestClient];
before(async () => {
  server = await startTestServer();
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  organization = home;
  owner = server.owner;
  people = [await server.user(), await server.user(), await server.user()];
});
after(() => server.stop());

/** Every membership is written before the log is taken. */
const AHEAD: Sizes = { mostInSlice: 10_000, leastAhead: 1 };

let made = 0;
const newName = () => `crowded ${++made}`;
const ids = () => people.map(({ userId }) => userId);

const recordOf = ({ userId }: TestClient) => activeUser(organization.directory, userId);

function joining(
  names: readonly string[],
  principals: readonly number[] = ids(),
  more: object = {},
): Planned<Subscribed> {
  const subscriptions = names.map((name) => ({ name }));
  const parameters = { ...completed(endpoints.subscribe, { subscriptions }), principals: [...principals], ...more };
  const request = { caller: recordOf(owner), parameters, organizationUrl: server.url };
  return planSubscribing(organization.directory, request, AHEAD);
}

/** @param meanwhile happens when the rows are written and the log is not taken yet, the first so many times */
async function done<Answer>(
  { steps, answer }: Planned<Answer>,
  meanwhile?: () => Promise<unknown>,
  times = 1,
): Promise<Answer> {
  let happened = 0;
  const interrupted = steps.map((step) => {
    const { write } = step;
    if (write === undefined || meanwhile === undefined) return step;
    return {
      ...step,
      write: async (...[db, caller]: Parameters<typeof write>) => {
        const written = await write(db, caller);
        if (happened++ < times) await meanwhile();
        return written;
      },
    };
  });
  await carryOut(organization, recordOf(owner), interrupted);
  return answer();
}

async function subscribersOf(name: string): Promise<number[]> {
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name });
  return (await owner.ok('GET', `/streams/${stream_id}/members`)).subscribers.toSorted();
}

const sorted = (...clients: readonly TestClient[]) => clients.map(({ userId }) => userId).toSorted();

async function agree(): Promise<void> {
  const loaded = await loadDirectory(server.app.db, organization.id, organization.directory.server);
  assert(loaded !== undefined);
  assert.deepEqual(dumpDirectory(organization.directory), dumpDirectory(loaded));
}

test('a crowd comes to channels, old and new, by one commit: one event for those who join, and one for their peers', async () => {
  const [first, second, third] = people;
  const [there, anew] = [newName(), newName()];
  await server.emptyChannel(owner, there, { principals: ids() });
  // One has a row of an earlier subscription, with what they had set; one is subscribed.
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: there });
  const settings = [{ stream_id, property: 'color', value: '#0a0b0c' }];
  await first.ok('POST', '/users/me/subscriptions/properties', { subscription_data: settings });
  for (const client of [first, third]) {
    await client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [there] });
  }
  const queues = [
    await owner.register({ event_types: ['subscription'] }),
    await first.register({ event_types: ['subscription'] }),
  ];
  const head = organization.position;
  const { subscribed, already_subscribed } = await done(joining([there, anew]));
  assert.deepEqual(subscribed, {
    [first.userId]: [there, anew],
    [second.userId]: [anew],
    [third.userId]: [there, anew],
  });
  assert.deepEqual(already_subscribed, { [second.userId]: [there] });
  const [others = [], own = []] = await Promise.all(queues.map(async (queue) => (await queue.now()) as Json[]));
  assert.deepEqual(
    others.map(({ op, user_ids }) => [op, user_ids]),
    [
      ['peer_add', sorted(first, third)],
      ['peer_add', sorted(...people)],
    ],
  );
  assert.deepEqual(
    own.flatMap(({ op, subscriptions }) => subscriptions.map((one: Json) => [op, one.name, one.color === '#0a0b0c'])),
    [
      ['add', there, true],
      ['add', anew, false],
    ],
  );
  assert(organization.position > head);
  await agree();
  const { rows } = await sql`SELECT FROM subscriptions WHERE since_event_id < 0 OR since_message_id < 0`.execute(
    server.app.db,
  );
  assert.equal(rows.length, 0);
});

test('a channel is created with a crowd in one commit', async () => {
  const name = newName();
  const parameters = { ...completed(createChannel, { name, subscribers: ids() }), announce: false };
  const queue = await owner.register({ event_types: ['stream', 'subscription'] });
  const request = { creator: recordOf(owner), parameters, organizationUrl: server.url };
  const { id } = await done(planCreating(organization.directory, request, AHEAD));
  assert.equal(organization.directory.channelByName(name)?.id, id);
  assert.deepEqual(
    (await queue.now()).map(({ type, op }: Json) => `${type} ${op}`),
    ['stream create', 'subscription peer_add', 'stream update'],
  );
  await agree();
});

test('while a crowd is written others send, join other channels, and join that one when it is there', async () => {
  const [first, second] = people;
  const [there, other] = [newName(), newName()];
  await server.emptyChannel(owner, there);
  await server.emptyChannel(owner, other);
  let joinedToo: Promise<Json> | undefined;
  const { subscribed } = await done(joining([there]), async () => {
    joinedToo = first.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: there }] });
    await owner.send(there, 'a', 'meanwhile');
    await second.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: other }] });
  });
  assert.equal(Object.keys(subscribed).length, people.length);
  assert.deepEqual((await joinedToo)?.already_subscribed, { [first.userId]: [there] });
  assert.deepEqual(await subscribersOf(there), sorted(owner, ...people));
  // What was sent before the crowd was there is nothing that it has received.
  const { messages } = await first.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: there }],
  });
  assert.deepEqual(messages[0].flags, ['read', 'historical']);
  await agree();
});

test('two crowds for the same channel come one after the other', async () => {
  const [first, second, third] = people;
  const name = newName();
  await server.emptyChannel(owner, name);
  const answers = await Promise.all([
    done(joining([name], [first.userId, second.userId])),
    done(joining([name], [second.userId, third.userId])),
  ]);
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...people));
  assert.equal(answers.flatMap(({ subscribed }) => Object.keys(subscribed)).length, people.length);
  await agree();
});

/** A transaction of somebody else's that has taken the channel. */
async function taken(channelId: number): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: server.shared.url });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock(($1::bigint << 32) | $2)', [organization.id, channelId]);
  return holder;
}

test('a crowd that waits for a channel which another process has taken keeps no other crowd waiting', async () => {
  const [there, other] = [newName(), newName()];
  const holder = await taken(await server.emptyChannel(owner, there));
  await server.emptyChannel(owner, other);
  const waiting = done(joining([there])).catch(() => undefined);
  await done(joining([other]));
  assert.deepEqual(await subscribersOf(other), sorted(owner, ...people));
  assert.deepEqual(await subscribersOf(there), sorted(owner));
  await holder.end();
  await waiting;
  await done(joining([there]));
  assert.deepEqual(await subscribersOf(there), sorted(owner, ...people));
});

test('a process that stops while it has taken a channel keeps nobody from it', async () => {
  const [joiner] = people;
  const name = newName();
  const holder = await taken(await server.emptyChannel(owner, name));
  const ended = new Promise((resolve) => holder.once('end', () => resolve(undefined)));
  // An answer that no buffer between the two holds.
  holder.query("SELECT repeat('x', 1000) FROM generate_series(1, 100000)").catch(() => undefined);
  holder.connection.stream.pause(); // wire name: Node's word for the socket
  await joiner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  assert.deepEqual(await subscribersOf(name), sorted(owner, joiner));
  holder.connection.stream.resume(); // wire name: Node's word for the socket
  await ended;
});

test('a channel that somebody creates while a crowd is written for one of its name is joined by the crowd', async () => {
  const name = newName();
  const { subscribed } = await done(joining([name]), () => server.emptyChannel(owner, name));
  assert.equal(Object.keys(subscribed).length, people.length);
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...people));
  await agree();
});

test('a channel is created with a crowd also where somebody creates another each time that the crowd is written', async () => {
  const name = newName();
  const parameters = { ...completed(createChannel, { name, subscribers: ids() }), announce: false };
  const request = { creator: recordOf(owner), parameters, organizationUrl: server.url };
  const creating = planCreating(organization.directory, request, AHEAD);
  const { id } = await done(creating, () => server.emptyChannel(owner, newName()), Number.POSITIVE_INFINITY);
  assert.equal(organization.directory.channelByName(name)?.id, id);
  assert.deepEqual(await subscribersOf(name), sorted(...people));
  await agree();
});

test('a crowd comes also where somebody of it leaves each time that it is written', async () => {
  const extra = await Promise.all(Array.from({ length: 5 }, () => server.user()));
  const crowd = [...people, ...extra];
  const name = newName();
  await server.emptyChannel(owner, name, { principals: extra.map(({ userId }) => userId) });
  const leave = async () => extra.pop()?.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const written = joining(
    [name],
    crowd.map(({ userId }) => userId),
  );
  await done(written, leave, Number.POSITIVE_INFINITY);
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...crowd));
  await agree();
});

test('channels are created in the order of their ids, also where one comes while a crowd is written', async () => {
  const [name, other] = [newName(), newName()];
  await done(joining([name]), () => server.emptyChannel(owner, other));
  const [later, earlier] = [name, other].map((one) => organization.directory.channelByName(one)?.id ?? 0);
  assert((later ?? 0) > (earlier ?? 0));
  await agree();
});

test('a crowd of which somebody’s account is closed meanwhile does not come, and nothing is left of it', async () => {
  const gone = await server.user();
  const name = newName();
  await server.emptyChannel(owner, name);
  const refused = done(joining([name], [...ids(), gone.userId]), () =>
    deactivateUser(server.app, organization, gone.userId),
  );
  await assert.rejects(refused, { message: 'User is deactivated' });
  assert.deepEqual(await subscribersOf(name), sorted(owner));
  await agree();
});

test('a crowd has read what was moved to the channel before, also what one of them had marked unread', async () => {
  const [reader] = people;
  const [home, elsewhere] = [newName(), newName()];
  await server.emptyChannel(owner, home, { principals: [reader.userId] });
  const to = await server.emptyChannel(owner, elsewhere);
  const message = await owner.send(home, 'a', 'moved');
  for (const op of ['add', 'remove'])
    await reader.ok('POST', '/messages/flags', { messages: [message], op, flag: 'read' });
  await moveMessages(server, [message], to, 'moved');
  await done(joining([elsewhere]));
  assert((await reader.ok('GET', `/messages/${message}`)).message.flags.includes('read'));
});

test('a crowd whose transaction is ended before it has the log is written again', async () => {
  const name = newName();
  await server.emptyChannel(owner, name);
  await done(joining([name]), () =>
    sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`.execute(
      server.app.db,
    ),
  );
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...people));
  await agree();
});
