/**
 * Measures how sends and deliveries grow with the workers of `HEDDLE_WORKERS`, if each has the same quota of processor time. Prints a table
 * with medians. `scripts/node bench/src/scaling.ts [cores of each worker] [rounds] [counts of workers, as 1,2,4,8]`. It needs Linux and root.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { startHeddle } from './harness/heddle-server.ts';
import { type Address, HttpConnection } from './harness/http-connection.ts';
import { channelName, personEmail } from './harness/population.ts';
import { limitProcessor, removeAllQuotas } from './harness/processor-quota.ts';
import { processorTimeWithEnded } from './harness/processor-time.ts';
import { descendants, type Program, stopAll } from './harness/programs.ts';
import { removeAllScratch, removeScratch } from './harness/scratch.ts';
import { populatedDirectory, subdomainOf, upTo } from './harness/site.ts';
import { median, spread } from './harness/statistics.ts';
import {
  type Answer,
  type Call,
  type Login,
  numberField,
  requestBytes,
  successful,
  textField,
} from './harness/wire.ts';
import { MessageSender, numberedContent, sequenceIn } from './loads/message-sender.ts';
import { PollingClient } from './loads/polling-client.ts';

const [cores = '0.25', rounds = '3', counts = '1,2,4,8'] = process.argv.slice(2);
const ORGANIZATIONS = 16;
const SENDERS = 32;
const SUBSCRIBERS = 10;
/** All subscribe to channel 0. The subscribers of channel n + 1 follow those of channel n. */
const PEOPLE = 200;
const CLIENTS_A_WORKER = 200;
/** Without quotas, because the code of a worker is slow at first. */
const WARM_UP_MS = 4000;
const SETTLE_MS = 1000;
const WINDOW_MS = 5000;
const PATIENCE_MS = 60_000;
const AT_ONCE = 4;

interface Running {
  readonly address: Address;
  readonly program: Program;
  readonly workers: readonly number[];
  readonly metrics: string;
}

/** The processor time that the processes have spent until a moment. All in milliseconds. */
interface Spent {
  readonly at: number;
  readonly workers: number;
  readonly database: number;
}

/** Milliseconds are of processor time, for each send or delivery. */
interface Measured {
  readonly rate: number;
  readonly workers: number;
  readonly database: number;
  readonly batch: number;
}

/** Numbers of copies of the organization. Each workload has its own, because a worker keeps those that it has loaded. */
const COPIES = {
  one: [0],
  oneAtOneWorker: [1],
  many: upTo(ORGANIZATIONS).map((number) => 2 + number),
  manyAtOneWorker: upTo(ORGANIZATIONS).map((number) => 2 + ORGANIZATIONS + number),
};

/** What passing sends on to one worker could reach at best is in those at one worker. */
const WORKLOADS: readonly (readonly [name: string, measure: (running: Running) => Promise<Measured>])[] = [
  ['sends, 1 organization', (running) => sends(running, COPIES.one, 'at all workers')],
  ['sends, 1 organization, all at one worker', (running) => sends(running, COPIES.oneAtOneWorker, 'at one worker')],
  [`sends, ${ORGANIZATIONS} organizations`, (running) => sends(running, COPIES.many, 'at all workers')],
  [
    `sends, ${ORGANIZATIONS} organizations, each at one worker`,
    (running) => sends(running, COPIES.manyAtOneWorker, 'at one worker'),
  ],
  ['deliveries', deliveries],
];

process.on('exit', () => {
  removeAllQuotas();
  removeAllScratch();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().then(() => process.exit(1)));
const found = new Map<string, Measured[]>();
for (let round = 0; round < Number(rounds); round += 1)
  for (const count of counts.split(',').map(Number))
    for (const [name, measured] of await measureAll(count, round)) {
      const key = `${name} | ${count}`;
      process.stderr.write(`${key} | ${JSON.stringify(measured)}\n`);
      found.set(key, [...(found.get(key) ?? []), measured]);
    }
print('| work | workers | a second | of workers | of PostgreSQL | batch |\n|---|---|---|---|---|---|');
for (const [key, all] of found) {
  const middle = (pick: (one: Measured) => number) => median(all.map(pick)).toFixed(2);
  const rates = spread(all.map(({ rate }) => rate));
  const rate = `${rates.median.toFixed(0)} (${rates.least.toFixed(0)} to ${rates.most.toFixed(0)})`;
  const times = `${middle(({ workers }) => workers)} ms | ${middle(({ database }) => database)} ms`;
  print(`| ${key} | ${rate} | ${times} | ${middle(({ batch }) => batch)} |`);
}

/** The order alternates, because code and caches are faster later. */
async function measureAll(count: number, round: number): Promise<ReadonlyMap<string, Measured>> {
  const dataDirectory = await populatedDirectory({
    people: PEOPLE,
    channels: [PEOPLE, ...upTo(PEOPLE / SUBSCRIBERS).map(() => SUBSCRIBERS)].map((size, channel) => ({
      first: Math.max(0, channel - 1) * SUBSCRIBERS,
      count: size,
    })),
    organizations: Object.values(COPIES).flat().length,
  });
  const { address, program } = await startHeddle({
    dataDirectory,
    environment: { HEDDLE_WORKERS: String(count), HEDDLE_METRICS_PORT: '0', HEDDLE_LOG_FORMAT: 'json' },
  });
  try {
    const running = { address, program, ...(await untilAllServe(program, count)) };
    const measured = new Map<string, Measured>();
    for (const [name, measure] of round % 2 === 0 ? WORKLOADS : WORKLOADS.toReversed())
      measured.set(name, await measure(running));
    return measured;
  } finally {
    await program.stop();
    await removeScratch(dataDirectory);
  }
}

/** The process ids of the workers, and the address of the metrics, from the log. */
async function untilAllServe(program: Program, count: number): Promise<Pick<Running, 'workers' | 'metrics'>> {
  const workers = new Set<number>(count === 1 ? [program.pid] : []);
  const giveUp = performance.now() + PATIENCE_MS;
  for (let port: string | undefined; performance.now() < giveUp; await delay(100)) {
    const lines = program.output().split('\n');
    const line = lines.find((each) => each.includes('"msg":"serving metrics"'));
    port ??= /"port":(\d+)/.exec(line ?? '')?.[1];
    for (const each of lines)
      if (each.includes('"msg":"a worker serves"')) workers.add(Number(/"pid":(\d+)/.exec(each)?.[1]));
    if (workers.size === count && port !== undefined)
      return { workers: [...workers], metrics: `http://127.0.0.1:${port}/metrics` };
  }
  throw new Error(`${workers.size} of ${count} workers serve:\n${program.output()}`);
}

/** Connects, to any worker or to the one with this number. */
type Connect = (worker: number) => Promise<HttpConnection>;

function connecting({ address, workers }: Running, where: 'at one worker' | 'at all workers'): Connect {
  if (where === 'at all workers') return async () => new HttpConnection(address);
  const names: string[] = [];
  return async (worker) => {
    for (;;) {
      const connection = new HttpConnection(address);
      const { head } = await connection.request(requestBytes(address, { method: 'GET', path: '/server_settings' }));
      // Each process begins its ids with other characters.
      const name = /^x-request-id: (\S+)-/im.exec(head)?.[1] ?? '';
      if (!names.includes(name)) names.push(name);
      if (names.indexOf(name) === worker % workers.length) return connection;
      connection.close();
    }
  };
}

/** Asks through this connection, so that no other worker loads the organization. */
async function ask(connection: HttpConnection, address: Address, request: Call): Promise<Answer> {
  const { status, body } = await connection.request(requestBytes(address, request));
  return successful(`${request.method} ${request.path}`, status, body);
}

/** Each sender has a connection, and sends when it has the response to the last message. */
async function sends(
  running: Running,
  organizations: readonly number[],
  where: 'at one worker' | 'at all workers',
): Promise<Measured> {
  const { address } = running;
  const connect = connecting(running, where);
  const readers = new Map<number, (count: number) => Promise<readonly number[]>>();
  for (const organization of organizations)
    readers.set(organization, await readerOf(await connect(organization), address, subdomainOf(organization)));
  const acknowledged: { readonly organization: number; readonly sequence: number; readonly at: number }[] = [];
  const senders: (() => Promise<void>)[] = [];
  let isOver = false;
  let last = 0;
  for (const number of upTo(SENDERS)) {
    const organization = organizations[number % organizations.length] ?? 0;
    const connection = await connect(organization);
    const subdomain = subdomainOf(organization);
    const channel = number % (PEOPLE / SUBSCRIBERS);
    const person = channel * SUBSCRIBERS + Math.floor((number * SUBSCRIBERS) / PEOPLE);
    const login = await logInAt(connection, address, subdomain, person);
    const to = { type: 'channel', to: channelName(channel + 1), topic: 'picks' };
    senders.push(async () => {
      while (!isOver) {
        last += 1;
        const sequence = last;
        const parameters = { ...to, content: numberedContent(sequence) };
        await ask(connection, address, { method: 'POST', path: '/messages', login, subdomain, parameters });
        acknowledged.push({ organization, sequence, at: performance.now() });
      }
      connection.close();
    });
  }
  const load = Promise.all(senders.map((send) => send()));
  load.catch(() => undefined);
  const measured = await inWindow(
    running,
    (begin, end) => acknowledged.filter(({ at }) => at >= begin && at < end).length,
  );
  isOver = true;
  await load;
  for (const [organization, read] of readers) {
    const own = acknowledged.filter((one) => one.organization === organization).map(({ sequence }) => sequence);
    const received = await read(own.length);
    const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
    assert.deepEqual(ascending(received), ascending(own), 'each acknowledged message was received once');
  }
  return measured;
}

/** Registers a queue. The returned function reads that many messages from it. */
async function readerOf(connection: HttpConnection, address: Address, subdomain: string) {
  const login = await logInAt(connection, address, subdomain, 0);
  const at = { login, subdomain };
  const parameters = { event_types: '["message"]', fetch_event_types: '[]', all_public_streams: 'true' };
  const queue = await ask(connection, address, { method: 'POST', path: '/register', ...at, parameters });
  return async (count: number): Promise<readonly number[]> => {
    const received: number[] = [];
    let last = numberField(queue, 'last_event_id');
    const giveUp = performance.now() + PATIENCE_MS;
    while (received.length < count && performance.now() < giveUp) {
      const fields = { queue_id: textField(queue, 'queue_id'), last_event_id: String(last), dont_block: 'true' };
      const { events } = await ask(connection, address, { method: 'GET', path: '/events', ...at, parameters: fields });
      for (const event of events as { id: number; type: string; message?: { content: string } }[]) {
        last = event.id;
        if (event.message !== undefined) received.push(sequenceIn(event.message.content));
      }
    }
    connection.close();
    return received;
  };
}

/** Each worker has as many clients. They poll, and the next message is sent when all have received the last one. */
async function deliveries(running: Running): Promise<Measured> {
  const { address } = running;
  const clients = running.workers.length * CLIENTS_A_WORKER;
  const connection = new HttpConnection(address);
  const logins: Login[] = [];
  for (const person of upTo(PEOPLE)) logins.push(await logInAt(connection, address, undefined, person));
  connection.close();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const arrivals: number[] = [];
  let left = 0;
  let everyoneHas = Promise.withResolvers<void>();
  const received = () => {
    arrivals.push(performance.now());
    left -= 1;
    if (left === 0) everyoneHas.resolve();
  };
  const polling = upTo(clients).map((number) => {
    const login = logins[number % PEOPLE];
    assert(login !== undefined);
    return new PollingClient(address, login, 10_000, received, failure.reject);
  });
  for (const part of upTo(Math.ceil(clients / AT_ONCE)))
    await Promise.all(polling.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map((client) => client.register()));
  for (const client of polling) client.poll();
  const sender = new MessageSender(address, logins, channelName(0), failure.reject);
  let isOver = false;
  const send = async () => {
    for (let sequence = 0; !isOver; sequence += 1) {
      everyoneHas = Promise.withResolvers();
      left = clients;
      sender.send(sequence);
      const late = setTimeout(() => failure.reject(new Error(`${left} deliveries are missing`)), PATIENCE_MS);
      await Promise.race([everyoneHas.promise, failure.promise]);
      clearTimeout(late);
    }
  };
  const load = send();
  load.catch(() => undefined);
  try {
    const measured = await inWindow(running, (begin, end) => arrivals.filter((at) => at >= begin && at < end).length);
    isOver = true;
    await load;
    return measured;
  } finally {
    for (const client of polling) client.close();
    sender.close();
  }
}

/**
 * Measures a load that runs, with the quotas. Connections are made without them: `node:cluster` gives fewer to a worker that pauses.
 * @param done how much was done between two moments
 */
async function inWindow(running: Running, done: (begin: number, end: number) => number): Promise<Measured> {
  await delay(WARM_UP_MS);
  const endQuotas = await limitProcessor(running.workers, Number(cores));
  await delay(SETTLE_MS);
  // A scrape costs each worker some ten milliseconds, so both are outside.
  const batchesBefore = await batchesOf(running);
  const before = await spent(running);
  await delay(WINDOW_MS);
  const after = await spent(running);
  await endQuotas();
  const batchesAfter = await batchesOf(running);
  const count = done(before.at, after.at);
  return {
    rate: (count * 1000) / (after.at - before.at),
    workers: (after.workers - before.workers) / count,
    database: (after.database - before.database) / count,
    batch: (batchesAfter.items - batchesBefore.items) / (batchesAfter.count - batchesBefore.count),
  };
}

async function spent({ program, workers }: Running): Promise<Spent> {
  const below = await descendants(program.pid);
  const timeOf = async (pids: readonly number[]) => {
    const times = await Promise.all(pids.map((pid) => processorTimeWithEnded(pid).catch(() => 0)));
    return times.reduce((sum, time) => sum + time, 0) / 1000;
  };
  const others = below.map(({ pid }) => pid).filter((pid) => !workers.includes(pid));
  return { at: performance.now(), workers: await timeOf(workers), database: await timeOf(others) };
}

/** The batches that all workers have committed, and the items in them. */
async function batchesOf({ metrics }: Running): Promise<{ readonly count: number; readonly items: number }> {
  const text = await (await fetch(metrics)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { count: metric('heddle_batch_items_count'), items: metric('heddle_batch_items_sum') };
}

async function logInAt(
  connection: HttpConnection,
  address: Address,
  subdomain: string | undefined,
  person: number,
): Promise<Login> {
  const email = personEmail(person);
  const at = { ...(subdomain !== undefined && { subdomain }), parameters: { username: email } };
  const answer = await ask(connection, address, { method: 'POST', path: '/dev_fetch_api_key', ...at });
  return { email, apiKey: textField(answer, 'api_key') };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
