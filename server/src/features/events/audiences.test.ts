import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { userRecord } from '../../directory/load.ts';
import { Role } from '../../directory/records.ts';
import { changeRole } from '../../domain/accounts/accounts/actions.ts';
import { addSubscribers } from '../../domain/channel-management/subscriptions/actions.ts';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { fc } from '../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let users: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  users = [await server.user(), await server.user(), await server.user({ role: Role.guest })];
});
after(() => server.stop());

async function organizationOf(of: TestServer) {
  const organization = await of.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

/** Counts the rows of each table, after the background readers of the log and their jobs. */
async function rowCounts(): Promise<Record<string, number>> {
  const { db, consumers, jobs } = server.app;
  await consumers.settled();
  await jobs.settled();
  const tables = await sql<{
    name: string;
  }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ count: number }>`SELECT count(*) FROM ${sql.table(name)}`.execute(db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

/**
 * Creates a channel with that many subscribers, one of whom sends. Returns the rows that a second message adds to each
 * table.
 */
async function rowsOfASend(subscribers: number): Promise<Record<string, number>> {
  const name = `of ${subscribers}`;
  await server.owner.subscribe(name);
  const organization = await organizationOf(server);
  await organization.transact('server', 'exclusive', async (change) => {
    const { rows } = await sql<Parameters<typeof userRecord>[0]>`
      INSERT INTO users (organization_id, email, delivery_email, full_name, role)
      SELECT ${organization.id}, 'u' || n || ${`@${subscribers}`}, 'u' || n || ${`@${subscribers}`}, 'User ' || n, 400
        FROM generate_series(2, ${subscribers}) AS n
      RETURNING *`.execute(change.db);
    const added = rows.map(userRecord);
    const deltas = added.map((user) => ({ delta: 'user', user }));
    change.append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
    const channel = organization.directory.channelByName(name);
    assert(channel !== undefined);
    await addSubscribers(change, [{ channel, userIds: added.map((user) => user.id) }]);
  });
  await server.owner.send(name, 'topic', 'the first message changes the channel');
  const before = await rowCounts();
  await server.owner.send(name, 'topic', 'hello', { read_by_sender: true });
  const counts = await rowCounts();
  const channelId = organization.directory.channelByName(name)?.id ?? 0;
  assert.equal(organization.directory.subscriptions.of(channelId).size, subscribers);
  return Object.fromEntries(Object.entries(counts).map(([table, count]) => [table, count - (before[table] ?? 0)]));
}

test('I5: a send writes the same rows whether 10 or 10,000 are subscribed', async () => {
  const few = await rowsOfASend(10);
  const many = await rowsOfASend(10_000);
  assert.deepEqual(many, few);
  const { messages, events, message_flags } = few;
  assert.deepEqual({ messages, events, message_flags }, { messages: 1, events: 1, message_flags: 1 });
});

interface Step {
  readonly do: 'subscribe' | 'unsubscribe' | 'send' | 'type';
  readonly whom: number;
}

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('subscribe', 'subscribe', 'unsubscribe', 'send', 'send', 'type'),
    whom: fc.nat({ max: 2 }),
  }),
  { minLength: 5, maxLength: 15 },
);

let runs = 0;

/** The messages and `typing` events of a queue. Typing events follow the same audience rule as messages. */
function received(events: readonly Json[]): string[] {
  return events.map((event) => (event.type === 'message' ? event.message.content : `typing ${event.topic}`));
}

async function fetchAt(at: TestServer, client: TestClient, queue: TestQueue): Promise<string[]> {
  const there = at === server ? client : await at.sameUser(client);
  const fields = { queue_id: queue.id, last_event_id: queue.state.last_event_id, dont_block: true };
  return received((await there.ok('GET', '/events', fields)).events);
}

test('I5: a lagging queue receives the events whose audience its user was in when they happened, also after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (plan, isPrivate) => {
      runs += 1;
      const name = `audience ${runs}`;
      const privacy = { invite_only: isPrivate, history_public_to_subscribers: false };
      const stream_id = await server.emptyChannel(server.owner, name, privacy);
      const client_capabilities = { stream_typing_notifications: true };
      const queues = await Promise.all(
        users.map((user) => user.register({ event_types: ['message', 'typing'], client_capabilities })),
      );
      const subscribed = new Set<number>();
      const expected: string[][] = users.map(() => []);
      const expect = (text: string) => {
        for (const [index, texts] of expected.entries()) if (subscribed.has(index)) texts.push(text);
      };
      for (const [turn, step] of plan.entries()) {
        const principals = [users[step.whom]?.userId];
        switch (step.do) {
          case 'subscribe':
            await server.owner.subscribe(name, { principals, send_new_subscription_messages: false });
            subscribed.add(step.whom);
            break;
          case 'unsubscribe':
            await server.owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals });
            subscribed.delete(step.whom);
            break;
          case 'send':
            await server.owner.send(name, 'topic', `message ${turn}`);
            expect(`message ${turn}`);
            break;
          case 'type': {
            const topic = `topic ${turn}`;
            await server.owner.ok('POST', '/typing', { type: 'stream', op: 'start', stream_id, topic });
            expect(`typing ${topic}`);
          }
        }
      }
      await (await organizationOf(server)).catchUp();
      const restarted = await startTestServer({ shared: server.shared });
      try {
        for (const at of [server, restarted]) {
          for (const [index, user] of users.entries()) {
            const queue = queues[index];
            assert(queue !== undefined);
            assert.deepEqual(await fetchAt(at, user, queue), expected[index]);
          }
        }
      } finally {
        await restarted.stop();
      }
    }),
    { numRuns: 6 },
  );
});

test('I5: a waiting poll receives only messages sent after its user subscribed', async () => {
  const [user] = users;
  assert(user !== undefined);
  const queue = await user.register({ event_types: ['message'] });
  await server.emptyChannel(server.owner, 'waiting');
  const waiting = queue.next();
  await server.owner.send('waiting', 'topic', 'not for the reader');
  await server.owner.subscribe('waiting', { principals: [user.userId], send_new_subscription_messages: false });
  await server.owner.send('waiting', 'topic', 'for the reader');
  assert.deepEqual(received(await waiting), ['for the reader']);
});

// rules: register-10
test('all_public_streams delivers messages of public channels to non-subscribers, but not to a user who became a guest', async () => {
  const [member] = users;
  assert(member !== undefined);
  const guest = await server.user();
  const parameters = { event_types: ['message'], all_public_streams: true };
  const queues = [await member.register(parameters), await guest.register(parameters)];
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await changeRole(organization, guest.userId, Role.guest);
  const waiting = queues[0]?.next();
  await server.emptyChannel(server.owner, 'public');
  await server.emptyChannel(server.owner, 'private', { invite_only: true });
  await server.owner.send('private', 'topic', 'secret');
  await server.owner.send('public', 'topic', 'open');
  assert.deepEqual(received((await waiting) ?? []), ['open']);
  assert.deepEqual(received((await queues[1]?.now()) ?? []), []);
});
