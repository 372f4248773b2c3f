import type { Subscribable } from './changes.ts';

/** Joins subscribables. Readers are notified of a change of any of them. */
export function merged(...parts: readonly Subscribable[]): Subscribable {
  return {
    subscribe(listener) {
      const ends = parts.map((part) => part.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    // Each number only grows, so the sum changes with any of them.
    read: () => parts.reduce((sum, part) => sum + part.read(), 0),
  };
}
