import type { Subscribable } from '@heddle/client/model/changes.ts';
import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Changes every minute. One timer serves all subscribers. */
export const minuteChanges: Subscribable = { subscribe, read: () => now };

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of [...listeners]) each();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time in milliseconds since the epoch. The component renders again every minute. */
export function useMinute(): number {
  const minute = useSyncExternalStore(minuteChanges.subscribe, minuteChanges.read);
  // The first reader after a pause must not see an old time.
  return Math.max(minute, Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
}
