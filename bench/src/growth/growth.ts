import assert from 'node:assert/strict';

/** How much more than linear the work may look, because the first calls of a function are slow and the collector of memory runs at any time. */
const TOLERANCE = 3;
/** Processor time in milliseconds that is too short to be compared. */
const MIN_MS = 4;
/** One slow measurement can have other causes. */
const MAX_MEASUREMENTS = 4;

/** The processor time of this thread in milliseconds, without that of other programs. */
function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1000;
}

/**
 * Fails if the processor time of the work grows faster than the length of its input. It compares two lengths on the same machine, so that it
 * does not depend on the speed. Work that grows with the square takes 64 times as long for eight times the length.
 *
 * @param prepare makes the input of a length, and returns the work that is measured
 */
export function assertLinear(
  name: string,
  { short, long }: { readonly short: number; readonly long: number },
  prepare: (length: number) => () => void,
): void {
  const results: string[] = [];
  for (let measurement = 0; measurement < MAX_MEASUREMENTS; measurement += 1) {
    const shortMs = processorMs(prepare(short));
    const longMs = processorMs(prepare(long));
    if (longMs <= TOLERANCE * (long / short) * Math.max(shortMs, MIN_MS)) return;
    results.push(`${shortMs} ms for ${short}, ${longMs} ms for ${long}`);
  }
  assert.fail(`${name} grows faster than its input: ${results.join('; ')}`);
}
