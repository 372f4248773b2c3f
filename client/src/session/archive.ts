/** Messages of conversations that an app does not hold, and still wants to show without a network. */
import type { MessageRecord } from '../model/messages/message-record.ts';
import { completed, write } from './indexed-db.ts';
import { type Account, accountName, openAccount } from './indexed-db-store.ts';

/** The most that the archive takes. With the state and the events, an account takes at most 50 MB. */
const MAX_ARCHIVE_BYTES = 40 * 1024 * 1024;

/** The object store. A logout and the end of the login empty it with the others. */
const STORE = 'archive';
/** The key of the list of conversations. Those of the conversations begin with `CONVERSATION`, those of other entries with `ENTRY`. */
const LIST = 'list';
const CONVERSATION = 'conversation ';
const ENTRY = 'entry ';

/** A contiguous range of the messages of a conversation. */
export interface ArchivedRange {
  readonly records: readonly MessageRecord[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** What the list has of a conversation. */
export interface ArchiveRow {
  readonly key: string;
  /** Null for a direct conversation. */
  readonly channelId: number | null;
  /** The ids of the oldest and the newest message. */
  readonly first: number;
  readonly last: number;
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * The archive of an account in this browser. What it has may be older than the event queue, so an app shows it only until the server responds.
 * Each function rejects if the storage does not work. All tabs may use it.
 */
export class Archive {
  readonly #name: string;
  #database: Promise<IDBDatabase> | undefined;

  constructor(account: Account) {
    this.#name = accountName(account);
  }

  /** The conversations, the oldest first. */
  async list(): Promise<readonly ArchiveRow[]> {
    return rowsIn((await this.#transaction('readonly')).objectStore(STORE));
  }

  async load(key: string): Promise<ArchivedRange | undefined> {
    const store = (await this.#transaction('readonly')).objectStore(STORE);
    return decoded(await completed<Uint8Array<ArrayBuffer> | undefined>(store.get(CONVERSATION + key)));
  }

  /** Stores a conversation. If the archive takes too much then, the oldest ones leave it. */
  async save(key: string, channelId: number | null, range: ArchivedRange): Promise<void> {
    const first = range.records[0]?.id;
    const last = range.records.at(-1)?.id;
    if (first === undefined || last === undefined) return;
    const bytes = new TextEncoder().encode(JSON.stringify(range));
    const row: ArchiveRow = { key, channelId, first, last, at: Date.now(), size: bytes.length };
    await this.#change((rows) => fitting([...rows.filter((one) => one.key !== key), row]), new Map([[key, bytes]]));
  }

  async drop(keys: ReadonlySet<string>): Promise<void> {
    if (keys.size > 0) await this.#change((rows) => rows.filter(({ key }) => !keys.has(key)));
  }

  /** Another entry of the app. It is small and does not count. */
  async loadEntry(name: string): Promise<unknown> {
    const store = (await this.#transaction('readonly')).objectStore(STORE);
    return completed<unknown>(store.get(ENTRY + name));
  }

  async saveEntry(name: string, value: unknown): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    await write(transaction, () => transaction.objectStore(STORE).put(value, ENTRY + name));
  }

  /** Replaces the list. Conversations that are no longer in it are deleted. */
  async #change(
    next: (rows: readonly ArchiveRow[]) => readonly ArchiveRow[],
    added: ReadonlyMap<string, Uint8Array<ArrayBuffer>> = new Map(),
  ): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const store = transaction.objectStore(STORE);
    const before = await rowsIn(store);
    await write(transaction, () => {
      const after = next(before);
      const keys = new Set(after.map(({ key }) => key));
      for (const { key } of before) if (!keys.has(key)) store.delete(CONVERSATION + key);
      for (const [key, bytes] of added) if (keys.has(key)) store.put(bytes, CONVERSATION + key);
      store.put(after, LIST);
    });
  }

  async #transaction(mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    this.#database ??= this.#open();
    return (await this.#database).transaction(STORE, mode);
  }

  async #open(): Promise<IDBDatabase> {
    const database = await openAccount(this.#name);
    // A logout deletes the database, and a newer version of the app upgrades it. Both wait until all others have closed it.
    database.onversionchange = () => database.close();
    return database;
  }
}

async function rowsIn(store: IDBObjectStore): Promise<readonly ArchiveRow[]> {
  return (await completed<readonly ArchiveRow[] | undefined>(store.get(LIST))) ?? [];
}

/** The newest rows that fit. `rows` are in the order in which they were stored. */
export function fitting(rows: readonly ArchiveRow[], maxBytes = MAX_ARCHIVE_BYTES): readonly ArchiveRow[] {
  let excess = rows.reduce((sum, { size }) => sum + size, 0) - maxBytes;
  return rows.filter(({ size }) => {
    if (excess <= 0) return true;
    excess -= size;
    return false;
  });
}

function decoded(bytes: Uint8Array<ArrayBuffer> | undefined): ArchivedRange | undefined {
  return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as ArchivedRange);
}
