import { Session } from 'node:inspector/promises';

/**
 * Counts the blocks of JavaScript that this thread executes: how much it works, on a machine of any speed. Work within Node.js, such as that
 * of regular expressions, does not count.
 */
export async function countSteps(work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    // The first count includes what ran before.
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .flatMap(({ functions }) => functions)
      .flatMap(({ ranges }) => ranges)
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}
