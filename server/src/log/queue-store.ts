import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { parameterOf } from '../db/parameters.ts';
import type { Db } from '../db/schema.ts';
import { readAlone } from '../db/transaction.ts';
import { newQueueId, type Queue, type QueueSettings, SettingsPool } from './queue.ts';
import { createQueueFinder } from './queue-finder.ts';

/** Limits the queues of a user. Each of the user's programs and pages needs one. */
export const MAX_QUEUES_PER_USER = 100;

/**
 * How many queues one statement of a flush writes. Thousands at once would delay messages for the clients that wait for
 * them.
 */
const QUEUES_PER_WRITE = 250;

export interface QueueStoreOptions {
  readonly db: Db;
  /** The pool of `db`, for prepared statements. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** A queue that no client has read for this long is collected, in seconds. */
  readonly idleSeconds: number;
  /** Other processes write the last-fetched times of their queues within this many seconds; 0 if there are none. */
  readonly othersWriteWithin: number;
  /** Whether a client's request waits at the queue. Such a queue is not idle. */
  readonly isHeld: (queue: Queue) => boolean;
  /** Called when a queue has been collected, or another process has ended it. */
  readonly onGone: (queue: Queue) => void;
}

export interface NewQueue {
  readonly organizationId: number;
  readonly userId: number;
  readonly client: string;
  readonly settings: QueueSettings;
}

/** What `ADD_QUEUE` returns. */
export interface AddedRow {
  /** The epoch of the log in the snapshot. */
  readonly epoch: string;
  /** The number of queues that the user had before. */
  readonly others: number;
}

/** A queue that a statement adds; `QueueStore.adding` creates it. */
export interface Adding {
  /** The parameters of `ADD_QUEUE`. */
  readonly values: readonly unknown[];
  /**
   * Ends older queues, if the user has too many. Call it after the commit: a failed registration ends no queue of another device.
   * @param row what the statement has returned
   */
  makeRoom(row: AddedRow): Promise<void>;
  /**
   * Call this after the commit.
   * @param start the log's position in the statement's snapshot
   */
  added(start: number, row: AddedRow): Queue;
}

/**
 * Adds a queue that begins at the log's position in the snapshot of the enclosing statement, in its epoch. $1 is the
 * organization, $2 the user. Returns `AddedRow`. Index: `queues_by_user`.
 */
export const ADD_QUEUE = `
  INSERT INTO queues (organization_id, user_id, id, client, epoch, settings, starts_after, acknowledged_id)
  SELECT organization_id, $2::integer, $3::text, $4::text, epoch, $5::text, head, head
    FROM logs WHERE organization_id = $1::integer
  RETURNING epoch, (SELECT count(*) FROM queues WHERE organization_id = $1 AND user_id = $2) AS others`;

/**
 * Ends the queues of user $2 beyond $4 and the $3 others that were read last. Skips queues that another statement has locked, since that one may lock
 * several in another order. It does not wait for the disk: if a crash brings a queue back, it ends at the user's next registration. It is
 * prepared, because a program that registers again and again needs it each time, and planning it takes as long as the rest.
 */
const END_EXCESS_QUEUES = `
  WITH excess AS (
    SELECT id FROM queues WHERE organization_id = $1::integer AND user_id = $2::integer AND id <> $4::text
     ORDER BY last_fetched_at DESC, registered_at DESC OFFSET $3::integer
  ), free AS (
    SELECT id FROM queues WHERE organization_id = $1 AND id IN (SELECT id FROM excess)
       FOR UPDATE SKIP LOCKED
  )
  DELETE FROM queues WHERE organization_id = $1 AND id IN (SELECT id FROM free)
  RETURNING id, set_config('synchronous_commit', 'off', true)`;

/**
 * The queues. The table is authoritative and outlives every process. This class keeps the queues in use in memory and
 * writes their last-fetched times in batches, never one write per poll.
 */
export class QueueStore {
  readonly #options: QueueStoreOptions;
  #flushing: Promise<void> = Promise.resolve();
  readonly #queues = new Map<string, Queue>();
  readonly #settings = new SettingsPool();
  readonly #startedAt = Date.now();
  readonly #findInTable: ReturnType<typeof createQueueFinder>;

  constructor(options: QueueStoreOptions) {
    this.#options = options;
    this.#findInTable = createQueueFinder(options.db);
  }

  get size(): number {
    return this.#queues.size;
  }

  /** The number of different settings that the queues in memory have. */
  get differentSettings(): number {
    return this.#settings.size;
  }

  /**
   * Prepares one more queue for the user. If the user already has `MAX_QUEUES_PER_USER`, the one that was read least
   * recently ends.
   */
  adding({ organizationId, userId, client, settings }: NewQueue): Adding {
    const id = newQueueId();
    const text = JSON.stringify(settings);
    return {
      values: [organizationId, userId, id, client, text],
      makeRoom: async ({ others }) => {
        if (others >= MAX_QUEUES_PER_USER) await this.#endExcess(organizationId, userId, id);
      },
      added: (start, { epoch }) =>
        this.#keep({
          id,
          organizationId,
          userId,
          client,
          epoch,
          settings: text,
          start,
          acknowledgedId: start,
        }),
    };
  }

  async #endExcess(organizationId: number, userId: number, newest: string): Promise<void> {
    const values = [organizationId, userId, MAX_QUEUES_PER_USER - 1, newest];
    this.#dropAllEnded(
      await readAlone<{ id: string }>(this.#options.pool, {
        name: 'end excess queues',
        text: END_EXCESS_QUEUES,
        values,
      }),
    );
  }

  /** The queue, if this process has it in memory. Most polls find it this way, without waiting. */
  inMemory(organizationId: number, id: string): Queue | undefined {
    const known = this.#queues.get(id);
    return known?.organizationId === organizationId ? known : undefined;
  }

  /** The queue, from memory or the table; undefined if it never existed or has ended. */
  async find(organizationId: number, id: string): Promise<Queue | undefined> {
    const known = this.#queues.get(id);
    if (known !== undefined) return known.organizationId === organizationId ? known : undefined;
    const row = await this.#findInTable({ organizationId, id });
    if (row === undefined) return undefined;
    return (
      this.#queues.get(id) ??
      this.#keep({
        id,
        organizationId,
        userId: row.user_id,
        client: row.client,
        epoch: row.epoch,
        settings: row.settings,
        start: row.starts_after,
        acknowledgedId: row.acknowledged_id,
      })
    );
  }

  /** Notes that the client asked for the events after `lastEventId`. */
  touch(queue: Queue, lastEventId: number): void {
    queue.lastFetchedAt = Date.now();
    queue.acknowledgedId = Math.max(queue.acknowledgedId, lastEventId);
    queue.dirty = true;
  }

  async remove(queue: Queue): Promise<void> {
    await this.#options.db
      .deleteFrom('queues')
      .where('organization_id', '=', queue.organizationId)
      .where('id', '=', queue.id)
      .execute();
    this.#dropEnded(queue);
  }

  /** Ends all queues of a user who may no longer read. */
  async removeAllOf(organizationId: number, userId: number): Promise<void> {
    await this.#options.db
      .deleteFrom('queues')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute();
    for (const queue of this.#queues.values()) {
      if (queue.organizationId === organizationId && queue.userId === userId) this.#dropEnded(queue);
    }
  }

  /** Writes what has changed since the last flush, in batches, and drops queues that another process has ended. When it ends, earlier ones have, too. */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(() => this.#writeChanged());
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }

  async #writeChanged(): Promise<void> {
    for (const queue of this.#queues.values()) if (this.#options.isHeld(queue)) this.#touchHeld(queue);
    const dirty = [...this.#queues.values()].filter((queue) => queue.dirty);
    for (let start = 0; start < dirty.length; start += QUEUES_PER_WRITE) {
      await this.#write(dirty.slice(start, start + QUEUES_PER_WRITE));
    }
  }

  async #write(some: readonly Queue[]): Promise<void> {
    for (const queue of some) queue.dirty = false;
    try {
      const { rows } = await sql<{ id: string }>`
        UPDATE queues
           SET last_fetched_at = greatest(queues.last_fetched_at, to_timestamp(seen.at)),
               acknowledged_id = greatest(queues.acknowledged_id, seen.acknowledged_id)
          FROM unnest(${parameterOf(some.map((queue) => queue.organizationId))}::int[],
                      ${parameterOf(some.map((queue) => queue.id))}::text[],
                      ${parameterOf(some.map((queue) => queue.lastFetchedAt / 1000))}::float8[],
                      ${parameterOf(some.map((queue) => queue.acknowledgedId))}::bigint[])
            AS seen (organization_id, id, at, acknowledged_id)
         WHERE queues.organization_id = seen.organization_id AND queues.id = seen.id
        RETURNING queues.id`.execute(this.#options.db);
      const alive = new Set(rows.map((row) => row.id));
      for (const queue of some) if (!alive.has(queue.id)) this.#dropEnded(queue);
    } catch (error) {
      for (const queue of some) queue.dirty = true;
      throw error;
    }
  }

  /**
   * Deletes the queues that no client has read for the idle time. Time when no server ran does not count: a process deletes queues only
   * after it has run for that long. Call it after `flush`. It reads the whole table, because an index of the times would slow every
   * flush down (`04-log.sql` in `db/migrations/0001-initial/`).
   */
  async collect(): Promise<number> {
    const { db, idleSeconds, othersWriteWithin } = this.#options;
    if (Date.now() - this.#startedAt < idleSeconds * 1000) return 0;
    const { rows } = await sql<{ id: string }>`
      DELETE FROM queues
       WHERE last_fetched_at < now() - make_interval(secs => ${idleSeconds + othersWriteWithin})
      RETURNING id`.execute(db);
    this.#dropAllEnded(rows);
    this.dropUnused();
    return rows.length;
  }

  /**
   * Drops unused queues from memory, for example those that another process serves now. If their client returns, the
   * table has them.
   */
  dropUnused(): void {
    const before = Date.now() - this.#options.idleSeconds * 1000;
    for (const queue of this.#queues.values()) {
      if (queue.lastFetchedAt < before && !queue.dirty) this.#drop(queue);
    }
  }

  #touchHeld(queue: Queue): void {
    queue.lastFetchedAt = Date.now();
    queue.dirty = true;
  }

  #keep(
    queue: Pick<Queue, 'id' | 'organizationId' | 'userId' | 'client' | 'epoch' | 'start' | 'acknowledgedId'> & {
      settings: string;
    },
  ) {
    const fresh: Queue = {
      ...queue,
      settings: this.#settings.take(queue.settings),
      lastFetchedAt: Date.now(),
      clearFrom: queue.acknowledgedId,
      clearThrough: queue.acknowledgedId,
      dirty: false,
    };
    this.#queues.set(fresh.id, fresh);
    return fresh;
  }

  #dropAllEnded(rows: readonly { readonly id: string }[]): void {
    for (const { id } of rows) {
      const queue = this.#queues.get(id);
      if (queue !== undefined) this.#dropEnded(queue);
    }
  }

  #dropEnded(queue: Queue): void {
    this.#drop(queue);
    this.#options.onGone(queue);
  }

  #drop(queue: Queue): void {
    if (this.#queues.delete(queue.id)) this.#settings.release(queue.settings);
  }
}

/**
 * How often last-fetched times are written, in milliseconds. A killed server loses at most the times of that period.
 */
export const FLUSH_INTERVAL_MS = 5000;
