import { performance } from 'node:perf_hooks';

/** How often to check for idleness, in milliseconds. */
const IDLE_CHECK_INTERVAL_MS = 5000;
/** The maximum event loop utilization of an idle process. */
const MAX_IDLE_UTILIZATION_RATIO = 0.05;
/** A collection is useful after the heap has grown by this much since the last one, in bytes. */
const MIN_GROWTH_BYTES = 24 * 1024 * 1024;
/** Above this heap size, a collection would delay a concurrent request noticeably, in bytes. */
const MAX_COLLECTED_HEAP_BYTES = 256 * 1024 * 1024;

/**
 * Returns memory to the system while the process is idle. Starting the server leaves as much garbage as a small server
 * needs memory, and so does an hour with many clients. V8 collects only during allocations, so an idle process would
 * keep the garbage. A collection takes some tenths of a second. Does nothing if the collector is not exposed
 * (scripts/node). Returns a function that ends this.
 * @param others give back what they keep outside of this process
 */
export function giveMemoryBackWhenIdle(others = (): void => undefined, lookEvery = IDLE_CHECK_INTERVAL_MS): () => void {
  const { gc } = globalThis;
  if (gc === undefined) return () => undefined;
  let left = 0;
  let known = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, known);
    known = now;
    const { heapTotal, heapUsed } = process.memoryUsage();
    if (
      utilization > MAX_IDLE_UTILIZATION_RATIO ||
      heapUsed > MAX_COLLECTED_HEAP_BYTES ||
      heapTotal - left < MIN_GROWTH_BYTES
    )
      return;
    // Only the flavor `last-resort` also empties the space for young objects.
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    left = process.memoryUsage().heapTotal;
    others();
    known = performance.eventLoopUtilization();
  };
  const timer = setInterval(look, lookEvery).unref();
  return () => clearInterval(timer);
}
