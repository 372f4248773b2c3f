import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run as runFiles } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestRun } from '@heddle/server/testing/database.ts';
import { importersIn } from './checks/import-graph.ts';
import { readSources } from './checks/source.ts';

const root = join(import.meta.dirname, '..');

/** Test files that run at once. More than there are cores, as all wait for the database and some for processes; each may hold twenty connections. */
const concurrency = Math.min(availableParallelism() + 2, 5);

/** A test that takes longer than this hangs. */
const testTimeoutMilliseconds = 3 * 60_000;

/** A run that takes longer than this hangs, for instance on a file that leaves a server open. What still runs is told as failed. */
const runTimeoutMilliseconds = 25 * 60_000;

/** So many files are named at the end: those that a run waits for. */
const SLOWEST = 10;

// What we were asked to end for: it ends what runs now, and our own tidying up follows.
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());

/** Runs the checks, output shown. */
function check(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/check.ts'], { cwd: root, stdio: 'inherit' });
    ending.signal.addEventListener('abort', () => child.kill());
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** Runs test files in that order, each in a process of its own, and shows what they say. Whether all of them passed. */
async function runTests(files: readonly string[], environment: Readonly<Record<string, string>>): Promise<boolean> {
  const told = runFiles({
    files: files.map((file) => join(root, file)),
    cwd: root,
    concurrency,
    timeout: testTimeoutMilliseconds,
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(runTimeoutMilliseconds)]),
    // Loading the code makes more young objects than fit into the usual beginning: a fifth of a file's start.
    execArgv: ['--min-semi-space-size=32'],
    env: { ...process.env, ...environment },
  });
  let passed = false;
  const durations: { readonly file: string; readonly seconds: number }[] = [];
  told.on('test:summary', ({ file, success, duration_ms: milliseconds }) => {
    if (file === undefined) passed = success;
    else durations.push({ file: relative(root, file), seconds: milliseconds / 1000 });
  });
  const shown = told.compose(new spec());
  shown.pipe(process.stdout, { end: false });
  await once(shown, 'end');
  const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
  return passed;
}

const usage = `Usage: npm test -- [options] [part of a test file's path]…

  --no-checks      run the tests alone
  --database-only  run the tests of rooms that write SQL, but for those that start programs or services, and those of pages`;

interface Selection {
  readonly isDatabaseOnly: boolean;
  readonly filters: readonly string[];
}

/** The rooms that write SQL. What the server is as a whole and over HTTP does not hang on the version of PostgreSQL. */
const WITH_STATEMENTS = /^server\/src\/(access|db|directory|features|jobs|log|mail|storage)\//;

/** What commands, kills and pauses leave, and what browsers, stores and directories say, hangs on the system. */
const STARTING_PROGRAMS = ['heddle-process', 'browser', 's3-server', 'slapd'];
/** Nor does what pages say, or what services that the tests themselves bring answer. */
const BRINGING_SERVICES = ['bot-service', 'login-provider', 'mail-server', 'name-server', 'push-service', 'visitor'];

/** The test files that are asked for, by path, in the order in which they are to run. */
async function selectTests({ isDatabaseOnly, filters }: Selection): Promise<string[]> {
  const sources = await readSources(root);
  const importersOf = importersIn(sources);
  const ofTesting = (name: string) => importersOf(`server/src/testing/${name}.ts`);
  const benchmarking = importersOf('bench/src/harness/programs.ts');
  const usingDatabase = ofTesting('database');
  const isAmong = (path: string, importers: readonly ReadonlySet<string>[]) =>
    importers.some((files) => files.has(path));
  const startingPrograms = STARTING_PROGRAMS.map(ofTesting);
  const bringingServices = BRINGING_SERVICES.map(ofTesting);
  const isStarting = (path: string) => isAmong(path, startingPrograms);
  const isOfStatements = (path: string) =>
    usingDatabase.has(path) && WITH_STATEMENTS.test(path) && !isStarting(path) && !isAmong(path, bringingServices);
  const selected = sources
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => !isDatabaseOnly || isOfStatements(path))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)));
  const computing = selected.filter((path) => !isStarting(path));
  // What takes longest comes first, so that no core waits for it in the end.
  const rank = (path: string) => (benchmarking.has(path) ? 0 : 1);
  return spread(
    selected.filter(isStarting),
    computing.toSorted((a, b) => rank(a) - rank(b)),
  );
}

/** The few, which mostly wait, among the first two thirds of the many, which compute: so cores are busy, and nothing long comes last. */
function spread(few: readonly string[], many: readonly string[]): string[] {
  const apart = Math.max(1, Math.floor((many.length * 2) / 3 / (few.length + 1)));
  const between = few.flatMap((file, index) => [file, ...many.slice(index * apart, (index + 1) * apart)]);
  return [...between, ...many.slice(few.length * apart)];
}

/** Checks, then tests. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('-'));
  if (options.some((option) => option !== '--no-checks' && option !== '--database-only')) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  const filters = args.filter((arg) => !arg.startsWith('-'));
  const files = await selectTests({ isDatabaseOnly: options.includes('--database-only'), filters });
  if (files.length === 0) {
    process.stderr.write('No test file is selected.\n');
    return 1;
  }
  if (!options.includes('--no-checks') && !(await check())) return 1;
  if (ending.signal.aborted) return 1;
  const run = await startTestRun();
  try {
    return (await runTests(files, run.environment)) ? 0 : 1;
  } finally {
    await run.stop();
  }
}

process.exitCode = await main(process.argv.slice(2));
