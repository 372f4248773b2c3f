import { stopAll } from './harness/programs.ts';
import type { Row } from './harness/result.ts';
import { removeAllScratch } from './harness/scratch.ts';
import { shareSites } from './harness/site.ts';
import { table } from './harness/table.ts';
import { readOptions, UsageError, usage } from './options.ts';
import { makeReport, writeReport } from './report.ts';

process.on('exit', removeAllScratch);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stopAll().then(() => process.exit(1));
  });
}

process.exitCode = await main(process.argv.slice(2));

/** 0: everything ran (whatever the figures); 1: a benchmark failed; 2: a wrong command line. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) {
      print(usage);
      return 0;
    }
    const closeSites = options.quick ? shareSites() : undefined;
    const rows: Row[] = [];
    const failures: Record<string, string> = {};
    for (const benchmark of options.chosen) {
      try {
        rows.push(...(await benchmark.run({ ...options, progress: complain })));
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

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
