/**
 * A marker in the store of files and the same one in the database. Processes that share a database must share the store: otherwise each
 * would serve only the files that it received itself.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import { firstFact, forgetFact, readFact } from '../db/server-facts.ts';
import { MIGRATION_TIMEOUTS } from '../db/timeouts.ts';
import { inTransaction } from '../db/transaction.ts';
import { isMissing, type Storage } from './storage.ts';

/** A key that no file gets. It is copied with the files, so a moved store keeps its marker. */
const MARKER_KEY = '0'.repeat(32);
const MARKER_CHARACTERS = 36;
const FACT = 'store_marker';
/** An advisory lock, beside `KEEP_FILES`. */
const LOCK = '1751475308, 2';

/** This process has another store than the others of its database. The message is for the operator. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

export const STORE_ADVICE =
  'Give all processes one store: the same HEDDLE_S3_BUCKET, or a data directory (at least its folder files) that they share. ' +
  'If you moved the files or restored a copy of the database, run heddle restored once, and start again.';

/**
 * Compares the store with that of the database. The first process writes both markers.
 * @throws StoreError
 */
export async function confirmStore(pool: pg.Pool, storage: Storage, log: Logger): Promise<void> {
  try {
    // One process at a time: two that start together must not both be the first.
    await inTransaction(
      pool,
      async ({ db }) => {
        await sql`SELECT pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(db);
        await confirmAlone(db, storage);
        return { result: () => undefined };
      },
      MIGRATION_TIMEOUTS,
    );
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // A store that is down stops only files.
    log.warn({ err: error }, 'could not check whether all processes have the same store of files');
  }
}

async function confirmAlone(db: Db, storage: Storage): Promise<void> {
  const [known, found] = [await readFact(db, FACT), await readMarker(storage)];
  if (known === undefined) {
    // The store comes first: if this process is killed here, the next one finds the marker and notes it.
    const marker = found ?? (await writeMarker(storage));
    await firstFact(db, FACT, marker);
  } else if (known !== found) {
    throw new StoreError(`The processes of this database have another store of files than this one. ${STORE_ADVICE}`);
  }
}

/** Changes nothing. `new`: no process of the database with HEDDLE_BUS=postgres has started yet. */
export async function compareStore(db: Db, storage: Storage): Promise<'new' | 'equal' | 'different'> {
  const known = await readFact(db, FACT);
  if (known === undefined) return 'new';
  return known === (await readMarker(storage)) ? 'equal' : 'different';
}

/** The next process that starts decides which store is the right one. */
export async function forgetStore(db: Db): Promise<void> {
  await forgetFact(db, FACT);
}

async function readMarker(storage: Storage): Promise<string | undefined> {
  try {
    return await text(await storage.get(MARKER_KEY, { start: 0, end: MARKER_CHARACTERS - 1 }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeMarker(storage: Storage): Promise<string> {
  const marker = randomUUID();
  await storage.put(MARKER_KEY, Readable.from([Buffer.from(marker)]));
  return marker;
}
