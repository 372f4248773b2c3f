import { type Spread, spread } from './statistics.ts';

/** One measured period, of Heddle or of a floor. */
export interface Run {
  /** In the unit of the row. Null if there is nothing to count. */
  readonly rate: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  /** Processor time (user and system) of the server per counted item, in microseconds. */
  readonly cpu?: number;
}

/** Medians and spreads of several runs. Latencies are milliseconds, processor times microseconds. */
export interface Summary {
  readonly rate: Spread | null;
  readonly p50: Spread | null;
  readonly p99: Spread | null;
  readonly cpu: Spread | null;
  readonly runs: readonly Run[];
}

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly size: string;
  /** The unit of `rate`, for example `sends/s` or `KB/queue`. */
  readonly unit: string;
  readonly heddle: Summary;
  readonly floor: Summary | null;
  /** The value of Heddle divided by the value of the floor, for the value of the goal. */
  readonly ratio: number | null;
  readonly goal: string;
  /** Null if there is no goal, or a goal only for another size. */
  readonly met: boolean | null;
  readonly notes: readonly string[];
}

export function summarize(runs: readonly Run[]): Summary {
  return {
    rate: column(runs, 'rate'),
    p50: column(runs, 'p50'),
    p99: column(runs, 'p99'),
    cpu: column(runs, 'cpu'),
    runs,
  };
}

function column(runs: readonly Run[], name: keyof Run): Spread | null {
  const values = runs.map((run) => run[name]).filter((value) => typeof value === 'number');
  return values.length === 0 ? null : spread(values);
}

/** The quotient of two medians. Null if one is missing. */
export function quotient(over: Spread | null, under: Spread | null): number | null {
  if (over === null || under === null || under.median === 0) return null;
  return over.median / under.median;
}
