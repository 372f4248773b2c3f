/** The app spends at most this part of its time on arriving events: one of so many parts. The others are for what the user does. */
const BUSY_TIME_DIVISOR = 3;

/** The longest pause between two polls, in milliseconds. */
const MAX_PAUSE_MS = 250;

/** Measures how long the app takes to show events, and waits accordingly before it asks for more. */
export class EventPace {
  #arrivedAt = 0;

  /** Call this before events are applied. */
  arrived(): void {
    this.#arrivedAt = performance.now();
  }

  /** Resolves when the events that arrived have been painted, and the user had time since. */
  async untilReady(): Promise<void> {
    // A hidden page paints nothing.
    if (document.visibilityState !== 'visible') return;
    await nextPaint();
    const pauseMs = pauseAfter(performance.now() - this.#arrivedAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** How long to wait, in milliseconds, after the app was busy with events for so many. */
export function pauseAfter(busyMs: number): number {
  return Math.min(MAX_PAUSE_MS, busyMs * (BUSY_TIME_DIVISOR - 1));
}

/** Resolves after the next frame. A page that becomes hidden has none, so it waits for the longest pause at most. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_PAUSE_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}
