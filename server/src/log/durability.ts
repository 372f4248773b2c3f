import type pg from 'pg';

/**
 * Resolves when everything that was committed before the call, by anyone, is on the disk. An empty record that commits synchronously
 * takes every earlier one with it; calls that come while one is under way share the next.
 *
 * Rejects where the pool's connection (it has one, and keeps it) broke after the call, even if a new one then answers: the database may
 * have crashed, and what it had not written is lost.
 */
export function createFlush(pool: pg.Pool): () => Promise<void> {
  let connections = 0;
  pool.on('connect', () => {
    connections += 1;
  });
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  async function flush(connection: number): Promise<void> {
    await pool.query("SELECT pg_logical_emit_message(true, 'heddle', '')");
    if (connection > 0 && connections !== connection) throw new Error('Connection terminated before the flush');
  }

  return () => {
    const connection = connections;
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = flush(connection);
        return running;
      });
    return next;
  };
}
