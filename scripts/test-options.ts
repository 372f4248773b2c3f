import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm test -- [options] [part of a test file's path]…

Without arguments it runs the checks and all tests. With parts of paths it runs only the matching test files, without the checks.

  --changed[=BASE] run only the test files that reach a change since BASE (without it: main), after the checks
  --no-checks      skip the checks
  --web            run only the browser tests of the web app, without the checks (npm run test:web)
  --long           run only files that do more in long runs, with all of their work (npm run test:long)
  --database-only  run only tests of folders with SQL, without those of pages and those that start programs or services
  --sample=TEXT    of these, run those whose SQL may differ between versions of PostgreSQL, and a fifth of the others,
                   which the text determines
  --runs=N         run everything N times in random order beside processes that keep the cores busy (npm run test:stress)
  --busy=N         the number of these processes (default: one for each core)
  --seed=N         the seed of the first order (default: a random one)`;

export interface TestOptions {
  readonly web: boolean;
  /** Runs only the tests that reach a change since this commit. */
  readonly changedSince?: string;
  readonly long: boolean;
  readonly 'database-only': boolean;
  readonly sample?: string;
  readonly runs?: number;
  readonly busy?: number;
  readonly seed?: number;
  /** Parts of paths. */
  readonly filters: readonly string[];
  /** Whether the checks run before the tests. */
  readonly isChecked: boolean;
}

/** Undefined if the arguments are wrong. */
export function testOptions(given: readonly string[]): TestOptions | undefined {
  // The value of this option is optional, which `parseArgs` does not know.
  const args = given.map((arg) => (arg === '--changed' ? '--changed=main' : arg));
  try {
    const { values, positionals: filters } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'no-checks': { type: 'boolean', default: false },
        changed: { type: 'string' },
        web: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        'database-only': { type: 'boolean', default: false },
        sample: { type: 'string' },
        runs: { type: 'string' },
        busy: { type: 'string' },
        seed: { type: 'string' },
      },
    });
    const { 'no-checks': isUnchecked, changed, runs, busy, seed, sample, ...kinds } = values;
    const isWhole = filters.length === 0 && runs === undefined && !kinds.web && !kinds.long;
    return {
      ...kinds,
      ...(changed !== undefined && { changedSince: changed }),
      ...(sample !== undefined && { sample }),
      ...(runs !== undefined && { runs: wholeNumber(runs) }),
      ...(busy !== undefined && { busy: wholeNumber(busy) }),
      ...(seed !== undefined && { seed: wholeNumber(seed) }),
      filters,
      isChecked: isWhole && !isUnchecked,
    };
  } catch {
    return undefined;
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`${text} is no whole number`);
  return Number(text);
}
