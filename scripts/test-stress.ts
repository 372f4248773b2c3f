import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { describeFailures, type SuiteResult } from './test-suite.ts';

/** A command for a process that keeps a core busy. It ends with this process, because its standard input is then closed. */
const BUSY = [
  '--eval',
  'process.stdin.on("end", () => process.exit()).resume(); (function spin() { const end = Date.now() + 20; while (Date.now() < end); setImmediate(spin); })()',
];

export interface StressOptions {
  readonly runs: number;
  /** The number of processes that compute beside the tests. Default: one for each core. */
  readonly busy?: number;
  /** The seed of the order of the files. Default: a random one. */
  readonly seed?: number;
  readonly print: (text: string) => void;
}

/**
 * Runs a suite repeatedly in random order, beside processes that keep the cores busy.
 * @param run runs the whole suite in the order of the seed
 * @returns whether no test failed in any run
 */
export async function stress(options: StressOptions, run: (seed: number) => Promise<SuiteResult>): Promise<boolean> {
  const first = options.seed ?? randomInt(1_000_000);
  const busy = Array.from({ length: options.busy ?? availableParallelism() }, () =>
    spawn(process.execPath, BUSY, { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  const failures: string[] = [];
  const summaries: string[] = [];
  try {
    for (let index = 0; index < options.runs; index += 1) {
      const seed = first + index;
      options.print(`\n== run ${index + 1} of ${options.runs}, seed ${seed}\n`);
      const began = performance.now();
      const result = await run(seed);
      const seconds = Math.round((performance.now() - began) / 1000);
      summaries.push(`run ${index + 1}, seed ${seed}: ${result.passed} passed, ${result.failed} failed, ${seconds} s`);
      if (result.failures.size > 0) failures.push(`in run ${index + 1}, seed ${seed}:\n${describeFailures(result)}`);
    }
  } finally {
    for (const each of busy) end(each);
  }
  options.print(`\n${[...summaries, ...failures].join('\n')}\n`);
  return failures.length === 0;
}

function end(child: ChildProcess): void {
  child.kill('SIGKILL');
}
