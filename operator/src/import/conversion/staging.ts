/** The content of an archive in a temporary SQLite database: it sorts and finds it, without the memory for all. */
import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ImportReport } from '../report.ts';
import { BlobStore } from './blob-store.ts';
import type { DetailsOf, NeutralDetails, NeutralMessage, NeutralUpload } from './neutral.ts';
import { RowStore } from './row-store.ts';

/** Inserts per transaction. */
const INSERTS_PER_COMMIT = 10_000;
/** SQLite's cache in KiB. */
const CACHE_KIB = 32_768;

export interface StagedMessage extends NeutralMessage {
  /** In the order of time, from 1. */
  readonly id: number;
}

export interface StagedFile extends NeutralUpload {
  readonly id: number;
}

/** Between two runs of messages that a subscriber of a channel with protected history received. */
export interface ReceivedRun {
  readonly user: string;
  readonly channel: string;
  /** Ids of the first and the last message. */
  readonly first: number;
  readonly last: number;
  /** Whether it contains the last message of the channel. */
  readonly isLast: boolean;
}

export class Staging {
  /** For rows that a format reads in another order than the archive has them. */
  readonly rows: RowStore;
  /** For files that an archive has in parts. */
  readonly blobs: BlobStore;
  readonly #path: string;
  readonly #db: DatabaseSync;
  #messages = 0;
  #hasDetails = false;

  /**
   * @param path of a file that does not exist
   * @param readRows called sometimes, with the number of rows
   */
  constructor(path: string, readRows: (count: number) => void) {
    this.#path = path;
    this.#db = new DatabaseSync(path);
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
      CREATE TABLE messages (seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, sent_at INTEGER NOT NULL, channel TEXT, thread TEXT, data TEXT NOT NULL);
      CREATE TABLE ordered (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE, sent_at INTEGER NOT NULL);
      CREATE TABLE details (seq INTEGER PRIMARY KEY, of TEXT NOT NULL, data TEXT NOT NULL);
      CREATE TABLE received (message TEXT NOT NULL, user TEXT NOT NULL, PRIMARY KEY (message, user)) WITHOUT ROWID;
      CREATE TABLE conversations (id INTEGER PRIMARY KEY, participants TEXT NOT NULL UNIQUE);
      CREATE TABLE files (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL)`);
    this.rows = new RowStore(this.#db, readRows);
    this.blobs = new BlobStore(this.#db);
  }

  get messages(): number {
    return this.#messages;
  }

  /** Files that need no message come first: they have owners and times of their own. */
  addUploads(uploads: Iterable<NeutralUpload>): void {
    const insert = this.#db.prepare('INSERT OR IGNORE INTO files (key, data) VALUES (?, ?)');
    for (const upload of uploads) insert.run(upload.key, JSON.stringify(upload));
  }

  /** Reads all messages, and gives them ids in the order of time. */
  async fill(
    messages: AsyncIterable<NeutralMessage | DetailsOf>,
    report: ImportReport,
    read: (count: number) => void,
  ): Promise<void> {
    const insert = this.#db.prepare(
      'INSERT OR IGNORE INTO messages (key, sent_at, channel, thread, data) VALUES (?, ?, ?, ?, ?)',
    );
    const insertFile = this.#db.prepare('INSERT OR IGNORE INTO files (key, data) VALUES (?, ?)');
    const insertDetails = this.#db.prepare('INSERT INTO details (of, data) VALUES (?, ?)');
    const insertReceived = this.#db.prepare('INSERT OR IGNORE INTO received (user, message) VALUES (?, ?)');
    let inserts = 0;
    this.#db.exec('BEGIN');
    for await (const one of messages) {
      inserts += 1;
      if ('of' in one) {
        const { of, receivedBy = [], ...details } = one;
        for (const user of receivedBy) insertReceived.run(user, of);
        if (Object.keys(details).length > 0) insertDetails.run(of, JSON.stringify(details));
      } else if (insert.run(one.key, one.sentAt, one.channel, one.thread ?? null, JSON.stringify(one)).changes === 0) {
        report.skip('Messages that the archive has twice', one.key);
        continue;
      } else {
        for (const file of one.files)
          insertFile.run(file.key, JSON.stringify({ ...file, owner: one.sender, createdAt: one.sentAt }));
        this.#messages += 1;
      }
      if (inserts % INSERTS_PER_COMMIT !== 0) continue;
      this.#db.exec('COMMIT; BEGIN');
      read(this.#messages);
    }
    this.#db.exec(`
      COMMIT;
      INSERT INTO ordered (id, seq, sent_at) SELECT row_number() OVER (ORDER BY sent_at, seq), seq, sent_at FROM messages;
      CREATE INDEX messages_by_channel ON messages (channel);
      CREATE INDEX messages_by_thread ON messages (thread, sent_at, seq) WHERE thread IS NOT NULL;
      CREATE INDEX details_by_message ON details (of, seq);
      CREATE INDEX ordered_by_time ON ordered (sent_at)`);
    this.#hasDetails = this.#db.prepare('SELECT 1 FROM details LIMIT 1').get() !== undefined;
    this.#reportLostDetails(report);
  }

  #reportLostDetails(report: ImportReport): void {
    if (!this.#hasDetails) return;
    const lost = this.#db.prepare('SELECT of FROM details WHERE of NOT IN (SELECT key FROM messages)').iterate();
    for (const { of } of lost)
      report.skip('Reactions, flags and widgets of messages that are not imported', String(of));
  }

  /** In the order of their ids. */
  *inOrder(after: number): Generator<StagedMessage> {
    const details = this.#db.prepare('SELECT data FROM details WHERE of = ? ORDER BY seq');
    const rows = this.#db
      .prepare('SELECT o.id, m.data FROM ordered o JOIN messages m ON m.seq = o.seq WHERE o.id > ? ORDER BY o.id')
      .iterate(after);
    for (const { id, data } of rows) {
      const message: NeutralMessage = JSON.parse(String(data));
      yield { ...(this.#hasDetails ? withDetails(message, details) : message), id: Number(id) };
    }
  }

  byKey(key: string): StagedMessage | undefined {
    const row = this.#db
      .prepare('SELECT o.id, m.data FROM messages m JOIN ordered o ON o.seq = m.seq WHERE m.key = ?')
      .get(key);
    return row && { ...JSON.parse(String(row.data)), id: Number(row.id) };
  }

  /** The first message of a thread, or its first reply if the archive does not have that. */
  beginningOf(thread: string): StagedMessage | undefined {
    const root = this.byKey(thread);
    if (root !== undefined) return root;
    const row = this.#db.prepare('SELECT key FROM messages WHERE thread = ? ORDER BY sent_at, seq LIMIT 1').get(thread);
    return row && this.byKey(String(row.key));
  }

  /** The last message until a time; 0 if there is none. */
  lastUntil(time: number): number {
    const row = this.#db.prepare('SELECT max(id) AS id FROM ordered WHERE sent_at <= ?').get(time);
    return Number(row?.id ?? 0);
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

  /** The runs of messages of a channel that its subscribers received, by user and in the order of time. */
  *receivedRuns(channel: string): Generator<ReceivedRun> {
    const rows = this.#db
      .prepare(`
        WITH numbered AS (
          SELECT m.key, o.id, row_number() OVER (ORDER BY o.id) AS n, count(*) OVER () AS total
            FROM messages m JOIN ordered o ON o.seq = m.seq WHERE m.channel = ?),
        got AS (
          SELECT r.user, c.id, c.n, c.total, c.n - row_number() OVER (PARTITION BY r.user ORDER BY c.n) AS run
            FROM numbered c CROSS JOIN received r ON r.message = c.key)
        SELECT user, min(id) AS first, max(id) AS last, max(n) = max(total) AS is_last
          FROM got GROUP BY user, run ORDER BY user, first`)
      .iterate(channel);
    for (const { user, first, last, is_last: isLast } of rows) {
      yield { user: String(user), channel, first: Number(first), last: Number(last), isLast: Number(isLast) === 1 };
    }
  }

  /** @param participantsOf returns no users if the message is not imported */
  fillConversations(participantsOf: (message: NeutralMessage) => readonly number[]): void {
    const insert = this.#db.prepare('INSERT OR IGNORE INTO conversations (participants) VALUES (?)');
    const rows = this.#db
      .prepare('SELECT m.data FROM ordered o JOIN messages m ON m.seq = o.seq WHERE m.channel IS NULL ORDER BY o.id')
      .iterate();
    for (const { data } of rows) {
      const participants = participantsOf(JSON.parse(String(data)));
      if (participants.length > 0) insert.run(participants.join(','));
    }
  }

  /** @param participants ascending */
  conversationOf(participants: readonly number[]): number | undefined {
    const row = this.#db.prepare('SELECT id FROM conversations WHERE participants = ?').get(participants.join(','));
    return row === undefined ? undefined : Number(row.id);
  }

  /** Each guest with each user of their conversations. */
  *acquaintances(guests: ReadonlySet<number>): Generator<readonly [number, number]> {
    if (guests.size === 0) return;
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS pairs (guest INTEGER, user INTEGER, PRIMARY KEY (guest, user)) WITHOUT ROWID',
    );
    const insert = this.#db.prepare('INSERT OR IGNORE INTO pairs (guest, user) VALUES (?, ?)');
    for (const { participants } of this.conversations(0)) {
      for (const guest of participants.filter((id) => guests.has(id)))
        for (const user of participants) if (user !== guest) insert.run(guest, user);
    }
    for (const { guest, user } of this.#db.prepare('SELECT guest, user FROM pairs ORDER BY guest, user').iterate())
      yield [Number(guest), Number(user)];
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

/** Lists of the same name are joined. */
function withDetails(message: NeutralMessage, found: StatementSync): NeutralMessage {
  const merged: Record<string, unknown[]> = {};
  for (const { data } of found.iterate(message.key)) {
    const details: NeutralDetails = JSON.parse(String(data));
    for (const [name, list] of Object.entries(details)) {
      const own = merged[name];
      if (own === undefined) merged[name] = [...(message[name as keyof NeutralDetails] ?? []), ...list];
      else own.push(...list);
    }
  }
  return { ...message, ...merged };
}
