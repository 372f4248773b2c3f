import type { Row } from '../harness/result.ts';

export interface Settings {
  /** Uses sizes and times that only show that everything works. */
  readonly quick: boolean;
  /** Number of measured runs of each side. */
  readonly repeats: number;
  /** Replaces the sizes of the benchmark. */
  readonly sizes: readonly number[] | null;
  progress(what: string): void;
}

export interface Benchmark {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  /** Why this machine cannot run it. A quick run says so and leaves it out. */
  readonly missing?: string | undefined;
  run(settings: Settings): Promise<Row[]>;
}

/** The sizes to run: the requested sizes, the quick size, or the sizes of the benchmark. */
export function sizesOf(settings: Settings, full: readonly number[], quick: readonly number[]): readonly number[] {
  return settings.sizes ?? (settings.quick ? quick : full);
}

/** The warm-up and the measured time of a load, in seconds. */
export interface Span {
  readonly warmUp: number;
  readonly seconds: number;
}

/** The span of the benchmark, or for a quick run one that is just long enough for a response. */
export function spanOf({ quick }: Pick<Settings, 'quick'>, full: Span): Span {
  return quick ? { warmUp: 0.02, seconds: 0.1 } : full;
}

/** Runs steps in sequence, because concurrent steps would disturb each other. */
export async function inTurn<In, Out>(items: readonly In[], step: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (const item of items) results.push(await step(item));
  return results;
}
