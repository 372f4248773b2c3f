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

/** Seconds of a load: those that come before and are not counted, and those that are measured. */
export interface Span {
  readonly warmUp: number;
  readonly seconds: number;
}

/** The benchmark's span, or one in which something is answered. */
export function spanOf({ quick }: Pick<Settings, 'quick'>, full: Span): Span {
  return quick ? { warmUp: 0.02, seconds: 0.1 } : full;
}

/** Runs steps one after another: two at once would measure each other. */
export async function inTurn<In, Out>(items: readonly In[], step: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (const item of items) results.push(await step(item));
  return results;
}
