// timeouts: real
/**
 * Kills the server and its database under load. Everything acknowledged exists exactly once. Clients that only keep
 * polling their queues miss nothing (invariants I1 to I3, I6).
 * The moments of the kills are random: timers here schedule the faults. Nothing else waits for a time.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises'; // timing: the server is killed at random moments
import { readLockRecord } from '@heddle/embedded-postgres/lock.ts';
import pg from 'pg';
import type { Fields } from './testing/clients/client.ts';
import type { Json } from './testing/clients/json.ts';
import { accountAt, ownerAccount } from './testing/faults/command-line-accounts.ts';
import { timesOf } from './testing/faults/kill-counts.ts';
import { KillableServer } from './testing/faults/killable-server.ts';
import { Reader, Sending, StubbornClient } from './testing/faults/stubborn-clients.ts';
import { type Random, randomOf } from './testing/random/random.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

const password = 'a shuttle flies through the shed';
const settings = {
  HEDDLE_RATE_LIMITS: 'off',
  HEDDLE_LOG_LEVEL: 'error',
  HEDDLE_OWNER_PASSWORD: password,
};

async function emptyServer(t: TestContext): Promise<KillableServer> {
  const data = await temporaryDataDirectory();
  const server = new KillableServer(data.path, settings);
  t.after(async () => {
    await server.end();
    await data.remove();
  });
  return server;
}

const ownerOf = async (server: KillableServer) => ownerAccount((await server.listening).url, password);

interface Channels {
  readonly loom: number;
  readonly shed: number;
  readonly weft: number;
}

/** Four users and three channels. Only two users are subscribed to the third channel. */
async function populate(server: KillableServer) {
  await server.listening;
  const accounts = [await ownerOf(server)];
  for (const name of ['ada', 'ben', 'cleo']) accounts.push(await accountAt(server, name));
  const [owner, ada, ben, cleo] = accounts.map((account) => new StubbornClient(server, account));
  assert(owner !== undefined && ada !== undefined && ben !== undefined && cleo !== undefined);
  const everyone = accounts.map((account) => account.userId);
  const create = async (name: string, subscribers: readonly number[]): Promise<number> =>
    (await owner.insist('POST', '/channels/create', { name, subscribers })).id;
  const channels: Channels = {
    loom: await create('loom', everyone),
    shed: await create('shed', everyone),
    weft: await create('weft', [ada.account.userId, ben.account.userId]),
  };
  return { clients: [owner, ada, ben, cleo], everyone, channels };
}

/** Every row of the table `events`. */
async function readLog(server: KillableServer): Promise<readonly LoggedRow[]> {
  const connection = readLockRecord(server.dataDirectory)?.connection;
  assert(connection);
  const client = new pg.Client({ ...connection });
  await client.connect();
  const { rows } = await client.query(
    'SELECT id::int, type, audience::json AS audience, message_id::int AS "messageId" FROM events ORDER BY id',
  );
  await client.end();
  return rows;
}

interface LoggedRow {
  readonly id: number;
  readonly type: string;
  readonly audience: Json;
  readonly messageId: number | null;
}

/** Whether a logged event is for a user. Assumes that subscriptions have not changed since the readers registered. */
function isFor(userId: number, subscribersOf: ReadonlyMap<number, readonly number[]>, { audience }: LoggedRow) {
  switch (audience.to) {
    case 'users':
      return audience.users.includes(userId);
    case 'subscribers':
      return subscribersOf.get(audience.channelId)?.includes(userId) ?? false;
    case 'channel-viewers':
    case 'everyone':
      return !(audience.except?.includes(userId) ?? false);
    default:
      assert.equal(audience.to, 'nobody');
      return false;
  }
}

/**
 * The messages of users that the client can fetch, oldest first. Leaves out the notices of new channels, which are
 * older than the queues.
 */
async function readMessages(client: StubbornClient): Promise<readonly { id: number; content: string }[]> {
  return (await client.allMessages()).filter((message) => message.client !== 'Internal');
}

/** Four users who each poll a queue and send without pause, to channels, to each other and to groups. */
async function startLoad(server: KillableServer, random: Random): Promise<Load> {
  const { clients, everyone, channels } = await populate(server);
  const [owner = 0, ada = 0, ben = 0, cleo = 0] = everyone;
  const inChannel = (to: number, topic: string): Fields => ({ type: 'channel', to, topic });
  const direct = (...to: number[]): Fields => ({ type: 'direct', to });
  const targets = [
    [inChannel(channels.loom, 'warp'), direct(ada), direct(ada, ben)],
    [inChannel(channels.loom, 'warp'), inChannel(channels.weft, 'knots'), direct(owner)],
    [inChannel(channels.shed, 'tension'), inChannel(channels.weft, 'knots'), direct(ada, cleo)],
    [inChannel(channels.loom, 'colour'), inChannel(channels.shed, 'tension'), direct(cleo)],
  ];
  const wanted = { client_capabilities: { stream_typing_notifications: true } };
  const readers = await Promise.all(clients.map((client) => Reader.register(client, wanted)));
  return {
    server,
    readers,
    sendings: readers.map((reader, index) => new Sending(reader, targets[index] ?? [], random)),
    subscribersOf: new Map([
      [channels.loom, everyone],
      [channels.shed, everyone],
      [channels.weft, [ada, ben]],
    ]),
    farewell: inChannel(channels.loom, 'end'),
  };
}

interface Load {
  readonly server: KillableServer;
  readonly readers: readonly Reader[];
  /** One per reader, in the same order. */
  readonly sendings: readonly Sending[];
  readonly subscribersOf: ReadonlyMap<number, readonly number[]>;
  /** The target of a message that reaches all readers. */
  readonly farewell: Fields;
}

/** Resolves when every user has had another message acknowledged. Rejects if the server ended unexpectedly. */
async function everybodySends({ server, sendings }: Load): Promise<void> {
  const { ended } = await server.listening;
  const ending = ended.then(({ code, signal, err }) => {
    throw new Error(`the server ended unexpectedly with ${signal ?? `code ${code}`}: ${err}`);
  });
  await Promise.race([Promise.all(sendings.map((sending) => sending.acknowledged)), ending]);
}

/** Ends the load, and compares everything that the clients received with the stored state. */
async function endAndCompare({ server, readers, sendings, subscribersOf, farewell }: Load): Promise<void> {
  await Promise.all(sendings.map((sending) => sending.stop()));
  const done = Promise.all(readers.map((reader) => reader.lastReadId('the end')));
  await readers[0]?.client.insist('POST', '/messages', { ...farewell, content: 'the end' });
  await done;

  const log = await readLog(server);
  assert.deepEqual(
    log.map(({ id }) => id),
    log.map((_, index) => index + 1),
    'the log has a gap',
  );
  for (const [index, reader] of readers.entries()) {
    const { userId } = reader.client.account;
    const theirs = log.filter((row) => row.id > reader.start && isFor(userId, subscribersOf, row));
    assert.deepEqual(
      reader.received.map(({ eventId, type, messageId }) => ({ eventId, type, messageId })),
      theirs.map(({ id, type, messageId }) => ({
        eventId: id,
        type,
        messageId: type === 'message' ? messageId : undefined,
      })),
      'what a client received differs from the log',
    );
    const received = reader.received.filter(({ type }) => type === 'message');
    const stored = await readMessages(reader.client);
    assert.deepEqual(
      received.map(({ messageId, content }) => ({ id: messageId, content })),
      stored.map(({ id, content }) => ({ id, content })),
      'what a client received differs from what it can fetch',
    );
    for (const { content, localId, id } of sendings[index]?.attempts ?? []) {
      const copies = stored.filter((message) => message.content === content).map((message) => message.id);
      const echoes = received.filter((event) => event.localId === localId).map((event) => event.messageId);
      assert(copies.length <= 1, `${content} is stored ${copies.length} times`);
      assert.deepEqual(echoes, copies, `${content} was not delivered once where it was stored`);
      if (id !== undefined) assert.deepEqual(copies, [id], `${content} was acknowledged`);
    }
  }
}

type Fault = 'server' | 'server, also while it starts' | 'postmaster' | 'backend' | 'server and postmaster';

async function strike(server: KillableServer, fault: Fault, random: Random): Promise<void> {
  switch (fault) {
    case 'postmaster':
      return server.killPostmaster();
    case 'backend':
      return server.killBackend();
    case 'server and postmaster':
      await server.killPostmaster();
      await server.kill();
      break;
    case 'server, also while it starts':
      await server.kill();
      server.restart();
      await delay(random.below(1000));
      await server.kill();
      break;
    case 'server':
      await server.kill();
  }
  await server.restart();
}

test('under load, kills of the server and of PostgreSQL lose and repeat nothing that was acknowledged', async (t) => {
  const server = await emptyServer(t);
  const random = randomOf(t);
  const load = await startLoad(server, random);
  const faults = random.shuffled<Fault>([
    ...new Array<Fault>(timesOf({ gate: 1, long: 15 })).fill('server'),
    ...new Array<Fault>(timesOf({ gate: 1, long: 2 })).fill('server, also while it starts'),
    ...new Array<Fault>(timesOf({ gate: 1, long: 3 })).fill('postmaster'),
    'backend',
    'server and postmaster',
  ]);
  for (const fault of faults) {
    await everybodySends(load);
    await delay(random.below(300));
    await strike(server, fault, random);
  }
  await everybodySends(load);
  // PostgreSQL can be back before a client has noticed.
  const refused = () => load.readers.reduce((sum, reader) => sum + reader.client.unavailable, 0);
  for (let kills = 0; refused() === 0; kills += 1) {
    assert(kills < 20, 'no client got an error that the database is unavailable');
    await strike(server, 'postmaster', random);
    await everybodySends(load);
  }

  await endAndCompare(load);
});

test('while PostgreSQL is paused, every client gets an error; afterwards everything continues', async (t) => {
  const server = await emptyServer(t);
  const load = await startLoad(server, randomOf(t));
  await everybodySends(load);
  const client = load.readers[0]?.client;
  assert(client);
  const before = client.unavailable;
  await server.pausePostgres();
  await until(async () => {
    await client.attempt('POST', '/register', {});
    return client.unavailable >= before + 20;
  }, '20 errors');
  server.resumePostgres();
  await everybodySends(load);
  await endAndCompare(load);
  const { stop } = await server.listening;
  const { code, err } = await stop();
  assert.equal(code, 0, err);
  const lines = err.split('\n').filter((line) => line !== '');
  assert.equal(lines.length, 1, err);
  assert.match(lines[0] ?? '', /the database is unavailable/);
});

test('SIGTERM under load ends the server cleanly, and everything continues after the next start', async (t) => {
  const server = await emptyServer(t);
  const load = await startLoad(server, randomOf(t));
  await everybodySends(load);
  const { stop } = await server.listening;
  const { code, err } = await stop();
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  assert.deepEqual(server.postgresProcesses(), []);
  assert.match(await server.postgresLog(), /database system is shut down\n$/);
  await server.restart();
  await everybodySends(load);
  await endAndCompare(load);
});

test('the next start completes a first start that was killed at any moment', async (t) => {
  const random = randomOf(t);
  const server = await emptyServer(t);
  for (const longest of [100, 2000, 500, 1000, 2000].slice(0, timesOf({ gate: 2, long: 5 }))) {
    await delay(random.below(longest));
    await server.kill();
    server.restart().catch(() => undefined);
  }
  const { output } = await server.listening;
  const owner = new StubbornClient(server, await ownerOf(server));
  const state = await owner.insist('POST', '/register');
  assert.equal(state.realm_name, 'Heddle');
  assert.equal(state.realm_users.length, 1);
  assert(state.subscriptions.length > 0, `the owner has no subscription; the output was: ${output.join('\n')}`);
});

test('a second signal ends a stopping server at once, and the next start takes over', async (t) => {
  const server = await emptyServer(t);
  const first = await server.listening;
  const { port, hostname } = new URL(first.url);
  const owner = await ownerOf(server);
  // The server waits for a request that never completes.
  const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64');
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v1/messages HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Basic ${credentials}\r\n`,
  );
  socket.write('Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntype=');
  await once(socket, 'connect');
  await fetch(`${first.url}/api/v1/server_settings`);
  first.child.kill('SIGTERM');
  const isServing = () =>
    fetch(`${first.url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => !(await isServing()), 'the server to have the first signal');
  // Two signals within a shorter time count as one.
  await delay(600);
  first.child.kill('SIGTERM');
  const { code } = await first.ended;
  assert.equal(code, 128 + constants.signals.SIGTERM);
  await server.restart();
  await new StubbornClient(server, owner).insist('POST', '/messages', {
    type: 'direct',
    to: [owner.userId],
    content: 'hi',
  });
});
