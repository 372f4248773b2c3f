/** The store of browsers: one IndexedDB database per account. */
import type { InitialState, ServerEvent } from '../calls/types.ts';
import { attempt, completed, deleteDatabase, openDatabase } from './indexed-db.ts';
import type { ExtraChanges, SessionStore, StoreChange, StoredPosition, StoredSession } from './store.ts';

/** Grows when the meaning of the content changes. A browser that runs an older version of the app then has no store. */
const VERSION = 1;
/** The object stores. `session` has the two entries below, `events` batches as JSON, the others the entries of the app. */
const STORES = ['session', 'events', 'extra', 'kept'] as const;
/** The key of the `StoredPosition` and the position of the base. */
const POSITION = 'position';
/** The key of the state, as JSON. Large objects are written and read faster as text. */
const STATE = 'state';

interface PositionEntry extends StoredPosition {
  /** The stored state is the one after this event. */
  readonly baseEventId: number;
}

export interface Account {
  /** The URL of the organization. */
  readonly url: string;
  readonly userId: number;
}

/** The name of everything that belongs to an account in this browser. */
export function accountName({ url, userId }: Account): string {
  return `heddle:${new URL(url).origin}:${userId}`;
}

export class IndexedDbStore implements SessionStore {
  readonly #name: string;
  #database: Promise<IDBDatabase> | undefined;
  /** Why the store no longer works. */
  #broken: Error | undefined;

  constructor(account: Account) {
    this.#name = accountName(account);
  }

  async load(): Promise<StoredSession | undefined> {
    const transaction = await this.#transaction('readonly');
    const session = transaction.objectStore('session');
    const extra = transaction.objectStore('extra');
    const [position, state, batches, keys, values] = await Promise.all([
      completed<PositionEntry | undefined>(session.get(POSITION)),
      completed<string | undefined>(session.get(STATE)),
      completed<string[]>(transaction.objectStore('events').getAll()),
      completed<IDBValidKey[]>(extra.getAllKeys()),
      completed<unknown[]>(extra.getAll()),
    ]);
    if (position === undefined || state === undefined) return undefined;
    const { registration, queueId, baseEventId, lastEventId } = position;
    return {
      registration,
      snapshot: {
        queueId,
        state: JSON.parse(state) as InitialState,
        previousEventId: baseEventId,
        lastEventId,
        events: batches.flatMap((batch) => JSON.parse(batch) as ServerEvent[]),
      },
      extra: entries(keys, values),
    };
  }

  async position(): Promise<StoredPosition | undefined> {
    const transaction = await this.#transaction('readonly');
    return completed<PositionEntry | undefined>(transaction.objectStore('session').get(POSITION));
  }

  async save(change: StoreChange): Promise<StoredPosition | undefined> {
    // JSON before the transaction, so that it is short.
    const { events } = change.kind === 'replace' ? change.snapshot : change.batch;
    const batch = events.length === 0 ? undefined : JSON.stringify(events);
    const state = change.kind === 'replace' ? JSON.stringify(change.snapshot.state) : undefined;
    const transaction = await this.#transaction('readwrite');
    const session = transaction.objectStore('session');
    const stored = await completed<PositionEntry | undefined>(session.get(POSITION));
    const next = positionAfter(change, stored, batch?.length ?? 0);
    if (next === undefined) return undefined;
    await attempt(transaction, () => {
      if (change.kind === 'replace') {
        session.put(state, STATE);
        transaction.objectStore('events').clear();
        if (stored?.queueId !== next.queueId) transaction.objectStore('extra').clear();
      }
      session.put(next, POSITION);
      if (batch !== undefined) transaction.objectStore('events').add(batch);
      writeAll(transaction.objectStore('extra'), change.extra);
    });
    return next;
  }

  async loadKept(): Promise<ReadonlyMap<string, unknown>> {
    const kept = (await this.#transaction('readonly')).objectStore('kept');
    const [keys, values] = await Promise.all([completed(kept.getAllKeys()), completed<unknown[]>(kept.getAll())]);
    return entries(keys, values);
  }

  async keep(key: string, value: unknown): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    await attempt(transaction, () => writeAll(transaction.objectStore('kept'), new Map([[key, value]])));
  }

  /** Other tabs may have the database open, so it is emptied first. The browser deletes it when they have closed it. */
  async clear(): Promise<void> {
    try {
      const transaction = await this.#transaction('readwrite');
      await attempt(transaction, () => {
        for (const name of STORES) transaction.objectStore(name).clear();
      });
    } finally {
      const database = await this.#database?.catch(() => undefined);
      database?.close();
      this.#database = undefined;
      await deleteDatabase(this.#name);
    }
  }

  async #transaction(mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    if (this.#broken !== undefined) throw this.#broken;
    this.#database ??= this.#open();
    return (await this.#database).transaction(STORES, mode);
  }

  async #open(): Promise<IDBDatabase> {
    const database = await openDatabase(this.#name, VERSION, STORES);
    // A tab with a newer version of the app upgrades the database, or a tab deletes it. It waits until all others have closed it.
    database.onversionchange = () => this.#giveUp(database, 'another tab changes the database');
    database.onclose = () => this.#giveUp(database, 'the browser closed the database');
    return database;
  }

  #giveUp(database: IDBDatabase, reason: string): void {
    database.close();
    this.#broken = new Error(`The storage of the browser is not available: ${reason}`);
  }
}

/** Undefined if the change does not follow what is stored. */
function positionAfter(
  change: StoreChange,
  stored: PositionEntry | undefined,
  size: number,
): PositionEntry | undefined {
  if (change.kind === 'replace') {
    const { queueId, previousEventId, lastEventId, events } = change.snapshot;
    const { registration } = change;
    return { registration, queueId, baseEventId: previousEventId, lastEventId, events: events.length, size };
  }
  const { queueId, previousEventId, lastEventId, events } = change.batch;
  if (stored?.queueId !== queueId || stored.lastEventId !== previousEventId) return undefined;
  return { ...stored, lastEventId, events: stored.events + events.length, size: stored.size + size };
}

function writeAll(store: IDBObjectStore, changes: ExtraChanges): void {
  for (const [key, value] of changes) {
    if (value === undefined) store.delete(key);
    else store.put(value, key);
  }
}

function entries(keys: readonly IDBValidKey[], values: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(keys.map((key, index) => [String(key), values[index]]));
}
