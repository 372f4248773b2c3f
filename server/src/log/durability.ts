import type pg from 'pg';

/**
 * Resolves when everything committed so far, by anyone, is on the disk. An empty record that commits synchronously takes every
 * earlier one with it; calls that come while one is under way share the next.
 */
export function createFlush(pool: pg.Pool): () => Promise<void> {
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = pool.query("SELECT pg_logical_emit_message(true, 'heddle', '')").then(() => undefined);
        return running;
      });
    return next;
  };
}
