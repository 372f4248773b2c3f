import { type Heap, heapOf } from '../harness/memory.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { median } from '../harness/statistics.ts';
import { type Call, call, callAll, type Login } from '../harness/wire.ts';
import { type Benchmark, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 10_000;
/** Each user has fewer queues than the limit. */
const PEOPLE = 500;
const AT_ONCE = 16;

interface IdleRun extends Run {
  readonly residentKilobytes: number;
}

/**
 * Measures queues without polls. The result is the live memory of the server after a full garbage collection, which the inspector starts.
 * Resident memory also includes free memory that the allocator keeps, so it is only a note.
 */
export const idle: Benchmark = {
  name: 'idle',
  about: 'memory of a queue without a connection; size: queues',
  async run(settings) {
    const sizes = sizesOf(settings, [1000, 5000, JUDGED], [100]).toSorted((a, b) => a - b);
    settings.progress(`idle: ${sizes.join(', ')} queues`);
    const site = await openSite({ people: PEOPLE, channels: [{ first: 0, count: PEOPLE }] }, { inspected: true });
    try {
      const logins = await site.logins(upTo(PEOPLE));
      const runs: IdleRun[][] = sizes.map(() => []);
      for (let turn = 0; turn < settings.repeats; turn++) {
        await site.restart();
        const measured = await measure(site, logins, sizes, settings);
        for (const [index, run] of measured.entries()) runs[index]?.push(run);
      }
      return sizes.map((size, index) => row(size, runs[index] ?? []));
    } finally {
      await site.close();
    }
  },
};

async function measure(
  site: Site,
  logins: readonly Login[],
  sizes: readonly number[],
  settings: Settings,
): Promise<IdleRun[]> {
  // The server first serves queues that are then deleted, so that compiled code and warm caches do not count.
  await registerQueues(site, logins, settings.quick ? 20 : 1000, 'delete');
  const before = await heapOf(site.server.program);
  const runs: IdleRun[] = [];
  let registered = 0;
  for (const size of sizes) {
    await registerQueues(site, logins, size - registered, 'keep');
    registered = size;
    const after = await heapOf(site.server.program);
    const each = (pick: (heap: Heap) => number) => (pick(after) - pick(before)) / size / 1024;
    runs.push({
      rate: each((heap) => heap.liveBytes),
      p50: null,
      p99: null,
      residentKilobytes: each((heap) => heap.residentBytes),
    });
  }
  return runs;
}

async function registerQueues(site: Site, logins: readonly Login[], count: number, then: 'keep' | 'delete') {
  const { address } = site.server;
  const calls = Array.from({ length: count }, (_, index): Call => {
    const login = logins[index % logins.length];
    if (login === undefined) throw new Error('there is no user to register');
    const parameters = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'true' };
    return { method: 'POST', path: '/register', login, parameters };
  });
  const answers = await callAll(address, calls, AT_ONCE);
  if (then === 'keep') return;
  for (const [index, { queue_id }] of answers.entries()) {
    const login = calls[index]?.login;
    if (login === undefined) continue;
    await call(address, { method: 'DELETE', path: '/events', login, parameters: { queue_id: String(queue_id) } });
  }
}

function row(size: number, runs: readonly IdleRun[]): Row {
  const heddle = summarize(runs.map(({ rate, p50, p99 }) => ({ rate, p50, p99 })));
  const resident = median(runs.map((run) => run.residentKilobytes));
  return {
    name: 'idle',
    size: `${size} queues`,
    unit: 'KB/queue',
    heddle,
    floor: { rate: { median: 0, least: 0, most: 0 }, p50: null, p99: null, cpu: null, runs: [] },
    ratio: null,
    goal: size === JUDGED ? '≤ 2 KB' : '',
    met: size === JUDGED && heddle.rate !== null ? heddle.rate.median <= 2 : null,
    notes: [`resident memory grew by ${resident.toFixed(1)} KB per queue`],
  };
}
