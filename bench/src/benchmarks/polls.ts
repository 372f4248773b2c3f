import { type Server, startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { heapOf, residentBytes } from '../harness/memory.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { median } from '../harness/statistics.ts';
import { call, type Login } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

interface HeldRun extends Run {
  /** Resident memory of the server's process after a full collection: before anyone registered, and with every poll held. */
  readonly before: number;
  readonly held: number;
  /** The same with every poll held, and with all that was not collected yet. */
  readonly uncollected: number;
  readonly receiptP50: number;
  readonly receiptP99: number;
  readonly sampleEvent: string;
}

const JUDGED = 10_000;

/**
 * Many polls held in one process: what they weigh, and how long one message takes to reach the last of them. What they weigh is what stays:
 * how much garbage lies about at a moment depends on when it was last collected.
 */
export const polls: Benchmark = {
  name: 'polls',
  about: 'memory of held polls and delivery of single messages to all; size: polls',
  run: (settings) => inTurn(sizesOf(settings, [1000, 5000, JUDGED], [50]), (size) => measureSize(size, settings)),
};

async function measureSize(clients: number, settings: Settings): Promise<Row> {
  settings.progress(`polls: ${clients} held`);
  const site = await openSite(
    { people: clients + 1, channels: [{ first: 0, count: clients + 1 }] },
    { inspected: true },
  );
  try {
    const logins = await site.logins(upTo(clients + 1));
    const heddleRuns: HeldRun[] = [];
    const floorRuns: HeldRun[] = [];
    // Memory is only comparable between processes of the same age: each run has fresh ones.
    for (let turn = 0; turn < settings.repeats; turn++) {
      await site.restart();
      await loadOrganization(site.server, logins);
      const heddleRun = await measure(site.server, logins, settings);
      heddleRuns.push(heddleRun);
      const floor = await startFloor('fanout', { sampleEvent: heddleRun.sampleEvent }, { inspected: true });
      floorRuns.push(await measure(floor, logins, settings));
      await floor.program.stop();
    }
    return row(clients, heddleRuns, floorRuns);
  } finally {
    await site.close();
  }
}

/** The picture of an organization is there for all that it does: it is no part of a poll. */
async function loadOrganization({ address }: Server, [login]: readonly Login[]): Promise<void> {
  if (login === undefined) throw new Error('nobody to ask');
  await call(address, { method: 'GET', path: '/users/me', login, parameters: {} });
}

async function measure(server: Server, logins: readonly Login[], settings: Settings): Promise<HeldRun> {
  const [sender, ...pollers] = logins;
  if (sender === undefined) throw new Error('nobody to send');
  const { pid } = server.program;
  // What loading has left behind would make room for the polls, and hide them. And what they left behind is collected some day.
  const { residentBytes: before } = await heapOf(server.program);
  let held = 0;
  let uncollected = 0;
  const result = await runLoad(
    'longPoll',
    {
      address: server.address,
      pollers,
      senders: [sender],
      channel: channelName(0),
      warmUpMessages: 2,
      messages: settings.quick ? 3 : 20,
      // One at a time: the latency of a wake-up, not of a queue of them.
      messagesPerSecond: settings.quick ? 10 : 1,
      patience: 60,
    },
    async (stage) => {
      if (stage !== 'held') return;
      uncollected = await residentBytes(pid);
      held = (await heapOf(server.program)).residentBytes;
    },
  );
  return {
    rate: (held - before) / pollers.length / 1024,
    p50: result.lastReceiptP50,
    p99: result.lastReceiptP99,
    before,
    held,
    uncollected,
    receiptP50: result.receiptP50,
    receiptP99: result.receiptP99,
    sampleEvent: result.sampleEvent,
  };
}

function row(clients: number, heddleRuns: readonly HeldRun[], floorRuns: readonly HeldRun[]): Row {
  const heddle = summarize(heddleRuns.map(toRun));
  const floor = summarize(floorRuns.map(toRun));
  const ratio = quotient(heddle.rate, floor.rate);
  return {
    name: 'polls',
    size: `${clients} held`,
    unit: 'KB/poll',
    heddle,
    floor,
    ratio,
    // A load that a client falls out of, or that misses a delivery, fails.
    goal: clients === JUDGED ? '≤ 1.2' : '',
    met: clients === JUDGED && ratio !== null ? ratio <= 1.2 : null,
    notes: [`Heddle ${memoryNote(heddleRuns)}`, `floor ${memoryNote(floorRuns)}`],
  };
}

function toRun({ rate, p50, p99 }: HeldRun): Run {
  return { rate, p50, p99 };
}

function memoryNote(runs: readonly HeldRun[]): string {
  const of = (pick: (run: HeldRun) => number) => median(runs.map(pick));
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  return (
    `resident ${megabytes(of((run) => run.before))} before, ${megabytes(of((run) => run.held))} held ` +
    `(${megabytes(of((run) => run.uncollected))} with garbage); ` +
    `any client's receipt p50 ${of((run) => run.receiptP50).toFixed(1)} ms, p99 ${of((run) => run.receiptP99).toFixed(1)} ms`
  );
}
