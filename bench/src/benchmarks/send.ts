import type { SendFloorSettings } from '../floors/send.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { type FloorDatabase, startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName, personName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, call, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const CHANNELS = 20;
const SUBSCRIBERS = 10;
const REQUESTS_A_SENDER = 40;
const MEASURED_SENDERS = 64;
const POOLS = [8, 16, 32, 64];

/** `size` users send. Each sends the next message after the acknowledgment of the last one. */
export const send: Benchmark = {
  name: 'send',
  about: 'acknowledged messages per second; size: concurrent senders',
  async run(settings) {
    const people = CHANNELS * SUBSCRIBERS;
    const channels = Array.from({ length: CHANNELS }, (_, index) => ({
      first: index * SUBSCRIBERS,
      count: SUBSCRIBERS,
    }));
    const site = await openSite({ people, channels });
    const database = await startFloorDatabase();
    try {
      return await inTurn(sizesOf(settings, [8, 64, 192], [4]), async (senders) => {
        settings.progress(`send: ${senders} senders`);
        const logins = await site.logins(Array.from({ length: senders }, (_, index) => memberOf(index)));
        const calls = logins.map((login, index) => messagesOf(login, index));
        const sample = await call(site.server.address, calls[0]?.[0] ?? { method: 'GET', path: '/' });
        const { floor, connections } = await bestFloor(settings, database, sample, calls);
        try {
          const runs = await alternate(
            settings.repeats,
            () => measure(site.server, calls, settings),
            () => measure(floor, calls, settings),
          );
          return row(senders, runs.left, runs.right, connections);
        } finally {
          await floor.program.stop();
        }
      });
    } finally {
      await database.stop();
      await site.close();
    }
  },
};

/** The number of a subscriber, from another channel for each sender. */
function memberOf(sender: number): number {
  return (sender % CHANNELS) * SUBSCRIBERS + (Math.floor(sender / CHANNELS) % SUBSCRIBERS);
}

function messagesOf(login: Login, sender: number): Call[] {
  return Array.from({ length: REQUESTS_A_SENDER }, (_, index) => ({
    method: 'POST',
    path: '/messages',
    login,
    parameters: {
      type: 'channel',
      to: channelName(sender % CHANNELS),
      topic: `topic ${index % 5}`,
      content: markdown(sender, index),
    },
  }));
}

/** Typical content of two hundred characters. One of ten messages mentions a user. */
function markdown(sender: number, index: number): string {
  const mention = index % 10 === 0 ? `@**${personName(memberOf(sender))}** ` : '';
  const text =
    `${mention}Build **${index}** of \`loom-${sender}\` is up: [the log](https://example.com/builds/${index}) says ` +
    'all *green*, so we ship after lunch unless somebody objects. The rest of this line is plain text about nothing at all.';
  return text.padEnd(200, '.').slice(0, 200);
}

async function measure(server: Server, calls: readonly (readonly Call[])[], settings: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: calls.map((own) => own.map((each) => requestBytes(server.address, each))),
    ...spanOf(settings, { warmUp: 2, seconds: 6 }),
    countBodies: false,
  });
  return { rate, p50, p99 };
}

/** Chooses the best number of connections for the floor at this concurrency. */
async function bestFloor(
  settings: Settings,
  database: FloorDatabase,
  sample: object,
  calls: readonly (readonly Call[])[],
): Promise<{ floor: Server; connections: number }> {
  const [answerBefore = '', answerAfter = ''] = JSON.stringify(sample).split(/(?<="id":)\d+/);
  const start = (connections: number) => {
    const floorSettings: SendFloorSettings = { database: database.connection, connections, answerBefore, answerAfter };
    return startFloor('send', floorSettings);
  };
  const candidates = settings.quick ? [8] : POOLS.filter((pool) => pool <= Math.max(8, calls.length));
  let best = { connections: candidates[0] ?? 8, rate: 0 };
  for (const connections of candidates.length > 1 ? candidates : []) {
    const floor = await start(connections);
    const { rate } = await measure(floor, calls, settings);
    await floor.program.stop();
    if (rate !== null && rate > best.rate) best = { connections, rate };
  }
  return { floor: await start(best.connections), connections: best.connections };
}

function row(senders: number, heddleRuns: readonly Run[], floorRuns: readonly Run[], connections: number): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  return {
    name: 'send',
    size: `${senders} senders`,
    unit: 'sends/s',
    heddle,
    floor,
    ratio,
    goal: senders === MEASURED_SENDERS ? '≥ 0.9' : '',
    met: senders === MEASURED_SENDERS && ratio !== null ? ratio >= 0.9 : null,
    notes: [`the floor holds ${connections} database connections`],
  };
}
