import { openWatch } from './client.ts';
import { codeOf, reasonOf } from './errors.ts';
import type { Connection } from './lock.ts';
import type { Logger } from './logger.ts';
import { diskLimits, Reserve, type Space, spaceOf } from './reserve.ts';
import type { Supervisor } from './supervisor.ts';

const LOOK_INTERVAL_MS = 250;
/** With more free space than this, no program fills the disk between two looks. */
const NEAR_BYTES = 1024 * 1024 * 1024;
/** Changes are accepted again with so much more space than that below which they are refused. So the two do not alternate. */
const ACCEPT_FACTOR = 1.25;
/** Segments of the write-ahead log that exist before PostgreSQL needs them. It fills one in no less than a look. */
const MIN_SEGMENTS_AHEAD = 2;
/** A checkpoint makes few segments the next ones if another was shortly before it. The guard then tries again after this time. */
const RETRY_MS = 10_000;
/** Segments that a cluster has at least when its disk is nearly full. */
const MIN_SEGMENTS = 4;
const SEGMENT_BYTES = 16 * 1024 * 1024;

const REFUSE = ['ALTER SYSTEM SET default_transaction_read_only = on', 'ALTER SYSTEM SET autovacuum = off'];
const ACCEPT = ['ALTER SYSTEM RESET default_transaction_read_only', 'ALTER SYSTEM RESET autovacuum'];

/**
 * Protects a cluster from a full disk. PostgreSQL panics if it cannot create the next file of its write-ahead log, and then needs space to
 * recover. Nothing else that it does on a full disk is worse than a refused statement. So:
 *
 * - Below `refuseBytes`, all new transactions are read-only. Statements that still run write into the files below.
 * - Files of the write-ahead log exist in advance. No other program can take their space. A checkpoint makes old files the next ones, so a
 *   cluster that only reads never needs another file.
 * - Below `releaseBytes`, the reserve is removed. Other programs may take its space. Usually they have failed already, and PostgreSQL has
 *   space for small files, a checkpoint and a recovery.
 *
 * All this ends by itself when there is space again.
 */
export class DiskGuard {
  readonly #directory: string;
  readonly #connection: Connection;
  readonly #reserve: Reserve;
  readonly #supervisor: Supervisor;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #refuses = false;
  #refusesSince = 0;
  /** A failure is logged once for each refusal. */
  #failure = '';
  #tending: Promise<void> | undefined;
  #checkpointing: Promise<void> | undefined;
  /** The segment that PostgreSQL wrote to when the guard last made others. */
  #tendedSegment = '';
  #tendedAt = 0;

  /** @param home the directory above the cluster */
  constructor({ home, connection }: { home: string; connection: Connection }, supervisor: Supervisor, log: Logger) {
    this.#directory = home;
    this.#connection = connection;
    this.#reserve = new Reserve(home);
    this.#supervisor = supervisor;
    this.#log = log;
  }

  /** Resolves when PostgreSQL refuses or accepts changes as the space demands. */
  async start(): Promise<void> {
    try {
      const [row] = await this.#ask<{ is: string }>(`SELECT current_setting('default_transaction_read_only') AS is`);
      this.#refuses = row?.is === 'on';
      this.#refusesSince = performance.now();
      const space = spaceOf(this.#directory);
      if (this.#refuses !== this.#mustRefuse(space)) await this.#turn(space);
    } catch (error) {
      this.#fail(error);
    }
    this.#timer = setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#tending;
    await this.#checkpointing;
  }

  #look(): void {
    let space: Space;
    try {
      space = spaceOf(this.#directory);
      if (space.freeBytes < diskLimits(space).releaseBytes) this.#release();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#tending ??= this.#tend(space)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#tending = undefined;
      });
  }

  async #tend(space: Space): Promise<void> {
    // Without PostgreSQL there is nobody to ask. Its next session begins with the last settings.
    if (this.#isStopped || this.#supervisor.isOut) return;
    if (this.#refuses !== this.#mustRefuse(space)) await this.#turn(space);
    if (space.freeBytes < NEAR_BYTES) await this.#prepareSegments(space);
    const { reserveBytes } = diskLimits(space);
    if (this.#refuses || this.#reserve.bytes >= reserveBytes) return;
    await this.#reserve.fill(reserveBytes, () => !this.#isStopped && !this.#mustRefuse(spaceOf(this.#directory)));
  }

  #mustRefuse(space: Space): boolean {
    const { refuseBytes, reserveBytes } = diskLimits(space);
    if (!this.#refuses) return space.freeBytes < refuseBytes;
    const missing = Math.max(0, reserveBytes - this.#reserve.bytes);
    return space.freeBytes - missing < refuseBytes * ACCEPT_FACTOR;
  }

  async #turn({ freeBytes }: Space): Promise<void> {
    const refuses = !this.#refuses;
    const facts = { directory: this.#directory, freeMebibytes: Math.floor(freeBytes / 1024 ** 2) };
    for (const statement of refuses ? REFUSE : ACCEPT) await this.#ask(statement);
    await this.#ask('SELECT pg_reload_conf()');
    this.#refuses = refuses;
    this.#failure = '';
    if (refuses) {
      this.#refusesSince = performance.now();
      this.#log.error(facts, 'the disk is almost full: changes are refused until there is space');
      this.#checkpoint([]);
    } else {
      const seconds = (performance.now() - this.#refusesSince) / 1_000;
      this.#log.warn({ ...facts, seconds }, 'the disk has space again: changes are accepted');
    }
  }

  async #prepareSegments({ freeBytes, totalBytes }: Space): Promise<void> {
    const [row] = await this.#ask<{ current: string; ahead: number; all: number }>(`
      SELECT current, count(*) FILTER (WHERE name > current)::int AS ahead, count(*)::int AS all
        FROM pg_walfile_name(pg_current_wal_insert_lsn()) AS current, pg_ls_waldir()
       WHERE name ~ '^[0-9A-F]{24}$' GROUP BY current`);
    if (row === undefined || row.ahead >= MIN_SEGMENTS_AHEAD) return;
    const isAgain = row.current === this.#tendedSegment;
    if (isAgain && performance.now() - this.#tendedAt < RETRY_MS) return;
    const { refuseBytes } = diskLimits({ totalBytes });
    const missing = isAgain ? MIN_SEGMENTS - 1 : MIN_SEGMENTS - row.all;
    if (!this.#refuses && freeBytes - missing * SEGMENT_BYTES > refuseBytes * ACCEPT_FACTOR) {
      // A record first, because a switch at the beginning of a segment does nothing.
      const next = `SELECT pg_logical_emit_message(false, 'heddle', ''); SELECT pg_switch_wal()`;
      this.#checkpoint(Array.from({ length: Math.max(0, missing) }, () => next));
    } else this.#checkpoint([]);
    this.#tendedSegment = row.current;
    this.#tendedAt = performance.now();
  }

  /** On a connection of its own: while a slow disk delays the checkpoint, changes must be refused in time. */
  #checkpoint(before: readonly string[]): void {
    const run = async () => {
      const { client, close } = await openWatch(this.#connection, 'heddle-disk-guard');
      try {
        for (const statement of [...before, 'CHECKPOINT']) await client.query(statement);
      } finally {
        await close();
      }
    };
    this.#checkpointing ??= run()
      .catch((error: unknown) => {
        this.#tendedSegment = '';
        this.#fail(error);
      })
      .finally(() => {
        this.#checkpointing = undefined;
      });
  }

  #release(): void {
    if (this.#reserve.release()) this.#log.warn({ directory: this.#directory }, 'the reserve of the disk is released');
  }

  #fail(error: unknown): void {
    if (this.#isStopped || this.#supervisor.isOut) return;
    if (codeOf(error) === '53100' || codeOf(error) === 'ENOSPC') this.#reserve.releaseSpare();
    if (reasonOf(error) === this.#failure) return;
    this.#failure = reasonOf(error);
    this.#log.warn({ reason: this.#failure }, 'cannot prepare PostgreSQL for a full disk');
  }

  async #ask<Row extends object>(statement: string): Promise<readonly Row[]> {
    const client = this.#supervisor.watch?.client;
    if (client === undefined) return [];
    return (await client.query<Row>(statement)).rows;
  }
}
