import { type Server, startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { residentBytes } from '../harness/memory.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate, median } from '../harness/statistics.ts';
import type { Login } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

type Direction = 'up' | 'down';

const GOAL = 0.7;
const AT_ONCE = 4;
const MIB = 1024 * 1024;
/** Maximum transfer of a run, which limits the used disk space. */
const MAX_TRANSFER_MIB = 1200;

const LOOK_EVERY = 50;

/** Sizes of files in MiB. */
const SIZES = [1, 10, 100];

export const upload: Benchmark = {
  name: 'upload',
  about: `uploads as forms, ${AT_ONCE} at once; size: MiB of a file`,
  run: (settings) => inTurn(sizesOf(settings, SIZES, [1]), (size) => measureSize('up', size, settings)),
};

export const download: Benchmark = {
  name: 'download',
  about: `downloads by the owner of the file, ${AT_ONCE} at once; size: MiB of the file`,
  run: (settings) => inTurn(sizesOf(settings, SIZES, [1]), (size) => measureSize('down', size, settings)),
};

interface Measured extends Run {
  /** Resident memory of the server before the transfer, and its maximum during the transfer, in bytes. */
  readonly before: number;
  readonly most: number;
}

async function measureSize(direction: Direction, size: number, settings: Settings): Promise<Row> {
  settings.progress(`${direction}load: ${size} MiB`);
  const site = await openSite({ people: AT_ONCE, channels: [{ first: 0, count: AT_ONCE }] });
  const directory = await scratchDirectory('files');
  const floor = await startFloor('transfer', { directory });
  try {
    const logins = await site.logins(upTo(AT_ONCE));
    const runs = await alternate(
      settings.repeats,
      () => measure(site.server, '/api/v1/user_uploads', logins, direction, size, settings),
      () => measure(floor, '/?before=130&after=25', logins, direction, size, settings),
    );
    return row(direction, size, runs.left, runs.right);
  } finally {
    await floor.program.stop();
    await removeScratch(directory);
    await site.close();
  }
}

async function measure(
  server: Server,
  path: string,
  logins: readonly Login[],
  direction: Direction,
  size: number,
  settings: Settings,
): Promise<Measured> {
  const { pid } = server.program;
  const before = await residentBytes(pid);
  let most = before;
  const looking = setInterval(async () => {
    most = Math.max(most, await residentBytes(pid).catch(() => 0));
  }, LOOK_EVERY);
  try {
    const files = settings.quick ? 8 : Math.ceil(MAX_TRANSFER_MIB / settings.repeats / size);
    const load = { address: server.address, direction, path, size: size * MIB, files, logins };
    const { rate, p50, p99 } = await runLoad('transfer', load);
    return { rate, p50, p99, before, most };
  } finally {
    clearInterval(looking);
  }
}

function row(direction: Direction, size: number, heddleRuns: readonly Measured[], floorRuns: readonly Measured[]): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  return {
    name: `${direction}load`,
    size: `${size} MiB`,
    unit: 'MiB/s',
    heddle,
    floor,
    ratio,
    goal: `≥ ${GOAL}`,
    met: ratio === null ? null : ratio >= GOAL,
    notes: [`Heddle ${memoryNote(heddleRuns)}`, `floor ${memoryNote(floorRuns)}`],
  };
}

function memoryNote(runs: readonly Measured[]): string {
  const megabytes = (pick: (run: Measured) => number) => Math.round(median(runs.map(pick)) / MIB);
  return `resident ${megabytes(({ before }) => before)} MB before, ${megabytes(({ most }) => most)} MB at most`;
}
