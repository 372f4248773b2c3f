/** The messages of an archive in a temporary SQLite database: it sorts them and finds them by their keys, without the memory for all. */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ImportReport } from '../report.ts';
import type { NeutralFile, NeutralMessage } from './neutral.ts';

/** Inserts per transaction. */
const INSERTS_PER_COMMIT = 10_000;
/** SQLite's cache in KiB. */
const CACHE_KIB = 32_768;

export interface StagedMessage extends NeutralMessage {
  /** In the order of time, from 1. */
  readonly id: number;
}

export interface StagedFile extends NeutralFile {
  readonly id: number;
  /** The key of the user who sent the first message with it. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export class Staging {
  readonly #path: string;
  readonly #db: DatabaseSync;
  #messages = 0;

  /** @param path of a file that does not exist */
  constructor(path: string) {
    this.#path = path;
    this.#db = new DatabaseSync(path);
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
      CREATE TABLE messages (seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, sent_at INTEGER NOT NULL, channel TEXT, data TEXT NOT NULL);
      CREATE TABLE ordered (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE);
      CREATE TABLE conversations (id INTEGER PRIMARY KEY, participants TEXT NOT NULL UNIQUE);
      CREATE TABLE files (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL)`);
  }

  get messages(): number {
    return this.#messages;
  }

  /** Reads all messages, and gives them ids in the order of time. */
  async fill(
    messages: AsyncIterable<NeutralMessage>,
    report: ImportReport,
    read: (count: number) => void,
  ): Promise<void> {
    const insert = this.#db.prepare('INSERT OR IGNORE INTO messages (key, sent_at, channel, data) VALUES (?, ?, ?, ?)');
    const insertFile = this.#db.prepare('INSERT OR IGNORE INTO files (key, data) VALUES (?, ?)');
    this.#db.exec('BEGIN');
    for await (const message of messages) {
      const { key, sentAt, channel, files, sender } = message;
      if (insert.run(key, sentAt, channel, JSON.stringify(message)).changes === 0) {
        report.skip('Messages that the archive has twice', key);
        continue;
      }
      for (const file of files) insertFile.run(file.key, JSON.stringify({ ...file, owner: sender, createdAt: sentAt }));
      this.#messages += 1;
      if (this.#messages % INSERTS_PER_COMMIT !== 0) continue;
      this.#db.exec('COMMIT; BEGIN');
      read(this.#messages);
    }
    this.#db.exec(
      'COMMIT; INSERT INTO ordered (id, seq) SELECT row_number() OVER (ORDER BY sent_at, seq), seq FROM messages',
    );
  }

  /** In the order of their ids. */
  *inOrder(after: number): Generator<StagedMessage> {
    const rows = this.#db
      .prepare('SELECT o.id, m.data FROM ordered o JOIN messages m ON m.seq = o.seq WHERE o.id > ? ORDER BY o.id')
      .iterate(after);
    for (const { id, data } of rows) yield { ...JSON.parse(String(data)), id: Number(id) };
  }

  byKey(key: string): StagedMessage | undefined {
    const row = this.#db
      .prepare('SELECT o.id, m.data FROM messages m JOIN ordered o ON o.seq = m.seq WHERE m.key = ?')
      .get(key);
    return row && { ...JSON.parse(String(row.data)), id: Number(row.id) };
  }

  /** The first message of each channel. */
  firstMessages(): ReadonlyMap<string, number> {
    const rows = this.#db
      .prepare(
        'SELECT m.channel, min(o.id) AS id FROM messages m JOIN ordered o ON o.seq = m.seq WHERE m.channel IS NOT NULL GROUP BY 1',
      )
      .all();
    return new Map(rows.map(({ channel, id }) => [String(channel), Number(id)]));
  }

  /** Adds a conversation, or finds it, and returns its id. */
  conversation(participants: readonly number[]): number {
    const list = participants.join(',');
    this.#db.prepare('INSERT OR IGNORE INTO conversations (participants) VALUES (?)').run(list);
    return Number(this.#db.prepare('SELECT id FROM conversations WHERE participants = ?').get(list)?.id);
  }

  *conversations(after: number): Generator<{ readonly id: number; readonly participants: readonly number[] }> {
    for (const row of this.#db
      .prepare('SELECT id, participants FROM conversations WHERE id > ? ORDER BY id')
      .iterate(after)) {
      yield { id: Number(row.id), participants: String(row.participants).split(',').map(Number) };
    }
  }

  *files(after: number): Generator<StagedFile> {
    for (const row of this.#db.prepare('SELECT id, data FROM files WHERE id > ? ORDER BY id').iterate(after)) {
      yield { ...JSON.parse(String(row.data)), id: Number(row.id) };
    }
  }

  file(key: string): StagedFile | undefined {
    const row = this.#db.prepare('SELECT id, data FROM files WHERE key = ?').get(key);
    return row && { ...JSON.parse(String(row.data)), id: Number(row.id) };
  }

  close(): void {
    this.#db.close();
    rmSync(this.#path, { force: true });
  }
}
