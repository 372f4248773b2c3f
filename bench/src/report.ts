import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from './harness/programs.ts';
import type { Row } from './harness/result.ts';

/** A whole run, as written to `bench/results/`. */
export interface Report {
  readonly at: string;
  readonly commit: string | null;
  readonly quick: boolean;
  readonly repeats: number;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly node: string;
  };
  readonly rows: readonly Row[];
  /** Failed benchmarks with the reasons. */
  readonly failures: Readonly<Record<string, string>>;
}

export function makeReport(
  quick: boolean,
  repeats: number,
  rows: readonly Row[],
  failures: Readonly<Record<string, string>>,
): Report {
  const cores = cpus();
  return {
    at: new Date().toISOString(),
    commit: commit(),
    quick,
    repeats,
    machine: {
      cpu: cores[0]?.model ?? 'unknown',
      cores: cores.length,
      memoryBytes: totalmem(),
      node: process.version,
    },
    rows,
    failures,
  };
}

/** The problem with the rows of a benchmark, regardless of the results. Undefined if each row has all runs and a rate. */
export function problemWith(rows: readonly Row[], repeats: number): string | undefined {
  if (rows.length === 0) return 'There is no row.';
  for (const { size, heddle } of rows) {
    if (heddle.runs.length !== repeats) return `${size}: there are ${heddle.runs.length} runs instead of ${repeats}.`;
    if (heddle.rate === null || !Number.isFinite(heddle.rate.median)) return `${size}: there is no rate.`;
  }
  return undefined;
}

/** Returns the path of the file. */
export function writeReport(report: Report): string {
  const directory = join(repository, 'bench', 'results');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${report.at.replaceAll(/[:.]/g, '-')}${report.quick ? '-quick' : ''}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
