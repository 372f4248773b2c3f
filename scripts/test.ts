import { spawn } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestRun } from '@heddle/server/testing/database.ts';

const root = join(import.meta.dirname, '..');

/** Test files that run at once. Each may start servers, and small machines have two cores. */
const concurrency = 2;

/** A test file that takes longer than this hangs. */
const fileTimeoutMilliseconds = 5 * 60_000;

// The child that runs now: a signal for us is passed on to it, and our own tidying up follows its end.
let running: ReturnType<typeof spawn> | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });
}

/** Runs this Node with the arguments, output shown. The exit code; 1 when a signal ended it. */
function runNode(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    running = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
    running.on('error', reject);
    running.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Test files whose path holds any of the filters; all without a filter. */
async function findTests(filters: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const pattern = '{api,server,bench,scripts}/**/*.test.ts';
  for await (const file of glob(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })) {
    if (filters.length === 0 || filters.some((filter) => file.includes(filter))) files.push(file);
  }
  return files.sort();
}

/** Checks, then tests: `npm test -- [--no-checks] [part of a test file's path]…`. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const filters = args.filter((arg) => !arg.startsWith('--'));
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--no-checks');
  if (unknown !== undefined) {
    process.stderr.write(`Unknown option ${unknown}. Usage: npm test -- [--no-checks] [part of a test file's path]…\n`);
    return 2;
  }
  if (!args.includes('--no-checks')) {
    const code = await runNode(['scripts/check.ts']);
    if (code !== 0) return code;
  }
  const files = await findTests(filters);
  if (files.length === 0) {
    process.stderr.write(`No test file's path holds ${filters.join(' or ')}\n`);
    return 1;
  }
  if (interrupted) return 1;
  const run = await startTestRun();
  try {
    const options = [`--test-concurrency=${concurrency}`, `--test-timeout=${fileTimeoutMilliseconds}`];
    return await runNode(['--test', ...options, '--test-reporter=spec', ...files], run.environment);
  } finally {
    await run.stop();
  }
}

process.exitCode = await main(process.argv.slice(2));
