import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run as runFiles } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestRun } from '@heddle/server/testing/database.ts';
import { importersIn } from './checks/import-graph.ts';
import { readSources } from './checks/source.ts';
import type { SuiteFile } from './test-batch.ts';

const root = join(import.meta.dirname, '..');

/** Test files that run at once. More than there are cores, as all wait for the database and some for processes; each may hold twenty connections. */
const concurrency = Math.min(availableParallelism() + 2, 5);

/** So many files at most share a process: loading the server's code takes as long as the tests of a file do. */
const BATCH = 8;

/** A file that takes longer than this hangs. */
const fileTimeoutMilliseconds = 3 * 60_000;

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

/** What one process runs: a file, or a file made for the purpose that brings several. */
type Process = readonly string[];

/** Runs these in that order, and shows what they say. Whether all of them passed. */
async function runTests(
  processes: readonly Process[],
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-tests-'));
  const files = await Promise.all(processes.map((each, index) => fileOf(each, join(directory, `${index}.test.mjs`))));
  const told = runFiles({
    files,
    cwd: root,
    concurrency,
    timeout: BATCH * fileTimeoutMilliseconds,
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(runTimeoutMilliseconds)]),
    // Loading the code makes more young objects than fit into the usual beginning: a fifth of a file's start.
    execArgv: ['--min-semi-space-size=32'],
    env: { ...process.env, ...environment },
  });
  let passed = false;
  const durations: { readonly file: string; readonly seconds: number }[] = [];
  const took = (file: string, milliseconds: number) => durations.push({ file, seconds: milliseconds / 1000 });
  told.on('test:summary', ({ file, success, duration_ms: milliseconds }) => {
    if (file === undefined) passed = success;
    else if (!file.startsWith(directory)) took(relative(root, file), milliseconds);
  });
  told.on('test:complete', ({ name, nesting, file, details }) => {
    const isSuiteOfBatch = nesting === 0 && file?.startsWith(directory) && name !== file;
    if (isSuiteOfBatch) took(name, details.duration_ms);
  });
  const shown = told.compose(new spec());
  shown.pipe(process.stdout, { end: false });
  await once(shown, 'end');
  await rm(directory, { recursive: true });
  const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
  return passed;
}

/** The path of what runs these: the file itself where it is one, or else `made`, which is written. */
async function fileOf(files: Process, made: string): Promise<string> {
  const [first] = files;
  if (first !== undefined && files.length === 1) return join(root, first);
  const suites = files.map((name): SuiteFile => ({ path: join(root, name), name }));
  const batch = JSON.stringify(join(import.meta.dirname, 'test-batch.ts'));
  const described = `describeFiles(${JSON.stringify(suites)}, ${fileTimeoutMilliseconds})`;
  await writeFile(made, `import { describeFiles } from ${batch};\nawait ${described};\n`);
  return made;
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

/** What a process is when nothing else runs in it, such as how much memory it keeps. */
const ALONE = /^server\/src\/idle-memory\.test\.ts$/;

/** The test files that are asked for, as the processes that run them, in the order in which they are to begin. */
async function selectTests({ isDatabaseOnly, filters }: Selection): Promise<Process[]> {
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
  const isAlone = (path: string) => benchmarking.has(path) || ALONE.test(path);
  const computing = selected.filter((path) => !isStarting(path));
  // What takes longest comes first, so that no core waits for it in the end.
  return spread(selected.filter(isStarting).map(alone), [
    ...computing.filter(isAlone).map(alone),
    ...batches(computing.filter((path) => !isAlone(path))),
  ]);
}

const alone = (file: string): Process => [file];

/** As few batches as can be, as large as each other; neighbours, which take alike long, in different ones. */
function batches(files: readonly string[]): Process[] {
  const count = Math.ceil(files.length / BATCH);
  return Array.from({ length: count }, (_, batch) => files.filter((_, index) => index % count === batch));
}

/** The few, which mostly wait, among the first two thirds of the many, which compute: so cores are busy, and nothing long comes last. */
function spread<T>(few: readonly T[], many: readonly T[]): T[] {
  const apart = Math.max(1, Math.floor((many.length * 2) / 3 / (few.length + 1)));
  const between = few.flatMap((each, index) => [each, ...many.slice(index * apart, (index + 1) * apart)]);
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
  const processes = await selectTests({ isDatabaseOnly: options.includes('--database-only'), filters });
  if (processes.length === 0) {
    process.stderr.write('No test file is selected.\n');
    return 1;
  }
  if (!options.includes('--no-checks') && !(await check())) return 1;
  if (ending.signal.aborted) return 1;
  const run = await startTestRun();
  try {
    return (await runTests(processes, run.environment)) ? 0 : 1;
  } finally {
    await run.stop();
  }
}

process.exitCode = await main(process.argv.slice(2));
