import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmarks/benchmark.ts';
import { benchmarks } from './benchmarks/index.ts';

export interface Options {
  readonly chosen: readonly Benchmark[];
  readonly quick: boolean;
  readonly repeats: number;
  readonly sizes: readonly number[] | null;
  readonly help: boolean;
}

/** An invalid command line. The message is for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const NAME_WIDTH = Math.max(...benchmarks.map(({ name }) => name.length)) + 2;

export const usage = `npm run bench -- [name …] [--quick] [--repeats N] [--sizes N,N,…]

Measures Heddle and its floors, prints a table and writes it as JSON to bench/results/. The default is all benchmarks.
The ratio compares medians; ± is half the distance between the extreme runs.

${benchmarks.map(({ name, about }) => `  ${name.padEnd(NAME_WIDTH)}${about}`).join('\n')}

  --quick       takes less than a minute: shows that everything works, without meaningful results
  --repeats N   number of measured runs of each side (default 3, quick 1)
  --sizes N,…   replaces the sizes of a benchmark; requires one name`;

/** Parses the command line (without program and script). */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const chosen = positionals.map((name) => {
    const benchmark = benchmarks.find((each) => each.name === name);
    if (benchmark === undefined) throw new UsageError(`There is no benchmark '${name}'.`);
    return benchmark;
  });
  const quick = values.quick ?? false;
  const sizes = values.sizes?.split(',').map((size) => wholeNumber('--sizes', size, 0)) ?? null;
  if (sizes !== null && chosen.length !== 1) throw new UsageError('--sizes goes with the name of one benchmark.');
  return {
    chosen: chosen.length > 0 ? chosen : benchmarks,
    quick,
    repeats: values.repeats === undefined ? (quick ? 1 : 3) : wholeNumber('--repeats', values.repeats, 1),
    sizes,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        repeats: { type: 'string' },
        sizes: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  if (!/^\d+$/.test(text) || Number(text) < least) {
    throw new UsageError(`${option} takes whole numbers from ${least}, not '${text}'.`);
  }
  return Number(text);
}
