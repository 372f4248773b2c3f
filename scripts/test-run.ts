import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run as runFiles } from 'node:test';
import { spec } from 'node:test/reporters';
import { inspect } from 'node:util';
import { errorsOutside } from './outside-errors.ts';
import type { SuiteFile } from './test-batch.ts';
import { ProcessProgress } from './test-progress.ts';
import type { Process } from './test-selection.ts';

const root = join(import.meta.dirname, '..');

/** A set of processes that run the same way. */
export interface Phase {
  readonly processes: readonly Process[];
  readonly environment: Readonly<Record<string, string>>;
  /** The number of concurrent processes. */
  readonly concurrency: number;
  /** A process in which no test ends for this time is killed. */
  readonly noProgressLimitMs: number;
  readonly signal: AbortSignal;
}

export interface Outcome {
  readonly passed: number;
  /** Also counts cancelled tests. */
  readonly failed: number;
  readonly skipped: number;
  /**
   * The names of the failed tests by file. An error outside of tests counts for the file whose tests were running. If a process fails and prints no
   * such error, all its files are named.
   */
  readonly failures: ReadonlyMap<string, readonly string[]>;
  /** In milliseconds, by file. */
  readonly durations: ReadonlyMap<string, number>;
}

export const NOTHING_RUN: Outcome = { passed: 0, failed: 0, skipped: 0, failures: new Map(), durations: new Map() };

/** Both outcomes as one. */
export function joined(first: Outcome, second: Outcome): Outcome {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
    failures: new Map([...first.failures, ...second.failures]),
    durations: new Map([...first.durations, ...second.durations]),
  };
}

/** Runs the processes in order and prints their output. */
export async function runPhase(phase: Phase): Promise<Outcome> {
  if (phase.processes.length === 0) return NOTHING_RUN;
  const directory = await mkdtemp(join(tmpdir(), 'heddle-tests-'));
  const batches = new Map<string, Process>();
  for (const [index, files] of phase.processes.entries()) {
    const path = join(directory, String(index), 'batch.test.mjs');
    await writeBatch(files, path);
    batches.set(path, files);
  }
  const progress = new ProcessProgress(phase.noProgressLimitMs, (path) => killProcess(path));
  const events = runFiles({
    files: [...batches.keys()],
    cwd: root,
    concurrency: phase.concurrency,
    signal: phase.signal,
    // Loading the code creates more young objects than fit into the default semi-space. This saves a fifth of the start of a file.
    execArgv: ['--min-semi-space-size=32'],
    env: { ...process.env, ...phase.environment },
  });
  const results = new Results(batches);
  events.on('test:dequeue', (event) => progress.began(processOf(event), event.name));
  events.on('test:complete', (event) => progress.ended(processOf(event), event.name));
  events.on('test:pass', (event) => results.passed(event));
  events.on('test:fail', (event) => {
    results.failed(event);
    printFailure(event);
  });
  events.on('test:stderr', ({ message }) => results.printed(message));
  events.on('test:summary', (event) => results.summarized(event));
  const shown = events.compose(new spec());
  shown.pipe(process.stdout, { end: false });
  await new Promise((resolve, reject) => shown.on('end', resolve).on('error', reject));
  progress.stop();
  await rm(directory, { recursive: true });
  return results.outcome();
}

/** Writes the script that runs the files, which also writes the id of its process. */
async function writeBatch(files: Process, path: string): Promise<void> {
  const suites = files.map((name): SuiteFile => ({ path: resolve(root, name), name }));
  const batch = JSON.stringify(join(import.meta.dirname, 'test-batch.ts'));
  await mkdir(join(path, '..'));
  await writeFile(
    path,
    `import { writeFileSync } from 'node:fs';
import { describeFiles } from ${batch};
writeFileSync(${JSON.stringify(`${path}.pid`)}, String(process.pid));
await describeFiles(${JSON.stringify(suites)});
`,
  );
}

/** Prints the error at once. The reporter prints it at the end of the run, which an interruption would lose. */
function printFailure({ name, details: { error } }: TestEvent & { readonly details: { readonly error: Error } }): void {
  const isOfSubtests = 'failureType' in error && error.failureType === 'subtestsFailed';
  if (!isOfSubtests) process.stdout.write(`\nFailed: ${name}\n${inspect(error.cause ?? error)}\n\n`);
}

async function killProcess(path: string): Promise<void> {
  const pid = Number(await readFile(`${path}.pid`, 'utf8').catch(() => ''));
  if (pid > 0) process.kill(pid, 'SIGKILL');
}

interface TestEvent {
  readonly name: string;
  readonly nesting: number;
  /** Where the test is defined. */
  readonly file?: string;
  /** The file that its process runs. Undefined for the process itself. */
  readonly entryFile?: string;
}

function processOf({ entryFile, file = '' }: Pick<TestEvent, 'file' | 'entryFile'>): string {
  return entryFile ?? file;
}

interface SummaryEvent {
  readonly file: string | undefined;
  readonly success: boolean;
  readonly counts: Readonly<Record<'passed' | 'cancelled' | 'skipped' | 'tests', number>>;
}

/** Collects the events of the test runner. The results of the tests of a file come before the result of its suite. */
class Results {
  readonly #batches: ReadonlyMap<string, Process>;
  /** Failed tests of the suite that is being reported, by batch. */
  readonly #failing = new Map<string, string[]>();
  readonly #failures = new Map<string, string[]>();
  readonly #durations = new Map<string, number>();
  readonly #done = new Set<string>();
  readonly #failedBatches = new Set<string>();
  /** Errors outside of tests, by file. */
  readonly #outside = new Map<string, string[]>();
  #counts: SummaryEvent['counts'] = { tests: 0, passed: 0, cancelled: 0, skipped: 0 };

  constructor(batches: ReadonlyMap<string, Process>) {
    this.#batches = batches;
  }

  /** Notes errors that no test caught. */
  printed(output: string): void {
    for (const { file, error } of errorsOutside(output)) {
      this.#outside.set(file, [...(this.#outside.get(file) ?? []), error]);
    }
  }

  passed(event: TestEvent & { readonly details: { readonly duration_ms: number } }): void {
    if (!this.#isSuite(event)) return;
    this.#done.add(event.name);
    this.#durations.set(event.name, event.details.duration_ms);
  }

  failed(event: TestEvent & { readonly details: { readonly duration_ms: number } }): void {
    const { name, nesting } = event;
    const file = processOf(event);
    if (this.#isSuite(event)) {
      this.#done.add(name);
      this.#durations.set(name, event.details.duration_ms);
      this.#failures.set(name, this.#failing.get(file) ?? []);
      this.#failing.delete(file);
    } else if (nesting > 0) {
      this.#failing.set(file, [...(this.#failing.get(file) ?? []), name]);
    } else {
      this.#failedBatches.add(file);
    }
  }

  summarized({ file, counts, success }: SummaryEvent): void {
    if (file === undefined) this.#counts = counts;
    else if (!success) this.#failedBatches.add(file);
  }

  /** A process that ended early did not report all its files. One that failed after its tests reported no failed one. */
  outcome(): Outcome {
    for (const [path, files] of this.#batches) {
      for (const file of files) {
        const errors = this.#outside.get(file);
        if (errors !== undefined && this.#failedBatches.has(path)) {
          this.#failures.set(file, [...(this.#failures.get(file) ?? []), ...errors]);
        }
      }
      const unfinished = files.filter((file) => !this.#done.has(file));
      const isBlameless = files.every((file) => !this.#failures.has(file));
      const blamed = this.#failedBatches.has(path) && isBlameless && unfinished.length === 0 ? files : unfinished;
      for (const file of blamed) this.#failures.set(file, this.#failing.get(path) ?? []);
    }
    const { tests, passed, skipped } = this.#counts;
    return {
      passed,
      skipped,
      failed: Math.max(tests - passed - skipped, this.#failures.size),
      failures: this.#failures,
      durations: this.#durations,
    };
  }

  #isSuite(event: TestEvent): boolean {
    return event.nesting === 0 && this.#batches.get(processOf(event))?.includes(event.name) === true;
  }
}
