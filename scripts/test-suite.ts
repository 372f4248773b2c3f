import { joined, NOTHING_RUN, type Outcome, type Phase, runPhase } from './test-run.ts';
import type { Process, Selected } from './test-selection.ts';
import type { Limits } from './test-speed.ts';

/** Failed files that are run again. If more fail, something that they share is broken, and a second run shows nothing new. */
const MAX_FILES_RUN_AGAIN = 20;

export interface SuiteOptions extends Pick<Phase, 'environment' | 'concurrency' | 'signal'> {
  readonly limits: Limits;
}

export interface SuiteResult extends Outcome {
  /** Failed files that passed when they ran again, alone. */
  readonly flaky: readonly string[];
}

/**
 * Runs the selected files. Those about timeouts come last, one after the other, with the timeouts of production. At the end each failed file
 * runs once more alone. If it passes then, it fails by chance. Its failure still counts.
 */
export async function runSuite(selected: Selected, options: SuiteOptions): Promise<SuiteResult> {
  const run = (processes: readonly Process[], isAlone: boolean, timeoutFactor: number) =>
    runPhase({
      ...options,
      processes,
      concurrency: isAlone ? 1 : options.concurrency,
      noProgressLimitMs: options.limits.noProgressLimitMs,
      environment: { ...options.environment, HEDDLE_TIMEOUT_FACTOR: String(timeoutFactor) },
    });
  const { timeoutFactor } = options.limits;
  const together = await run(selected.together, false, timeoutFactor);
  const outcome = joined(together, await run(selected.aboutTimeouts, true, 1));
  const failed = [...outcome.failures.keys()];
  if (failed.length === 0 || failed.length > MAX_FILES_RUN_AGAIN || options.signal.aborted)
    return { ...outcome, flaky: [] };
  process.stdout.write(`\nThe failed files run again, each alone:\n\n`);
  const ofTimeouts = new Set(selected.aboutTimeouts.flat());
  let again = NOTHING_RUN;
  for (const file of failed) {
    again = joined(again, await run([[file]], true, ofTimeouts.has(file) ? 1 : timeoutFactor));
  }
  return { ...outcome, flaky: failed.filter((file) => !again.failures.has(file)) };
}

/** The failed files with their tests, and whether they fail always. */
export function describeFailures({ failures, flaky }: SuiteResult): string {
  return [...failures]
    .map(([file, tests]) => {
      const kind = flaky.includes(file) ? 'FLAKY (failed, and passed when it ran again alone)' : 'FAILED';
      return [`${kind}: ${file}`, ...tests.map((name) => `  ${name}`)].join('\n');
    })
    .join('\n');
}
