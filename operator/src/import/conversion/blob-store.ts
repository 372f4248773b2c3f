/** Files that an archive has in parts, in the temporary database. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Readable } from 'node:stream';

/** Parts of a transaction. */
const PARTS_PER_COMMIT = 200;
/** No file has it, so one with this size is incomplete. */
const NO_SIZE_BYTES = -1;

export class BlobStore {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  #pending = 0;

  /** @param db a private database, without an open transaction */
  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(`
      CREATE TABLE blob_parts (key TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (key, number));
      CREATE TABLE blobs (key TEXT PRIMARY KEY, bytes INTEGER NOT NULL)`);
    this.#insert = db.prepare('INSERT OR IGNORE INTO blob_parts (key, number, data) VALUES (?, ?, ?)');
  }

  /** @param number the place of the part, from 0 */
  addPart(key: string, number: number, data: Uint8Array): void {
    if (this.#pending === 0) this.#db.exec('BEGIN');
    this.#insert.run(key, number, data);
    this.#pending += 1;
    if (this.#pending >= PARTS_PER_COMMIT) this.commit();
  }

  /** What the archive says about a file. No file has a size that is no whole number. */
  expect(key: string, bytes: number): void {
    this.commit();
    const isSize = Number.isSafeInteger(bytes) && bytes >= 0;
    this.#db.prepare('INSERT OR IGNORE INTO blobs (key, bytes) VALUES (?, ?)').run(key, isSize ? bytes : NO_SIZE_BYTES);
  }

  commit(): void {
    if (this.#pending > 0) this.#db.exec('COMMIT');
    this.#pending = 0;
  }

  /** Undefined: there is no such file, or a part of it is missing. */
  bytesOf(key: string): number | undefined {
    const row = this.#db
      .prepare(
        `SELECT sum(length(data)) AS bytes, count(*) AS parts, max(number) AS last,
                (SELECT bytes FROM blobs WHERE key = ?1) AS expected FROM blob_parts WHERE key = ?1`,
      )
      .get(key);
    const [bytes, parts, last] = [Number(row?.bytes), Number(row?.parts), Number(row?.last)];
    const expected = row?.expected ?? null;
    if (parts === 0) return expected === 0 ? 0 : undefined;
    return last + 1 === parts && (expected === null || expected === bytes) ? bytes : undefined;
  }

  open(key: string): Readable {
    return Readable.from(this.#parts(key), { objectMode: false });
  }

  *#parts(key: string): Generator<Buffer> {
    const part = this.#db.prepare('SELECT data FROM blob_parts WHERE key = ? AND number = ?');
    for (let number = 0; ; number += 1) {
      const data = part.get(key, number)?.data;
      if (!(data instanceof Uint8Array)) return;
      if (data.length > 0) yield Buffer.from(data);
    }
  }
}
