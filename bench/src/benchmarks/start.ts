import { type Server, startFloor } from '../harness/floor.ts';
import { npmStart } from '../harness/npm-start.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { populatedDirectory } from '../harness/site.ts';
import { call } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

/** The goal: seconds to the first response, by size. Size 0 is an empty data directory. */
const GOALS: Readonly<Record<number, number>> = { 0: 5, 1: 2 };

interface Started {
  readonly seconds: number;
  stop(): Promise<void>;
}

/** Measures the time from the spawn of `npm start` to the first response of `GET /server_settings`. */
export const start: Benchmark = {
  name: 'start',
  about: 'time from npm start to the first response; size: users in the data directory, 0 for an empty one',
  run: (settings) => inTurn(sizesOf(settings, [0, 1, 10_000], [0, 1]), (size) => measureSize(size, settings)),
};

async function measureSize(people: number, settings: Settings): Promise<Row> {
  const size = people === 0 ? 'empty directory' : people === 1 ? 'present' : `present, ${people} users`;
  settings.progress(`start: ${size}`);
  const channels = [{ first: 0, count: people }];
  const present = people === 0 ? null : await populatedDirectory({ people, channels });
  const heddleRuns: Run[] = [];
  const floorRuns: Run[] = [];
  try {
    for (let turn = 0; turn < settings.repeats; turn++) {
      const dataDirectory = present ?? (await scratchDirectory('data'));
      // Both sides use the same directory, so that their databases have the same size.
      heddleRuns.push(await timed(() => heddleStart(dataDirectory)));
      if (present === null) await removeScratch(dataDirectory);
      const floorDirectory = present ?? (await scratchDirectory('floor'));
      floorRuns.push(await timed(() => floorStart(floorDirectory)));
      if (present === null) await removeScratch(floorDirectory);
    }
  } finally {
    if (present !== null) await removeScratch(present);
  }
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const goal = GOALS[people];
  return {
    name: 'start',
    size,
    unit: 's',
    heddle,
    floor,
    ratio: quotient(heddle.rate, floor.rate),
    goal: goal === undefined ? '' : `≤ ${goal} s`,
    met: goal === undefined || heddle.rate === null ? null : heddle.rate.median <= goal,
    notes: [],
  };
}

async function timed(begin: () => Promise<Started>): Promise<Run> {
  const { seconds, stop } = await begin();
  await stop();
  return { rate: seconds, p50: null, p99: null };
}

async function heddleStart(dataDirectory: string): Promise<Started> {
  const spawnedAt = performance.now();
  const { address, stop } = await npmStart(dataDirectory);
  await call(address, { method: 'GET', path: '/server_settings' });
  return { seconds: (performance.now() - spawnedAt) / 1000, stop };
}

async function floorStart(dataDirectory: string): Promise<Started> {
  const spawnedAt = performance.now();
  const floor: Server = await startFloor('start', { dataDirectory });
  await call(floor.address, { method: 'GET', path: '/server_settings' });
  const seconds = (performance.now() - spawnedAt) / 1000;
  return { seconds, stop: () => floor.program.stop() };
}
