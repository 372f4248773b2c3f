import { makeScratch, removeScratch } from '@heddle/server/testing/database/scratch.ts';
import { stopAll } from './harness/programs.ts';
import type { Row } from './harness/result.ts';
import { allowMemory, removeAllScratch } from './harness/scratch.ts';
import { shareSites } from './harness/site.ts';
import { table } from './harness/table.ts';
import { readOptions, UsageError, usage } from './options.ts';
import { makeReport, problemWith, writeReport } from './report.ts';

process.on('exit', removeAllScratch);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stopAll().then(() => process.exit(1));
  });
}

/** Timeout of a run with `--quick`. */
const QUICK_TIMEOUT_MS = 10 * 60_000;

process.exitCode = await main(process.argv.slice(2));

/** Exit codes. 0: all benchmarks ran, with any results. 1: a benchmark failed. 2: invalid command line. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) {
      print(usage);
      return 0;
    }
    const closeSites = options.quick ? beQuick() : undefined;
    const rows: Row[] = [];
    const failures: Record<string, string> = {};
    for (const benchmark of options.chosen) {
      if (options.quick && benchmark.missing !== undefined) {
        complain(`${benchmark.name} is left out: ${benchmark.missing}.`);
        continue;
      }
      try {
        const begun = performance.now();
        const found = await benchmark.run({ ...options, progress: complain });
        const problem = problemWith(found, options.repeats);
        if (problem !== undefined) throw new Error(problem);
        rows.push(...found);
        if (options.quick) complain(`${benchmark.name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      } catch (error) {
        failures[benchmark.name] = error instanceof Error ? (error.stack ?? error.message) : String(error);
        complain(`${benchmark.name} failed: ${failures[benchmark.name]}`);
      }
    }
    await closeSites?.();
    const file = writeReport(makeReport(options.quick, options.repeats, rows, failures));
    print(`${table(rows)}\n\n${file}`);
    return Object.keys(failures).length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}\n\n${usage}`);
    return 2;
  }
}

/** Shares sites, keeps data in memory if there is room, and ends a run that hangs. Returns a function that closes the sites. */
function beQuick(): () => Promise<void> {
  const scratch = makeScratch();
  process.env.TMPDIR = scratch;
  process.on('exit', () => removeScratch(scratch));
  allowMemory();
  const end = () => {
    complain(`The quick run did not end within ${QUICK_TIMEOUT_MS / 60_000} minutes.`);
    void stopAll().then(() => process.exit(1));
  };
  setTimeout(end, QUICK_TIMEOUT_MS).unref();
  return shareSites();
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
