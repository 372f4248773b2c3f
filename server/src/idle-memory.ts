import { performance } from 'node:perf_hooks';

/** How often to look whether there is nothing to do, in milliseconds. */
const LOOK_EVERY = 5000;
/** The part of the time between two looks in which an idle process does anything. */
const BUSY = 0.05;
/** What must have come to the heap since the last collection to be worth one, in bytes. */
const WORTH_IT = 24 * 1024 * 1024;
/** More than this takes so long that somebody who comes just then would feel it, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/**
 * Gives memory back while nobody asks for anything. Starting alone leaves as much garbage as a small server needs memory, and so does every
 * hour with many clients; V8 collects when something is allocated, so an idle process would keep it for ever. It takes some tenths of a second.
 * Does nothing where the collector is not exposed (scripts/node).
 */
export function giveMemoryBackWhenIdle(lookEvery = LOOK_EVERY): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let left = 0;
  let known = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, known);
    known = now;
    const { heapTotal, heapUsed } = process.memoryUsage();
    if (utilization > BUSY || heapUsed > LARGEST || heapTotal - left < WORTH_IT) return;
    // The last resort is what also empties the room for young objects.
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    left = process.memoryUsage().heapTotal;
    known = performance.eventLoopUtilization();
  };
  setInterval(look, lookEvery).unref();
}
