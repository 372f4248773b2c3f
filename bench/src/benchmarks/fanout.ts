import { type Server, startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { processorTime } from '../harness/processor-time.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import type { Login } from '../harness/wire.ts';
import type { LoadResult } from '../loads/index.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const MEASURED_CLIENTS = 2000;
const MESSAGES_PER_SECOND = 20;
const SENDERS = 10;

interface Measured extends LoadResult<'longPoll'> {
  /** Processor time of the server per delivery, in microseconds: the response and the next poll. */
  readonly cpuPerDelivery: number;
}

/** All clients subscribe to one channel and poll. A latency is the time from a send to its receipt by the last client. */
export const fanout: Benchmark = {
  name: 'fanout',
  about: 'deliveries to long-polling clients at 20 messages/s; size: clients',
  run: (settings) =>
    inTurn(sizesOf(settings, [200, 1000, MEASURED_CLIENTS], [20]), (size) => measureSize(size, settings)),
};

async function measureSize(clients: number, settings: Settings): Promise<Row> {
  settings.progress(`fanout: ${clients} clients`);
  const site = await openSite({ people: clients + SENDERS, channels: [{ first: 0, count: clients + SENDERS }] });
  try {
    const logins = await site.logins(upTo(clients + SENDERS));
    const seconds = settings.quick ? 0.5 : clients === MEASURED_CLIENTS ? 15 : 6;
    const sample = await measure(site.server, logins, 0.1, settings);
    const floor = await startFloor('fanout', { sampleEvent: sample.sampleEvent });
    try {
      const runs = await alternate(
        settings.repeats,
        () => measure(site.server, logins, seconds, settings),
        () => measure(floor, logins, seconds, settings),
      );
      return row(clients, runs.left.map(toRun), runs.right.map(toRun));
    } finally {
      await floor.program.stop();
    }
  } finally {
    await site.close();
  }
}

async function measure(
  server: Server,
  logins: readonly Login[],
  seconds: number,
  settings: Settings,
): Promise<Measured> {
  let spentBefore = 0;
  let spent = 0;
  const result = await runLoad(
    'longPoll',
    {
      address: server.address,
      pollers: logins.slice(SENDERS),
      senders: logins.slice(0, SENDERS),
      channel: channelName(0),
      warmUpMessages: settings.quick ? 2 : 20,
      messages: Math.max(2, Math.round(seconds * MESSAGES_PER_SECOND)),
      messagesPerSecond: MESSAGES_PER_SECOND,
      patience: 60,
    },
    async (stage) => {
      if (stage === 'held') spentBefore = await processorTime(server.program.pid);
      if (stage === 'delivered') spent = (await processorTime(server.program.pid)) - spentBefore;
    },
  );
  return { ...result, cpuPerDelivery: spent / result.deliveries };
}

function toRun(result: Measured): Run {
  return {
    rate: result.deliveriesPerSecond,
    p50: result.lastReceiptP50,
    p99: result.lastReceiptP99,
    cpu: result.cpuPerDelivery,
  };
}

function row(clients: number, heddleRuns: readonly Run[], floorRuns: readonly Run[]): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const slower = quotient(heddle.p99, floor.p99);
  const dearer = quotient(heddle.cpu, floor.cpu);
  const judged = clients === MEASURED_CLIENTS && ratio !== null && slower !== null && dearer !== null;
  return {
    name: 'fanout',
    size: `${clients} clients`,
    unit: 'deliveries/s',
    heddle,
    floor,
    ratio,
    goal: clients === MEASURED_CLIENTS ? '≥ 0.9, p99 ≤ 2 ×, cpu ≤ 1.5 ×' : '',
    met: judged ? ratio >= 0.9 && slower <= 2 && dearer <= 1.5 : null,
    notes:
      slower === null || dearer === null
        ? []
        : [`p99 is ${slower.toFixed(2)} × the floor's, cpu per delivery ${dearer.toFixed(2)} ×`],
  };
}
