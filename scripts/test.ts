import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startTestRun } from '@heddle/server/testing/database.ts';
import { filesThatReach } from './checks/import-graph.ts';
import { readSources } from './checks/source.ts';

const root = join(import.meta.dirname, '..');

/** Test files that run at once. Each may start servers, and small machines have two cores. */
const concurrency = 2;

/** A test that takes longer than this hangs. */
const testTimeoutMilliseconds = 3 * 60_000;

/** A run that takes longer than this hangs, for instance on a file that leaves a server open. Its summary names the file. */
const runTimeoutMilliseconds = 25 * 60_000;

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

const usage = `Usage: npm test -- [options] [part of a test file's path]…

  --no-checks      run the tests alone
  --database-only  run the tests that use a database, but for those that start Heddle as a process of its own`;

interface Selection {
  readonly isDatabaseOnly: boolean;
  readonly filters: readonly string[];
}

/**
 * The test files that are asked for, by path. What commands do, and what kills and pauses leave, hangs on the system and not on the version of
 * PostgreSQL.
 */
async function selectTests({ isDatabaseOnly, filters }: Selection): Promise<string[]> {
  const sources = await readSources(root);
  const usingDatabase = filesThatReach(sources, 'server/src/testing/database.ts');
  const usingProcesses = filesThatReach(sources, 'server/src/testing/heddle-process.ts');
  return sources
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => !isDatabaseOnly || (usingDatabase.has(path) && !usingProcesses.has(path)))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)));
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
  if (!options.includes('--no-checks')) {
    const code = await runNode(['scripts/check.ts']);
    if (code !== 0) return code;
  }
  if (interrupted) return 1;
  const run = await startTestRun();
  let hanging: NodeJS.Timeout | undefined;
  try {
    const limits = [`--test-concurrency=${concurrency}`, `--test-timeout=${testTimeoutMilliseconds}`];
    hanging = setTimeout(() => running?.kill(), runTimeoutMilliseconds);
    return await runNode(['--test', ...limits, '--test-reporter=spec', ...files], run.environment);
  } finally {
    clearTimeout(hanging);
    await run.stop();
  }
}

process.exitCode = await main(process.argv.slice(2));
