/** Waiting between attempts. */

/**
 * Resolves after a time.
 *
 * @throws the reason of the signal if it is aborted
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return untilOnlineOr(milliseconds, signal, []);
}

/** The same, but ends at once when the browser has a network again. */
export function pauseUntilOnline(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return untilOnlineOr(milliseconds, signal, ['online']);
}

interface EventSource {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

function untilOnlineOr(
  milliseconds: number,
  signal: AbortSignal | undefined,
  events: readonly string[],
): Promise<void> {
  const source: EventSource = globalThis as EventSource;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      for (const type of events) source.removeEventListener?.(type, end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    for (const type of events) source.addEventListener?.(type, end);
    if (signal?.aborted) end();
  });
}
