import type pg from 'pg';
import type { Carrier } from './announcer.ts';

/** The channel of PostgreSQL's `LISTEN` and `NOTIFY`. */
export const CHANNEL = 'heddle_log';

/** PostgreSQL takes less than 8,000. */
const MAX_NOTIFICATION_BYTES = 7999;

/**
 * PostgreSQL keeps notifications until all processes have read them, also those that are paused, in a queue of 8 GB. Above this part of it,
 * wake-ups carry no events, and take little room.
 */
const MAX_QUEUE_PART_FOR_EVENTS = 0.01;

/** Sends wake-ups through the database. */
export class NotifyCarrier implements Carrier {
  readonly name = 'PostgreSQL';
  readonly isReady = true;
  maxTextBytes = MAX_NOTIFICATION_BYTES;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async send(texts: readonly string[]): Promise<void> {
    const { rows } = await this.#pool.query<{ used: number }>(
      'SELECT count(pg_notify($1, text)), pg_notification_queue_usage() AS used FROM unnest($2::text[]) AS text',
      [CHANNEL, texts],
    );
    this.maxTextBytes = (rows[0]?.used ?? 0) > MAX_QUEUE_PART_FOR_EVENTS ? 0 : MAX_NOTIFICATION_BYTES;
  }
}
