/** A server with several workers, as processes, on the embedded PostgreSQL. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { isAlive } from '@heddle/embedded-postgres/processes.ts';
import { EventCursor } from '@heddle/server/testing/clients/event-cursor.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { runHeddle } from '@heddle/server/testing/faults/heddle-process.ts';
import { type LogLine, ServerWithWorkers, type WorkerConnection } from '@heddle/server/testing/faults/workers.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { connectionsFor, workersOf, workersWith } from './count.ts';

const LAST = 'the last message';
const SENT = 'heddle_http_requests_total{operation="POST /api/v1/messages",status="200"}';

/** Reads a queue until the last message. Any response but a success rejects. */
function readAll(
  connection: WorkerConnection,
  queue: Json,
): { readonly received: string[]; readonly done: Promise<void> } {
  const received: string[] = [];
  const read = async (): Promise<void> => {
    const cursor = new EventCursor(queue.last_event_id);
    // timing: it reads until the last message
    while (received.at(-1) !== LAST) {
      const fields = { queue_id: queue.queue_id, last_event_id: String(cursor.lastEventId) };
      const { events } = await connection.ok('GET', '/events', fields);
      cursor.accept(events);
      for (const event of events) if (event.type === 'message') received.push(event.message.content);
    }
  };
  return { received, done: read() };
}

function register(connection: WorkerConnection): Promise<Json> {
  return connection.ok('POST', '/register', { event_types: '["message"]', apply_markdown: 'false' });
}

/** All messages, oldest first. */
async function history(connection: WorkerConnection): Promise<readonly string[]> {
  const window = { anchor: 'newest', num_before: '5000', num_after: '0', apply_markdown: 'false' };
  const { messages } = await connection.ok('GET', '/messages', window);
  return messages.map(({ content }: Json) => content);
}

test('by default, half of the cores work, from four cores on, and at most eight', () => {
  const table = [1, 2, 3, 4, 8, 15, 16, 64].map((cores) => workersOf({ workers: null }, cores));
  assert.deepEqual(table, [1, 1, 1, 2, 4, 7, 8, 8]);
  assert.equal(workersOf({ workers: 3 }, 64), 3);
});

test('a default number of workers fits into the connections of the database', () => {
  for (const connections of [30, 100, 200, 500]) {
    const workers = workersWith(connections);
    assert(workers === 1 || connectionsFor(workers) <= connections);
    assert(connectionsFor(workers + 1) > connections);
  }
});

let server: ServerWithWorkers;

before(async () => {
  server = await ServerWithWorkers.start(2, { HEDDLE_METRICS_PORT: '0' });
});
afterEach(() => server.closeConnections());
after(() => server.end());

async function scrape(): Promise<string> {
  const [line] = server.lines('serving metrics');
  const port: unknown = line?.port;
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

function valueIn(text: string, sample: string): number {
  const found = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return Number(found?.slice(sample.length + 1));
}

test('one port serves from all workers, and a message sent at one reaches a poll held by the other', async () => {
  const [sender, reader] = await server.connectToEach(2);
  assert(sender !== undefined && reader !== undefined);
  const queue = await register(reader);
  const poll = reader.ok('GET', '/events', { queue_id: queue.queue_id, last_event_id: String(queue.last_event_id) });
  await sender.send('hello');
  const { events } = await poll;
  assert.deepEqual(
    events.map(({ message }: Json) => message.content),
    ['hello'],
  );
  assert.notEqual(sender.worker, reader.worker);
});

test('a line of the log names its worker', () => {
  const workersOfLines = server.lines('a worker serves').map(({ worker }) => worker);
  assert.deepEqual(workersOfLines.toSorted(), [1, 2]);
});

test('the metrics are those of all workers: counters and gauges of processes are summed, what all share is not', async () => {
  const connections = await server.connectToEach(2);
  const before = valueIn(await scrape(), SENT) || 0;
  for (const connection of connections) for (const content of ['one', 'two', 'three']) await connection.send(content);
  const queues = await Promise.all(connections.map(register));
  const polls = connections.map((connection, index) =>
    connection.call('GET', '/events', {
      queue_id: queues[index]?.queue_id,
      last_event_id: String(queues[index]?.last_event_id),
    }),
  );
  const text = await until(async () => {
    const scraped = await scrape();
    return valueIn(scraped, 'heddle_polls_held') === 2 ? scraped : undefined;
  }, 'a held poll of each worker in the metrics');
  assert.equal(valueIn(text, SENT), before + 6);
  assert.equal(valueIn(text, 'heddle_jobs{state="failed"}'), 0);
  assert.equal(valueIn(text, 'heddle_ready{check="bus"}'), 1);
  assert.match(text, /^heddle_build_info\{version="[^"]+"\} 1$/m);
  await server.connect().send('the end of the polls');
  await Promise.all(polls);
});

test('a killed worker starts again alone: the other goes on, nothing acknowledged is lost or doubled, and no counter falls', async (t) => {
  const connections = await server.connectToEach(2);
  const counted = valueIn(await scrape(), SENT);
  const served = server.lines('a worker serves').length;
  const acknowledged: string[] = [];
  let isLoaded = true;
  t.after(() => {
    isLoaded = false;
  });
  // A sender whose worker is killed connects again, and sends another text. The outcome of the last one is unknown.
  const sending = connections.map(async (first, lane) => {
    let connection = first;
    for (let count = 0; isLoaded; count += 1) {
      const content = `killed ${lane}.${count}`;
      const answer = await connection
        .call('POST', '/messages', { type: 'channel', to: 'general', topic: 'warp', content })
        .catch(() => undefined);
      if (answer === undefined) connection = server.connect();
      else {
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        acknowledged.push(content);
      }
    }
  });
  const more = async (): Promise<void> => {
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20, '20 more messages');
  };
  await more();
  const [victim, other] = server.workers;
  assert(victim !== undefined && other !== undefined);
  process.kill(victim, 'SIGKILL');
  await until(() => server.lines('a worker serves').length === served + 1, 'the worker to start again');
  await more();
  isLoaded = false;
  await Promise.all(sending);
  assert.ok(isAlive(other));
  assert.deepEqual(
    server.lines('a worker ended; it is started again').map(({ pid, signal }) => [pid, signal]),
    [[victim, 'SIGKILL']],
  );
  for (const connection of await server.connectToEach(2)) {
    const stored = await history(connection);
    assert.deepEqual(
      acknowledged.filter((content) => stored.filter((each) => each === content).length !== 1),
      [],
    );
    connection.close();
  }
  assert.ok(valueIn(await scrape(), SENT) >= counted);
});

test('a connection that a paused worker has not taken ends with the worker, and others go on', async () => {
  const [victim] = server.workers;
  assert(victim !== undefined);
  const served = server.lines('a worker serves').length;
  process.kill(victim, 'SIGSTOP');
  let responses = 0;
  const asked = Array.from({ length: 4 }, () =>
    server
      .connect()
      .call('GET', '/server_settings')
      .then(
        () => {
          responses += 1;
          return 'response';
        },
        () => 'end',
      ),
  );
  await until(() => responses === 3, 'the responses of the other worker');
  process.kill(victim, 'SIGKILL');
  assert.deepEqual((await Promise.all(asked)).toSorted(), ['end', 'response', 'response', 'response']);
  await until(() => server.lines('a worker serves').length === served + 1, 'the worker to start again');
});

test('SIGUSR2 replaces all workers under load: no request fails, no event is lost or repeated, and each poll ends with a success', async (t) => {
  const connections = await server.connectToEach(2);
  const old = server.workers;
  const reading = await Promise.all(
    connections.map(async () => {
      const connection = server.connect();
      return readAll(connection, await register(connection));
    }),
  );
  const sent: string[] = [];
  let isLoaded = true;
  t.after(() => {
    isLoaded = false;
  });
  const sending = connections.map(async (connection, lane) => {
    for (let count = 0; isLoaded; count += 1) {
      const content = `replaced ${lane}.${count}`;
      await connection.send(content);
      sent.push(content);
    }
  });
  const load = Promise.all([...sending, ...reading.map(({ done }) => done)]);
  await until(() => sent.length > 20, '20 messages');
  const begun = server.log.length;
  server.server.child.kill('SIGUSR2');
  const replaced = until(() => server.lines('the workers are replaced').length === 1, 'the workers to be replaced');
  await Promise.race([replaced, load.then(() => assert.fail('the load ended'))]);
  isLoaded = false;
  await Promise.all(sending);
  await server.connect().send(LAST);
  await load;
  assert.deepEqual(old.filter(isAlive), []);
  assert.equal(server.workers.length, 2);
  for (const { received } of reading) assert.deepEqual(received.toSorted(), [...sent, LAST].toSorted());
  const problems = server.log.slice(begun).filter(({ level }) => level === 'error' || level === 'fatal');
  assert.deepEqual(problems, []);
});

test('SIGTERM ends all processes and PostgreSQL, with code 0; what a single process prints was printed once', async () => {
  const { workers } = server;
  assert.equal(workers.length, 2);
  const { code, out, err } = await server.server.stop('SIGTERM');
  assert.equal(code, 0);
  assert.deepEqual(workers.filter(isAlive), []);
  assert.deepEqual(server.postgresProcesses(), []);
  const lines: LogLine[] = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const stop = lines.slice(lines.findIndex(({ msg, worker }) => msg === 'stopping' && worker === undefined));
  const stopped = stop.filter(({ msg }) => msg === 'stopped').map(({ worker }) => worker ?? 0);
  assert.deepEqual(stopped.toSorted(), [0, 1, 2]);
  const hints = lines.filter(({ msg }) => msg.startsWith('HEDDLE_SMTP_URL is not set'));
  assert.deepEqual(
    hints.map(({ worker }) => worker),
    [1],
  );
  for (const text of ['Created the organization', 'Heddle is listening']) assert.equal(out.split(text).length, 2, text);
});

test('if the primary process is killed, its workers and its PostgreSQL end by themselves', async (t) => {
  const orphaned = await ServerWithWorkers.start(2);
  t.after(() => orphaned.end());
  const { workers } = orphaned;
  assert.equal(workers.length, 2);
  await orphaned.server.stop('SIGKILL');
  await until(() => workers.every((pid) => !isAlive(pid)), 'the workers to end');
  await until(() => orphaned.postgresProcesses().length === 0, 'PostgreSQL to end');
});

test('if the first worker cannot start, the server ends with the reason, once', async (t) => {
  const data = await temporaryDataDirectory();
  t.after(() => data.remove());
  const environment = { HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: '0', HEDDLE_WORKERS: '2' };
  const url = 'postgresql://heddle@127.0.0.1:1/heddle';
  const unreachable = await runHeddle(['serve'], { ...environment, HEDDLE_DATABASE_URL: url });
  assert.equal(unreachable.code, 1);
  assert.equal(unreachable.err.match(/Cannot use the database/g)?.length, 1);
});
