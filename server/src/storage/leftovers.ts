/**
 * Keys that nothing refers to (`storage_leftovers`). Every key is recorded here before anything is stored under it. The
 * transaction that gives the file an owner removes the key. So whatever a killed server or a failed upload leaves
 * behind is found. Deleted files are recorded here too.
 */
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../db/schema.ts';
import { newKeys, type Storage } from './storage.ts';

/** An upload that is not complete after this many hours counts as abandoned. */
const ABANDONED_AFTER_HOURS = 24;
/** How many files one run removes, and how many of them at the same time. */
const FILES_PER_RUN = 500;
const MAX_CONCURRENT_REMOVALS = 8;

/**
 * How many keys are recorded together, and how long they are used for uploads, in milliseconds. One commit per key
 * would cost as much as a small file.
 */
const KEYS_PER_COMMIT = 32;
const KEY_LIFETIME_MS = 3_600_000;

/**
 * The advisory lock that a backup holds while it copies the files of its snapshot. While it is held no file is removed,
 * including those that are deleted meanwhile.
 */
export const KEEP_FILES = '1751475308, 1';

/** Keys that are recorded in advance. */
export class ExpectedKeys {
  readonly #db: Db;
  #keys: string[] = [];
  #until = 0;
  #more: Promise<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns a key under which a file may be stored. */
  async next(): Promise<string> {
    for (;;) {
      const key = performance.now() < this.#until ? this.#keys.pop() : undefined;
      if (key !== undefined) return key;
      this.#more ??= this.#record().finally(() => {
        this.#more = undefined;
      });
      await this.#more;
    }
  }

  /** Drops the unused keys. After a backup was restored, they may no longer be recorded. */
  forget(): void {
    this.#keys = [];
  }

  async #record(): Promise<void> {
    const until = performance.now() + KEY_LIFETIME_MS;
    const keys = newKeys(KEYS_PER_COMMIT);
    await expectKeys(this.#db, keys);
    this.#keys = [...keys];
    this.#until = until;
  }
}

/** Records the keys. Call it before anything is stored under them. */
export async function expectKeys(db: Db | DbTransaction, keys: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO storage_leftovers (key, due_at)
    SELECT key, now() + make_interval(hours => ${ABANDONED_AFTER_HOURS}) FROM unnest(${keys}::text[]) AS key`.execute(
    db,
  );
}

/**
 * Gives the files under these keys an owner, when the transaction commits.
 * @throws Error if the upload took so long that it counts as abandoned
 */
export async function keepKeys(db: DbTransaction, keys: readonly string[]): Promise<void> {
  const { rows } = await sql`DELETE FROM storage_leftovers WHERE key = ANY (${keys}::text[]) RETURNING key`.execute(db);
  if (rows.length !== keys.length) throw new Error('an upload counted as abandoned before it was complete');
}

/** Marks the files under these keys for removal, when the transaction commits. */
export async function dropKeys(db: Db | DbTransaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    INSERT INTO storage_leftovers (key, due_at) SELECT key, now() FROM unnest(${keys}::text[]) AS key
    ON CONFLICT (key) DO UPDATE SET due_at = now()`.execute(db);
}

/**
 * Removes files without an owner, unless a backup is running. Files that cannot be removed are retried later. Index:
 * `storage_leftovers_due`.
 * @returns whether there may be more
 */
export async function collectLeftovers(db: DbTransaction, storage: Storage): Promise<boolean> {
  const { rows: locks } = await sql<{
    is: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${sql.raw(KEEP_FILES)}) AS is`.execute(db);
  if (locks[0]?.is !== true) return false;
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM storage_leftovers WHERE due_at <= now()
     ORDER BY due_at LIMIT ${FILES_PER_RUN} FOR UPDATE SKIP LOCKED`.execute(db);
  const removed: string[] = [];
  for (let begin = 0; begin < rows.length; begin += MAX_CONCURRENT_REMOVALS) {
    const some = rows.slice(begin, begin + MAX_CONCURRENT_REMOVALS);
    const outcomes = await Promise.allSettled(some.map(({ key }) => storage.remove(key)));
    for (const [place, outcome] of outcomes.entries()) {
      const key = some[place]?.key;
      if (outcome.status === 'fulfilled' && key !== undefined) removed.push(key);
    }
  }
  await sql`DELETE FROM storage_leftovers WHERE key = ANY (${removed}::text[])`.execute(db);
  // If the store is unavailable, all of them fail. They are retried later.
  await sql`
    UPDATE storage_leftovers SET due_at = now() + interval '10 minutes'
     WHERE key = ANY (${rows.map(({ key }) => key)}::text[])`.execute(db);
  return rows.length === FILES_PER_RUN;
}
