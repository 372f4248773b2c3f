/** Rows of an archive in the temporary database, by kind: their number does not matter for the memory. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Json } from '../fields.ts';

/** Inserts per transaction. */
const INSERTS_PER_COMMIT = 10_000;

export class RowStore {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #read: (count: number) => void;
  #pending = 0;
  #count = 0;

  /**
   * @param db a private database, without an open transaction
   * @param read called sometimes, with the number of rows
   */
  constructor(db: DatabaseSync, read: (count: number) => void) {
    this.#db = db;
    this.#read = read;
    db.exec('CREATE TABLE rows (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL)');
    this.#insert = db.prepare('INSERT INTO rows (kind, data) VALUES (?, ?)');
  }

  add(kind: string, row: Json): void {
    if (this.#pending === 0) this.#db.exec('BEGIN');
    this.#insert.run(kind, JSON.stringify(row));
    this.#pending += 1;
    this.#count += 1;
    if (this.#pending < INSERTS_PER_COMMIT) return;
    this.commit();
    this.#read(this.#count);
  }

  /** After the last row, and before the first one is read. */
  commit(): void {
    if (this.#pending > 0) this.#db.exec('COMMIT');
    this.#pending = 0;
  }

  /** The rows can be read once this is called. */
  sorted(): void {
    this.commit();
    this.#db.exec('CREATE INDEX IF NOT EXISTS rows_by_kind ON rows (kind, seq)');
  }

  /** In the order of `add`. */
  *of(kind: string): Generator<Json> {
    for (const { data } of this.#db.prepare('SELECT data FROM rows WHERE kind = ? ORDER BY seq').iterate(kind)) {
      yield JSON.parse(String(data));
    }
  }

  count(kind: string): number {
    return Number(this.#db.prepare('SELECT count(*) AS count FROM rows WHERE kind = ?').get(kind)?.count);
  }

  kinds(): readonly string[] {
    return this.#db
      .prepare('SELECT DISTINCT kind FROM rows ORDER BY kind')
      .all()
      .map(({ kind }) => String(kind));
  }
}
