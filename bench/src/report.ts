import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from './harness/programs.ts';
import type { Row } from './harness/result.ts';

/** A whole run, as it is written to `bench/results/`. */
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
  /** Benchmarks that failed, and why. */
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

/** Answers the file's path. */
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
