import { type AsyncHook, createHook } from 'node:async_hooks';
import { after, before, describe } from 'node:test';
import { inspect } from 'node:util';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import { endShared, shareUntilProcessEnds } from '@heddle/server/testing/process-end.ts';
import { longTimersLeft, noteLongTimers } from './long-timers.ts';
import { outsideError } from './outside-errors.ts';

/**
 * Runs the tests of several files (absolute paths) in one process, one suite per file, so that the process loads the code of the server only
 * once. The files run in sequence with separate hooks: `before` runs at the start of its file, `after` at its end.
 */
export async function describeFiles(files: readonly SuiteFile[]): Promise<void> {
  const stopFollowing = followPromisesUntilLoaded();
  noteLongTimers();
  shareUntilProcessEnds();
  after(async () => {
    await endShared();
    setTimeout(endProcess, MAX_EXIT_MS).unref();
  });
  for (const { path, name } of files) {
    const { promise: loaded, resolve } = Promise.withResolvers<void>();
    // Files load in sequence, because the test runner would assign tests of a concurrent load to the wrong suite.
    describe(name, () => {
      before(() => {
        running = name;
      });
      return import(path).finally(resolve);
    });
    await loaded;
  }
  stopFollowing();
}

/** The file whose tests run. Before the first one, it is the script itself. */
let running = 'loading';

function printOutside(what: string): void {
  process.stderr.write(outsideError(running, what));
}

/** How long a process may run after its last test. A server or timer that a test left open would keep it running. Timeouts are multiplied in tests. */
const MAX_EXIT_MS = Math.max(60_000, timeoutOf(6_000));

function endProcess(): void {
  const left = [...process.getActiveResourcesInfo(), ...longTimersLeft()];
  printOutside(`a test left these open: ${left.join(', ')}`);
  process.exit(1);
}

/**
 * The test runner follows every promise by an async hook, to find the suite of a test while files load. Later it uses the hook only to name
 * the test of an uncaught error, and that takes a fifth of the computing of all tests. So this ends the hook when all files are loaded. An
 * uncaught error still fails the run, and this prints it with its stack.
 */
function followPromisesUntilLoaded(): () => void {
  const enabled: AsyncHook[] = [];
  const prototype: AsyncHook = Object.getPrototypeOf(createHook({}));
  const { enable } = prototype;
  prototype.enable = function enableAndNote(this: AsyncHook) {
    enabled.push(this);
    return enable.call(this);
  };
  for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) {
    process.on(event, (error) => printOutside(`uncaught: ${inspect(error)}`));
  }
  return () => {
    prototype.enable = enable;
    for (const hook of enabled) hook.disable();
  };
}

export interface SuiteFile {
  readonly path: string;
  readonly name: string;
}
