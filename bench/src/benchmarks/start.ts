import { setTimeout as delay } from 'node:timers/promises';
import { addressIn, type Server, startFloor } from '../harness/floor.ts';
import { listening, serveEnvironment } from '../harness/heddle-server.ts';
import { residentBytes } from '../harness/memory.ts';
import { descendants, startProgram } from '../harness/programs.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { populatedDirectory } from '../harness/site.ts';
import { call } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

/** The goal: seconds to the first response, by size. Size 0 is an empty data directory. */
const GOALS: Readonly<Record<number, number>> = { 0: 5, 1: 2 };

/** The goal for the memory of an idle server without its database, in megabytes. */
const IDLE_GOAL = 150;
/** The idle time before the measurement of memory, in milliseconds. */
const IDLE_FOR = 60_000;

interface Started {
  readonly seconds: number;
  readonly pid: number | undefined;
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
  const notes: string[] = [];
  try {
    for (let turn = 0; turn < settings.repeats; turn++) {
      const dataDirectory = present ?? (await scratchDirectory('data'));
      // Both sides use the same directory, so that their databases have the same size.
      heddleRuns.push(await timed(() => npmStart(dataDirectory)));
      if (present === null) await removeScratch(dataDirectory);
      const floorDirectory = present ?? (await scratchDirectory('floor'));
      floorRuns.push(await timed(() => floorStart(floorDirectory)));
      if (present === null) await removeScratch(floorDirectory);
    }
    if (present !== null && !settings.quick) notes.push(await heldWhenIdle(present));
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
    notes,
  };
}

async function heldWhenIdle(dataDirectory: string): Promise<string> {
  const { pid, stop } = await npmStart(dataDirectory);
  if (pid === undefined) throw new Error('npm start runs no server');
  await delay(IDLE_FOR);
  const megabytes = (await residentBytes(pid)) / 2 ** 20;
  await stop();
  return `${megabytes.toFixed(0)} MB resident after a minute without a request (goal: ≤ ${IDLE_GOAL} MB)`;
}

async function timed(begin: () => Promise<Started>): Promise<Run> {
  const { seconds, stop } = await begin();
  await stop();
  return { rate: seconds, p50: null, p99: null };
}

async function npmStart(dataDirectory: string): Promise<Started> {
  const spawnedAt = performance.now();
  const program = await startProgram({
    command: 'npm',
    arguments: ['start'],
    environment: serveEnvironment(dataDirectory),
    ready: listening,
  });
  await call(addressIn(program.ready), { method: 'GET', path: '/server_settings' });
  const seconds = (performance.now() - spawnedAt) / 1000;
  // npm forwards a signal to a process that already received it from us. A second signal would stop Heddle immediately.
  const server = (await descendants(program.pid)).find(({ command }) => command.includes('operator/src/main.ts'));
  return { seconds, pid: server?.pid, stop: () => program.stop(server?.pid) };
}

async function floorStart(dataDirectory: string): Promise<Started> {
  const spawnedAt = performance.now();
  const floor: Server = await startFloor('start', { dataDirectory });
  await call(floor.address, { method: 'GET', path: '/server_settings' });
  const seconds = (performance.now() - spawnedAt) / 1000;
  return { seconds, pid: floor.program.pid, stop: () => floor.program.stop() };
}
