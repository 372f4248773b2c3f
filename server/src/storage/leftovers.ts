/**
 * Which keys nothing refers to. A key is written down here before anything is stored under it, and taken out in the transaction that
 * makes it somebody's: so whatever a killed server or a failed upload leaves behind is found. What is deleted comes here, too.
 */
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../db/schema.ts';
import { newKeys, type Storage } from './storage.ts';

/** An upload that is not done after so many hours was given up. */
const GIVEN_UP_AFTER = 24;
/** So many go in one turn, and so many of them at once. */
const BATCH = 500;
const AT_ONCE = 8;

/** So many keys are written down at once, and given to uploads for so long, in milliseconds: a commit of its own for each would cost as much as a small file. */
const KEYS_AT_ONCE = 32;
const GIVEN_FOR = 3_600_000;

/** Keys that are written down before anybody needs them. */
export class ExpectedKeys {
  readonly #db: Db;
  #keys: string[] = [];
  #until = 0;
  #more: Promise<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** A key under which something may be stored. */
  async next(): Promise<string> {
    for (;;) {
      const key = performance.now() < this.#until ? this.#keys.pop() : undefined;
      if (key !== undefined) return key;
      this.#more ??= this.#writeDown().finally(() => {
        this.#more = undefined;
      });
      await this.#more;
    }
  }

  /** Those that are left may not be written down any more, as after a backup was put back. */
  forget(): void {
    this.#keys = [];
  }

  async #writeDown(): Promise<void> {
    const until = performance.now() + GIVEN_FOR;
    const keys = newKeys(KEYS_AT_ONCE);
    await expectKeys(this.#db, keys);
    this.#keys = [...keys];
    this.#until = until;
  }
}

/** To be called before anything is stored under the keys. */
export async function expectKeys(db: Db | DbTransaction, keys: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO storage_leftovers (key, due_at)
    SELECT key, now() + make_interval(hours => ${GIVEN_UP_AFTER}) FROM unnest(${keys}::text[]) AS key`.execute(db);
}

/**
 * What is stored under the keys is somebody's once the transaction commits.
 * @throws Error where the upload took so long that it was given up
 */
export async function keepKeys(db: DbTransaction, keys: readonly string[]): Promise<void> {
  const { rows } = await sql`DELETE FROM storage_leftovers WHERE key = ANY (${keys}::text[]) RETURNING key`.execute(db);
  if (rows.length !== keys.length) throw new Error('a file was given up before it was whole');
}

/** What is stored under the keys is nobody's any more once it commits. */
export async function dropKeys(db: Db | DbTransaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    INSERT INTO storage_leftovers (key, due_at) SELECT key, now() FROM unnest(${keys}::text[]) AS key
    ON CONFLICT (key) DO UPDATE SET due_at = now()`.execute(db);
}

/**
 * Removes what is nobody's. What cannot be removed stays for the next time. Index: storage_leftovers_due.
 * @returns whether there may be more
 */
export async function collectLeftovers(db: DbTransaction, storage: Storage): Promise<boolean> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM storage_leftovers WHERE due_at <= now()
     ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`.execute(db);
  const removed: string[] = [];
  for (let begin = 0; begin < rows.length; begin += AT_ONCE) {
    const some = rows.slice(begin, begin + AT_ONCE);
    const outcomes = await Promise.allSettled(some.map(({ key }) => storage.remove(key)));
    for (const [place, outcome] of outcomes.entries()) {
      const key = some[place]?.key;
      if (outcome.status === 'fulfilled' && key !== undefined) removed.push(key);
    }
  }
  await sql`DELETE FROM storage_leftovers WHERE key = ANY (${removed}::text[])`.execute(db);
  // A store that is away fails for all; they are tried again in a while.
  await sql`
    UPDATE storage_leftovers SET due_at = now() + interval '10 minutes'
     WHERE key = ANY (${rows.map(({ key }) => key)}::text[])`.execute(db);
  return rows.length === BATCH;
}
