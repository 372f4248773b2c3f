import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as runFiles } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestRun } from '@heddle/server/testing/database/database.ts';
import { makeScratch, removeScratch } from '@heddle/server/testing/database/scratch.ts';
import { changedTests } from './changed-tests.ts';
import type { SuiteFile } from './test-batch.ts';
import { MAX_FILES_PER_PROCESS, type Process, selectTests } from './test-selection.ts';
import { ensureWebBuild } from './web-build/ensure.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

/** Number of concurrent processes. It exceeds the number of cores, because tests wait for the database and for programs. Each uses up to twenty connections. */
const concurrency = Math.min(availableParallelism() + 2, 4);

/** The same for browser tests, because each browser uses a core. */
const BROWSER_CONCURRENCY = 2;

/** Timeout of a file that shares its process. */
const FILE_TIMEOUT_MS = 8 * 60_000;

/** Timeout of a run, for example if a file leaves a server open. Files that still run count as failed. */
const RUN_TIMEOUT_MS = 40 * 60_000;

/** Number of slowest files in the summary. */
const SLOWEST = 10;

// A signal ends the running processes. The cleanup of this process follows.
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());

/** Runs the checks and prints their output. */
function check(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/check.ts'], { stdio: 'inherit' });
    ending.signal.addEventListener('abort', () => child.kill());
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** Runs the processes in order and prints their output. Returns whether all passed. */
async function runTests(
  processes: readonly Process[],
  environment: Readonly<Record<string, string>>,
  concurrency: number,
): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-tests-'));
  const files = await Promise.all(
    processes.map((each, index) => writeBatch(each, join(directory, `${index}.test.mjs`))),
  );
  const told = runFiles({
    files,
    cwd: root,
    concurrency,
    timeout: MAX_FILES_PER_PROCESS * FILE_TIMEOUT_MS,
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]),
    // Loading the code creates more young objects than fit into the default semi-space. This saves a fifth of the start of a file.
    execArgv: ['--min-semi-space-size=32'],
    env: { ...process.env, ...environment },
  });
  let passed = false;
  const durations: { readonly file: string; readonly seconds: number }[] = [];
  told.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success;
  });
  told.on('test:complete', ({ name, nesting, file, details }) => {
    const isSuiteOfBatch = nesting === 0 && name !== file;
    if (isSuiteOfBatch) durations.push({ file: name, seconds: details.duration_ms / 1000 });
  });
  const shown = told.compose(new spec());
  shown.pipe(process.stdout, { end: false });
  await once(shown, 'end');
  await rm(directory, { recursive: true });
  const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
  return passed;
}

/** Writes the script that runs the files. */
async function writeBatch(files: Process, path: string): Promise<string> {
  const suites = files.map((name): SuiteFile => ({ path: join(root, name), name }));
  const batch = JSON.stringify(join(import.meta.dirname, 'test-batch.ts'));
  // A file that starts dozens of programs has a process of its own. On a busy machine it takes long.
  const timeout = files.length === 1 ? RUN_TIMEOUT_MS : FILE_TIMEOUT_MS;
  const described = `describeFiles(${JSON.stringify(suites)}, ${timeout})`;
  await writeFile(path, `import { describeFiles } from ${batch};\nawait ${described};\n`);
  return path;
}

const usage = `Usage: npm test -- [options] [part of a test file's path]…

Without arguments it runs the checks and all tests. With parts of paths it runs only the matching test files, without the checks.

  --changed[=BASE] run only the test files that reach a change since BASE (without it: main), after the checks
  --no-checks      skip the checks
  --web            run only the browser tests of the web app, without the checks (npm run test:web)
  --database-only  run only tests of folders with SQL, without those of pages and those that start programs or services`;

const OPTIONS: readonly string[] = ['--no-checks', '--database-only', '--web'];

/** The test files that reach a change. Prints what no test file reaches. */
async function testsOfChanges(base: string | undefined): Promise<readonly string[]> {
  const { changed, files, untested } = await changedTests(base);
  process.stdout.write(`${changed.length} changed files are reached by ${files.length} test files.\n`);
  for (const path of untested) process.stdout.write(`no test file reaches ${path}\n`);
  return files;
}

/** Checks, then tests. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('-'));
  const changed = options.find((option) => /^--changed(=.+)?$/.test(option));
  if (options.some((option) => option !== changed && !OPTIONS.includes(option))) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  const named = args.filter((arg) => !arg.startsWith('-'));
  const filters = changed === undefined ? named : await testsOfChanges(changed.split('=')[1]);
  const isDatabaseOnly = options.includes('--database-only');
  const isWeb = options.includes('--web');
  const concurrent = isWeb ? BROWSER_CONCURRENCY : concurrency;
  const isNothingSelected = changed !== undefined && filters.length === 0;
  const selection = { isDatabaseOnly, isWeb, filters, concurrency: concurrent };
  const processes = isNothingSelected ? [] : await selectTests(selection);
  if (processes.length === 0 && changed === undefined) {
    process.stderr.write('No test file is selected.\n');
    return 1;
  }
  const isChecked = (filters.length === 0 || changed !== undefined) && !isWeb && !options.includes('--no-checks');
  if (isChecked && !(await check())) return 1;
  if (processes.length === 0) return 0;
  if (ending.signal.aborted) return 1;
  const scratch = makeScratch();
  process.env.TMPDIR = scratch;
  // The processes would build the app at the same time.
  if (isWeb) await ensureWebBuild();
  const run = await startTestRun();
  try {
    return (await runTests(processes, { ...run.environment, TMPDIR: scratch }, concurrent)) ? 0 : 1;
  } finally {
    await run.stop();
    removeScratch(scratch);
  }
}

process.exitCode = await main(process.argv.slice(2));
