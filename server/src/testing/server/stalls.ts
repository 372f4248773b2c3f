import { setTimeout as delay } from 'node:timers/promises';

/**
 * Measures how long one piece of work holds the event loop: the most processor time of this thread between two timers. Other programs of a busy
 * machine do not count.
 */
export function watchStalls(): { stop(): Promise<number> } {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      const before = process.threadCpuUsage();
      await delay(5);
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  })();
  return {
    /** @returns milliseconds */
    async stop() {
      isOver = true;
      await watching;
      return longest;
    },
  };
}
