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
  /** Resident memory of the server after a full garbage collection, before the first registration and with all polls waiting. */
  readonly before: number;
  readonly held: number;
  /** Resident memory with all polls waiting, before the garbage collection. */
  readonly uncollected: number;
  readonly receiptP50: number;
  readonly receiptP99: number;
  readonly sampleEvent: string;
}

const JUDGED = 10_000;

/**
 * Measures the memory of many waiting polls in one process, and the time until a message reaches the last of them. Memory is measured after
 * a garbage collection, because the amount of garbage depends on the time of the last collection.
 */
export const polls: Benchmark = {
  name: 'polls',
  about: 'memory of waiting polls, and delivery of single messages to all; size: polls',
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
    // Memory is comparable only between processes of the same age, so each run starts new ones.
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

/** Loads the directory of the organization first, because it is not part of the memory of a poll. */
async function loadOrganization({ address }: Server, [login]: readonly Login[]): Promise<void> {
  if (login === undefined) throw new Error('there is no user to ask');
  await call(address, { method: 'GET', path: '/users/me', login, parameters: {} });
}

async function measure(server: Server, logins: readonly Login[], settings: Settings): Promise<HeldRun> {
  const [sender, ...pollers] = logins;
  if (sender === undefined) throw new Error('there is no user to send');
  const { pid } = server.program;
  // Garbage from loading would hide the memory of the polls, because they would reuse its space. Polls also produce garbage.
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
      // One message at a time, so that the result is the latency of one wake-up.
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
    // The load fails if a client stops or misses a delivery.
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
    `resident ${megabytes(of((run) => run.before))} before, ${megabytes(of((run) => run.held))} with polls ` +
    `(${megabytes(of((run) => run.uncollected))} with garbage); ` +
    `receipt by any client p50 ${of((run) => run.receiptP50).toFixed(1)} ms, p99 ${of((run) => run.receiptP99).toFixed(1)} ms`
  );
}
