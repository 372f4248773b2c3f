import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConnectionSettings } from './connection-settings.ts';
import { DatabaseClient } from './database-client.ts';
import { isReadOnly, refusesWrites } from './failures.ts';
import { BACKGROUND_TIMEOUT_MS } from './timeouts.ts';

/** The pause between two checks, in milliseconds: the first, and the longest. Each check can add a line to PostgreSQL's log. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/** The outage has ended when no write has failed for this long. Without it, a disk that is almost full would end it every second. */
const QUIET_MS = 2_000;

/**
 * Writes 400 KB to a temporary file of PostgreSQL's, then commits an empty record. The order matters: the temporary file needs no WAL. A check
 * that wrote WAL would use up the last WAL segments of a full disk, and PostgreSQL would stop, and reads with it.
 */
const CHECK = `
  BEGIN;
  SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM (SELECT 1 FROM generate_series(1, 200) AS number ORDER BY repeat('x', 2000) || number OFFSET 0) AS sorted;
  SELECT pg_logical_emit_message(true, 'heddle', '');
  COMMIT`;

/**
 * Logs when the database begins to refuse writes, and when it accepts them again: once for the whole server, not for each request. PostgreSQL
 * goes on serving reads with a full disk, so nothing else in the log would tell the operator.
 */
export class WriteOutage {
  readonly #settings: ConnectionSettings;
  readonly #log: Logger;
  readonly #guardReports: boolean;
  readonly #closed = new AbortController();
  #lastRefusal = 0;
  #watching: Promise<void> | undefined;

  /** @param guardReports whether the guard of the embedded database logs that it is read-only */
  constructor(settings: ConnectionSettings, log: Logger, guardReports: boolean) {
    this.#settings = settings;
    this.#log = log;
    this.#guardReports = guardReports;
  }

  /** Call it with every error response of PostgreSQL. */
  received({ code, message }: Pick<pg.DatabaseError, 'code' | 'message'>): void {
    if (!refusesWrites(code) || this.#closed.signal.aborted) return;
    if (this.#guardReports && isReadOnly(code)) return;
    this.#lastRefusal = performance.now();
    if (this.#watching !== undefined) return;
    this.#log.error({ reason: message, code }, 'the database refuses writes');
    this.#watching = this.#untilItWrites().finally(() => {
      this.#watching = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#watching;
  }

  async #untilItWrites(): Promise<void> {
    const { signal } = this.#closed;
    const begun = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const isQuiet = performance.now() - this.#lastRefusal > QUIET_MS;
      if (isQuiet && (await canWrite(this.#settings))) break;
    }
    this.#log.warn({ seconds: (performance.now() - begun) / 1_000 }, 'the database accepts writes again');
  }
}

async function canWrite(settings: ConnectionSettings): Promise<boolean> {
  const client = new DatabaseClient({
    ...settings,
    application_name: 'heddle write check',
    connectionTimeoutMillis: BACKGROUND_TIMEOUT_MS,
    query_timeout: BACKGROUND_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ is: string }>(`SELECT current_setting('transaction_read_only') AS is`);
    if (rows[0]?.is !== 'off') return false;
    await client.query(CHECK);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
