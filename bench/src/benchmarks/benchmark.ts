import type { Row } from '../harness/result.ts';

export interface Settings {
  /** Sizes and times that show that everything works, and nothing else. */
  readonly quick: boolean;
  /** Measured runs of each side. */
  readonly repeats: number;
  /** Instead of the benchmark's own. */
  readonly sizes: readonly number[] | null;
  progress(what: string): void;
}

export interface Benchmark {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  run(settings: Settings): Promise<Row[]>;
}

/** The sizes to run: those asked for, the quick one, or the benchmark's. */
export function sizesOf(settings: Settings, full: readonly number[], quick: readonly number[]): readonly number[] {
  return settings.sizes ?? (settings.quick ? quick : full);
}

/** Runs steps one after another: two at once would measure each other. */
export async function inTurn<In, Out>(items: readonly In[], step: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (const item of items) results.push(await step(item));
  return results;
}
