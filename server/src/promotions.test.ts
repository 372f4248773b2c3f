/** Promotions of a standby: who must register again, and who need not. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Json } from './testing/clients/json.ts';
import { type ReplicatedCluster, startReplicatedCluster } from './testing/database/replicated-cluster.ts';
import { ownerAccount } from './testing/faults/command-line-accounts.ts';
import { KillableServer } from './testing/faults/killable-server.ts';
import { StubbornClient } from './testing/faults/stubborn-clients.ts';
import { ServerWithWorkers, type WorkerConnection } from './testing/faults/workers.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

const password = 'a shuttle flies through the shed';

interface Scene {
  readonly cluster: ReplicatedCluster;
  readonly servers: readonly KillableServer[];
  /** The owner, at each server. */
  readonly clients: readonly StubbornClient[];
}

/** Processes on a primary with a standby. */
async function startProcesses(t: TestContext, count = 2): Promise<Scene> {
  const [cluster, data] = await Promise.all([startReplicatedCluster(), temporaryDataDirectory()]);
  const servers: KillableServer[] = [];
  t.after(async () => {
    for (const server of servers) await server.end();
    await cluster.remove();
    await data.remove();
  });
  const environment = {
    HEDDLE_DATABASE_URL: cluster.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'fatal',
    HEDDLE_OWNER_PASSWORD: password,
  };
  for (let started = 0; started < count; started += 1) {
    servers.push(new KillableServer(data.path, environment));
    await servers.at(-1)?.listening;
  }
  const [one] = servers;
  assert(one !== undefined);
  const account = await ownerAccount((await one.listening).url, password);
  const clients = servers.map((server) => new StubbornClient(server, account));
  await clients[0]?.insist('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
  return { cluster, servers, clients };
}

const register = (client: StubbornClient) => client.insist('POST', '/register', { event_types: ['message'] });
const send = (client: StubbornClient, content: string) =>
  client.insist('POST', '/messages', { type: 'channel', to: 'general', topic: 'a', content });

const sendTo = (client: StubbornClient, userId: number, content: string) =>
  client.insist('POST', '/messages', { type: 'direct', to: [userId], content });

async function addBot(owner: StubbornClient, name: string): Promise<number> {
  const { user_id } = await owner.insist('POST', '/bots', { short_name: name, full_name: name });
  return user_id;
}

async function conversationOf(node: ReplicatedCluster['primary'], owner: StubbornClient, userId: number) {
  const [row] = await node.query<Json>(`
    SELECT id FROM direct_conversations WHERE participants = '{${owner.account.userId},${userId}}'`);
  return row?.id;
}

/** The code with which the server refuses the queue; undefined if it serves it. */
async function codeFor(client: StubbornClient, queue: Json, lastEventId = queue.last_event_id): Promise<string> {
  const { url } = await client.server.listening;
  const { email, apiKey } = client.account;
  const query = new URLSearchParams({ queue_id: queue.queue_id, last_event_id: lastEventId, dont_block: 'true' });
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
  const response = await fetch(`${url}/api/v1/events?${query}`, { headers: { authorization } });
  const body: Json = await response.json();
  return body.result === 'success' ? 'served' : body.code;
}

/** What the server says when it is available again. */
const verdict = (client: StubbornClient, queue: Json, lastEventId?: number) =>
  until(async () => {
    const code = await codeFor(client, queue, lastEventId).catch(() => 'SERVICE_UNAVAILABLE');
    return ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(code) ? undefined : code;
  }, 'a verdict about the queue');

/** Kills the primary, and promotes the standby. */
async function failOver({ primary, standby }: ReplicatedCluster): Promise<void> {
  await primary.kill();
  await standby.promote();
}

async function logOf({ standby }: ReplicatedCluster): Promise<Json> {
  const [row] = await standby.query<Json>('SELECT epoch, timeline, heddle_timeline() AS present FROM logs');
  return row;
}

test('after a promotion that lost nothing, nobody registers again, also after restarts', async (t) => {
  const { cluster, servers, clients } = await startProcesses(t);
  await cluster.waitForStandby();
  const queues = await Promise.all(clients.map(register));
  for (const client of clients) await send(client, 'before');
  const before = await logOf(cluster);
  await failOver(cluster);
  for (const client of clients) await send(client, 'after');
  // A process that was there confirms the new timeline.
  const after = await until(async () => {
    const log = await logOf(cluster);
    return log.timeline === log.present ? log : undefined;
  }, 'the new timeline to be confirmed');
  assert.notEqual(after.present, before.present);
  for (const server of servers) {
    await server.kill();
    await server.restart();
  }
  assert.equal((await logOf(cluster)).epoch, before.epoch);
  for (const client of clients)
    for (const queue of queues)
      assert.equal(await verdict(client, queue), 'served', 'a queue from before the promotion');
});

test('a process that starts just after a promotion asks those that were there', async (t) => {
  const { cluster, servers, clients } = await startProcesses(t);
  await cluster.waitForStandby();
  const [one, two] = clients;
  assert(one !== undefined && two !== undefined);
  const queue = await register(one);
  await register(two);
  await servers[0]?.kill();
  await failOver(cluster);
  // Until then, the other process hears no question.
  const hears = async () => (await cluster.standby.connections()).includes('heddle bus');
  await until(hears, 'the other process to listen at the new primary');
  await servers[0]?.restart();
  assert.equal(await verdict(one, queue), 'served');
});

test('after a promotion that lost events, every process begins the new epoch, also if other events have taken their ids', async (t) => {
  const { cluster, servers, clients } = await startProcesses(t);
  const [one, two] = clients;
  assert(one !== undefined && two !== undefined);
  await send(one, 'stays');
  const queues = await Promise.all(clients.map(register));
  await cluster.caughtUp();
  await cluster.standby.stop();
  const lost = ['is', 'not', 'on', 'the', 'standby'];
  for (const content of lost) await send(one, content);
  // Both processes know the events, and cannot look while the log grows over them.
  for (const server of servers) await server.pause();
  await cluster.primary.kill();
  await cluster.standby.start();
  await cluster.standby.promote();
  const before = await logOf(cluster);
  await cluster.standby.query(`
    WITH grown AS (
      UPDATE logs SET head = head + 20 RETURNING organization_id, head
    )
    INSERT INTO events (organization_id, id, type, audience, body)
    SELECT organization_id, head - 20 + number, 'word', '{"to":"nobody"}', '"other"'
      FROM grown, generate_series(1, 20) AS number`);
  for (const server of servers) server.resume();
  await until(async () => (await logOf(cluster)).epoch !== before.epoch, 'a new epoch');
  for (const client of clients)
    for (const queue of queues)
      await until(async () => (await verdict(client, queue)) === 'BAD_EVENT_QUEUE_ID', 'the queue to end everywhere');
  // One registration is enough for each client, at whichever process it polls afterwards.
  const fresh = await Promise.all(clients.map(register));
  for (const client of clients) for (const queue of fresh) assert.equal(await verdict(client, queue), 'served');
});

test('a promotion that no process has seen begins a new epoch', async (t) => {
  const { cluster, servers, clients } = await startProcesses(t);
  const [one] = clients;
  assert(one !== undefined);
  const queue = await register(one);
  await cluster.caughtUp();
  for (const server of servers) await server.kill();
  await failOver(cluster);
  await servers[0]?.restart();
  assert.equal(await verdict(one, queue), 'BAD_EVENT_QUEUE_ID');
  const fresh = await register(one);
  await servers[1]?.restart();
  const [, two] = clients;
  assert(two !== undefined);
  assert.equal(await verdict(two, fresh), 'served');
});

for (const [what, lose] of [
  ['with its message', (owner: StubbornClient, to: number) => sendTo(owner, to, 'is not on the standby')],
  // As a message leaves it that was refused after its conversation was made.
  [
    'without a message',
    async (owner: StubbornClient, to: number, { primary }: ReplicatedCluster) => {
      const { userId } = owner.account;
      await primary.query(`
        WITH made AS (
          INSERT INTO direct_conversations (organization_id, participants, fingerprint)
          SELECT id, '{${userId},${to}}', '${userId},${to}' FROM organizations RETURNING *
        )
        INSERT INTO direct_participants (organization_id, user_id, conversation_id)
        SELECT organization_id, unnest(participants), id FROM made`);
      await owner.insist('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'dm', operand: [to] }],
      });
    },
  ],
] as const) {
  test(`after a promotion that lost a conversation ${what}, no message goes into another one that got its id`, async (t) => {
    const { cluster, clients } = await startProcesses(t, 1);
    const [owner] = clients;
    assert(owner !== undefined);
    const [lostId, otherId] = [await addBot(owner, 'lost'), await addBot(owner, 'other')];
    await cluster.caughtUp();
    await cluster.standby.stop();
    await lose(owner, lostId, cluster);
    const conversation: number = await conversationOf(cluster.primary, owner, lostId);
    await cluster.primary.kill();
    await cluster.standby.start();
    await cluster.standby.promote();
    // Whether or not the process has noticed the promotion yet.
    await cluster.standby.query(`
      SELECT setval(pg_get_serial_sequence('direct_conversations', 'id'), ${conversation}, false)`);
    await sendTo(owner, otherId, 'for the other');
    assert.equal(await conversationOf(cluster.standby, owner, otherId), conversation);
    await sendTo(owner, lostId, 'again');
    const rows = await cluster.standby.query<Json>(`
      SELECT DISTINCT content FROM messages WHERE conversation_id = ${conversation}`);
    assert.deepEqual(rows, [{ content: 'for the other' }]);
  });
}

test('all workers of a server go on after a promotion that lost nothing, also one that starts again', async (t) => {
  const cluster = await startReplicatedCluster();
  t.after(() => cluster.remove());
  await cluster.waitForStandby();
  const server = await ServerWithWorkers.start(2, { HEDDLE_DATABASE_URL: cluster.url });
  t.after(() => server.end());
  const connections = await server.connectToEach(2);
  const queues = await Promise.all(
    connections.map((connection) => connection.ok('POST', '/register', { event_types: '["message"]' })),
  );
  for (const connection of connections) await connection.send('before');
  await failOver(cluster);
  const poll = (connection: WorkerConnection, queue: Json) =>
    until(async () => {
      const fields = { queue_id: queue.queue_id, last_event_id: String(queue.last_event_id), dont_block: 'true' };
      const { status, body } = await connection.call('GET', '/events', fields);
      return status === 503 ? undefined : body.result;
    }, 'a response about the queue');
  for (const connection of connections)
    for (const queue of queues) assert.equal(await poll(connection, queue), 'success', 'a worker that was there');

  const served = server.lines('a worker serves').length;
  const [victim] = server.workers;
  assert(victim !== undefined);
  process.kill(victim, 'SIGKILL');
  await until(() => server.lines('a worker serves').length === served + 1, 'the worker to start again');
  for (const connection of await server.connectToEach(2))
    for (const queue of queues) assert.equal(await poll(connection, queue), 'success', 'a worker that started again');
});
