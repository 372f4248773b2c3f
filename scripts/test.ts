import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startTestRun } from '@heddle/server/testing/database/database.ts';
import { makeScratch, removeScratch } from '@heddle/server/testing/database/scratch.ts';
import { changedTests } from './changed-tests.ts';
import { type TestOptions, testOptions, USAGE } from './test-options.ts';
import { type Selected, selectTests } from './test-selection.ts';
import { type Limits, limitsFor, measureSlowness } from './test-speed.ts';
import { stress } from './test-stress.ts';
import { describeFailures, runSuite, type SuiteResult } from './test-suite.ts';
import { ensureWebBuild } from './web-build/ensure.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

/** Number of concurrent processes. It exceeds the number of cores, because tests wait for the database and for programs. Each uses up to twenty connections. */
const MAX_TEST_PROCESSES = Math.min(availableParallelism() + 2, 4);

/** The same for browser tests, because each browser uses a core. */
const MAX_BROWSER_PROCESSES = 2;

/** Number of slowest files in the summary. */
const MAX_LISTED_FILES = 10;

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

/** Prints the slowest files, the failed tests and, as the last line, the sum. */
function report(result: SuiteResult): void {
  const slowest = [...result.durations].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_LISTED_FILES);
  const lines = slowest.map(([file, milliseconds]) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${file}`);
  if (result.failures.size > 0) lines.push('', describeFailures(result));
  lines.push(`${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`);
  print(`${lines.join('\n')}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}

interface Selecting extends TestOptions {
  /** Only files of this list run. */
  readonly among?: readonly string[];
}

interface Run extends Selecting {
  readonly limits: Limits;
  readonly environment: Readonly<Record<string, string>>;
}

/** The test files that reach a change. Prints what no test file reaches. */
async function testsOfChanges(base: string): Promise<readonly string[]> {
  const { changed, files, untested } = await changedTests(base);
  print(`${changed.length} changed files are reached by ${files.length} test files.\n`);
  for (const path of untested) print(`no test file reaches ${path}\n`);
  return files;
}

function select(options: Selecting, seed: number | undefined): Promise<Selected> {
  return selectTests({
    isWeb: options.web,
    isDatabaseOnly: options['database-only'],
    isLong: options.long,
    filters: options.filters,
    concurrency: options.web ? MAX_BROWSER_PROCESSES : MAX_TEST_PROCESSES,
    ...(options.among !== undefined && { among: options.among }),
    ...(options.sample !== undefined && { sample: options.sample }),
    ...(seed !== undefined && { seed }),
  });
}

/** Runs all selected tests, in the order of the seed if there is one. */
async function runOnce(run: Run, seed?: number): Promise<SuiteResult> {
  return runSuite(await select(run, seed), {
    environment: run.environment,
    concurrency: run.web ? MAX_BROWSER_PROCESSES : MAX_TEST_PROCESSES,
    limits: run.limits,
    signal: ending.signal,
  });
}

/** Returns whether all tests passed. */
async function runAll(run: Run): Promise<boolean> {
  if (run.runs !== undefined) return stress({ ...run, runs: run.runs, print }, (seed) => runOnce(run, seed));
  const result = await runOnce(run);
  report(result);
  return result.failed === 0;
}

/** Checks, then tests. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const options = testOptions(args);
  if (options === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { changedSince } = options;
  const selecting = { ...options, ...(changedSince !== undefined && { among: await testsOfChanges(changedSince) }) };
  const { together, aboutTimeouts } = await select(selecting, undefined);
  const isEmpty = together.length + aboutTimeouts.length === 0;
  if (isEmpty && changedSince === undefined) {
    process.stderr.write('No test file is selected.\n');
    return 1;
  }
  if (options.isChecked && !(await check())) return 1;
  if (isEmpty) return 0;
  if (ending.signal.aborted) return 1;
  const limits = limitsFor(measureSlowness());
  const scratch = makeScratch();
  process.env.TMPDIR = scratch;
  // The processes would build the app at the same time.
  if (options.web) await ensureWebBuild();
  const run = await startTestRun();
  const long = options.long ? { HEDDLE_TEST_LONG: '1' } : {};
  try {
    const environment = { ...run.environment, ...long, TMPDIR: scratch };
    return (await runAll({ ...selecting, limits, environment })) ? 0 : 1;
  } finally {
    await run.stop();
    removeScratch(scratch);
  }
}

process.exitCode = await main(process.argv.slice(2));
