import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { logIn, owner, startHeddle } from '../harness/heddle-server.ts';
import { Histogram } from '../harness/histogram.ts';
import { channelName, type Population, personEmail } from '../harness/population.ts';
import { processorTimes } from '../harness/processor-time.ts';
import { PushService } from '../harness/push-service.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch } from '../harness/scratch.ts';
import { populatedDirectory, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { call, numberField } from '../harness/wire.ts';
import type { LoadResult } from '../loads/index.ts';
import type { Sent } from '../loads/mentioning-sends.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const MEASURED_MESSAGES = 100_000;
const SUBSCRIBERS = 5000;
const DEVICES = 2000;
const SENDERS = 64;
const MESSAGES_PER_TOPIC = 20;
/** One of ten messages mentions the owner of a device, as in `send`. A person who is mentioned follows the topic from then on. */
const MENTION_EVERY = 10;
/** Seconds until a push counts as lost. */
const PATIENCE = 60;
const GOAL_SECONDS = 5;

interface Measured {
  readonly sends: Run;
  /** From the send to the arrival at the push service, in milliseconds. */
  readonly pushes: Run;
  /** The same for one message that mentions everyone. */
  readonly everyone: Run;
}

/** `size` messages to a channel with 5,000 subscribers, of which 2,000 have a browser with Web Push. */
export const push: Benchmark = {
  name: 'push',
  about: 'sends beside Web Push, and the seconds until a push leaves; size: messages',
  run: async (settings) =>
    (await inTurn(sizesOf(settings, [MEASURED_MESSAGES], [200]), (size) => measureSize(size, settings))).flat(),
};

async function measureSize(messages: number, settings: Settings): Promise<readonly Row[]> {
  settings.progress(`push: ${messages} messages`);
  const { left, right } = await alternate(
    settings.repeats,
    () => withDevices(messages, settings),
    () => withoutDevices(messages, settings),
  );
  const [heddle, floor] = [summarize(left.map(({ sends }) => sends)), summarize(right)];
  const ratio = quotient(heddle.rate, floor.rate);
  const isMeasured = messages === MEASURED_MESSAGES && !settings.quick;
  const pushed = (what: string, runs: readonly Run[]): Row => {
    const seconds = summarize(runs);
    return {
      name: 'push',
      size: `${messages} messages: ${what}`,
      unit: 's at most',
      heddle: seconds,
      floor: null,
      ratio: null,
      goal: isMeasured ? `≤ ${GOAL_SECONDS} s` : '',
      met: isMeasured && seconds.rate !== null ? seconds.rate.most <= GOAL_SECONDS : null,
      notes: [],
    };
  };
  return [
    {
      name: 'push',
      size: `${messages} messages: sends`,
      unit: 'sends/s',
      heddle,
      floor,
      ratio,
      goal: isMeasured ? '≥ 0.9' : '',
      met: isMeasured && ratio !== null ? ratio >= 0.9 : null,
      notes: ['the other side are the same sends without devices'],
    },
    pushed(
      'until each push left',
      left.map(({ pushes }) => pushes),
    ),
    pushed(
      'until all pushes for one message to everyone left',
      left.map(({ everyone }) => everyone),
    ),
  ];
}

function populationOf({ quick }: Settings): Population {
  const people = quick ? 100 : SUBSCRIBERS;
  return { people, channels: [{ first: 0, count: people }] };
}

function devicesOf({ quick }: Settings): number {
  return quick ? 40 : DEVICES;
}

async function withoutDevices(messages: number, settings: Settings): Promise<Run> {
  return onServer(populationOf(settings), async (server) => {
    const { result, cpu } = await spent(server, messages, settings, () => sendAll(server, messages, settings));
    return { ...toRun(result), cpu };
  });
}

async function withDevices(messages: number, settings: Settings): Promise<Measured> {
  const service = await PushService.start(devicesOf(settings));
  const population = { ...populationOf(settings), pushSubscriptions: service.subscriptions };
  try {
    return await onServer(population, async (server) => {
      const { result, cpu } = await spent(server, messages, settings, async () => {
        const sent = await sendAll(server, messages, settings);
        return { sent, pushes: await latencies(service, expectedOf(sent.sent)) };
      });
      const { sent, pushes } = result;
      const everyone = await latencies(service, await mentionEveryone(server, devicesOf(settings)));
      return { sends: { ...toRun(sent), cpu }, pushes, everyone };
    });
  } finally {
    await service.stop();
  }
}

/** Each run has a server and data of its own, so that both sides begin with the same. */
async function onServer<Result>(population: Population, act: (server: Server) => Promise<Result>): Promise<Result> {
  const dataDirectory = await populatedDirectory(population);
  const environment = { HEDDLE_WEB_PUSH_PRIVATE_NETWORKS: '127.0.0.1' };
  const server = await startHeddle({ dataDirectory, environment });
  try {
    return await act(server);
  } finally {
    await server.program.stop();
    await removeScratch(dataDirectory);
  }
}

async function sendAll(server: Server, messages: number, settings: Settings): Promise<LoadResult<'mentioningSends'>> {
  // The senders have no devices.
  const first = devicesOf(settings);
  const senders = await inTurn(upTo(settings.quick ? 4 : SENDERS), (index) =>
    logIn(server, personEmail(first + index)),
  );
  return runLoad('mentioningSends', {
    address: server.address,
    senders,
    channel: channelName(0),
    messages,
    messagesPerTopic: MESSAGES_PER_TOPIC,
    mentionEvery: MENTION_EVERY,
    people: devicesOf(settings),
  });
}

/** The processor time of the server and its database per message, in microseconds. With devices, it includes all pushes. */
async function spent<Result>(
  { program }: Server,
  messages: number,
  settings: Settings,
  act: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly cpu: number }> {
  const before = await processorTimes(program.pid);
  const result = await act();
  const after = await processorTimes(program.pid);
  const [server, database] = [after.server - before.server, after.database - before.database].map(
    (time) => time / messages,
  );
  settings.progress(
    `  processor time per message: server ${server?.toFixed(0)} µs, database ${database?.toFixed(0)} µs`,
  );
  return { result, cpu: (server ?? 0) + (database ?? 0) };
}

/** Only the owner may mention everyone in a large channel. */
async function mentionEveryone({ address, program }: Server, devices: number): Promise<readonly Expected[]> {
  const login = await logIn({ address, program }, owner.email);
  const parameters = {
    type: 'channel',
    to: channelName(0),
    topic: 'everyone',
    content: '@**all** The looms stop at noon.',
  };
  const at = Date.now();
  const messageId = numberField(await call(address, { method: 'POST', path: '/messages', login, parameters }), 'id');
  return upTo(devices).map((person) => ({ person, messageId, at }));
}

/** A message that a device must show. */
interface Expected {
  readonly person: number;
  readonly messageId: number;
  readonly at: number;
}

/** Each mention, and what follows it in its topic. */
function expectedOf(sent: readonly Sent[]): readonly Expected[] {
  const expected: Expected[] = [];
  for (const messages of Map.groupBy(sent, ({ topic }) => topic).values()) {
    const followers: number[] = [];
    for (const { messageId, person, at } of messages.toSorted((a, b) => a.messageId - b.messageId)) {
      if (person !== null && !followers.includes(person)) followers.push(person);
      for (const follower of followers) expected.push({ person: follower, messageId, at });
    }
  }
  return expected;
}

/** Waits until all of these have arrived. A push without anything new fails the benchmark. */
async function latencies(service: PushService, awaited: readonly Expected[]): Promise<Run> {
  const expected = new Map(awaited.map(({ person, messageId, at }) => [`${person} ${messageId}`, at]));
  const found = new Histogram();
  let looked = 0;
  const deadline = Date.now() + PATIENCE * 1000;
  while (expected.size > 0) {
    if (Date.now() > deadline) throw new Error(`${expected.size} of ${awaited.length} messages did not arrive`);
    await delay(100);
    const arrived = service.arrived.slice(looked);
    looked += arrived.length;
    for (const { device, at, messageIds } of arrived) {
      for (const messageId of messageIds) {
        const sentAt = expected.get(`${device} ${messageId}`);
        if (sentAt === undefined) continue;
        expected.delete(`${device} ${messageId}`);
        found.record(at - sentAt);
      }
    }
  }
  service.checkNothingRepeated();
  return { rate: found.largest / 1000, p50: found.quantile(0.5), p99: found.quantile(0.99) };
}

function toRun({ rate, p50, p99 }: LoadResult<'mentioningSends'>): Run {
  return { rate, p50, p99 };
}
