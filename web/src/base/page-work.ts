/** Work that would be lost if the page loaded itself again, for example an upload. */

let runningCount = 0;

/** Whether such work is running. */
export function hasPageWork(): boolean {
  return runningCount > 0;
}

/** Runs such work. */
export async function asPageWork<Result>(run: () => Promise<Result>): Promise<Result> {
  runningCount += 1;
  try {
    return await run();
  } finally {
    runningCount -= 1;
  }
}
