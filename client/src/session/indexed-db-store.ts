/** The store of browsers: one IndexedDB database per account. */
import type { InitialState, ServerEvent } from '../calls/types.ts';
import { completed, deleteDatabase, openDatabase, write } from './indexed-db.ts';
import type { EventBatch, Position } from './position.ts';
import type { ExtraChanges, SaveOptions, SessionStore, StoreChange, StoredPosition, StoredSession } from './store.ts';

/** Grows when the meaning of the content changes. A browser that runs an older version of the app then has no store. */
const STORE_VERSION = 2;
/** What came from the server: `session` has the two entries below, `events` the batches, `extra` entries of the app, `archive` is of the archive. */
const RECEIVED = ['session', 'events', 'extra', 'archive'] as const;
/** The object stores. `kept` has the other entries of the app, for example what is not sent yet. */
const STORES = [...RECEIVED, 'kept'] as const;
/** The key of the `StoredPosition`. */
const POSITION = 'position';
/** The key of the `StateEntry`. */
const STATE = 'state';

/** A state. As text it is written and read faster than as an object. */
interface StateEntry extends Position {
  readonly json: string;
}

/** A batch of events. */
interface BatchEntry extends Omit<EventBatch, 'events'> {
  /** The events. */
  readonly json: string;
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

/** Opens the database of an account. */
export function openAccount(name: string): Promise<IDBDatabase> {
  return openDatabase(name, STORE_VERSION, STORES, 'kept');
}

export class IndexedDbStore implements SessionStore {
  readonly #name: string;
  #database: Promise<IDBDatabase> | undefined;
  #isCleared = false;
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
      completed<StoredPosition | undefined>(session.get(POSITION)),
      completed<StateEntry | undefined>(session.get(STATE)),
      completed<BatchEntry[]>(transaction.objectStore('events').getAll()),
      completed<IDBValidKey[]>(extra.getAllKeys()),
      completed<unknown[]>(extra.getAll()),
    ]);
    if (position === undefined || state === undefined || !isConsistent(position, state, batches)) return undefined;
    return {
      registration: position.registration,
      snapshot: {
        queueId: position.queueId,
        state: JSON.parse(state.json) as InitialState,
        previousEventId: state.lastEventId,
        lastEventId: position.lastEventId,
        events: batches.flatMap(({ json }) => JSON.parse(json) as ServerEvent[]),
      },
      extra: entries(keys, values),
    };
  }

  async position(): Promise<StoredPosition | undefined> {
    const transaction = await this.#transaction('readonly');
    return completed<StoredPosition | undefined>(transaction.objectStore('session').get(POSITION));
  }

  async save(change: StoreChange, { isClosing = false }: SaveOptions = {}): Promise<StoredPosition | undefined> {
    // JSON before the transaction, so that it is short.
    const { queueId, previousEventId, lastEventId, events } =
      change.kind === 'replace' ? change.snapshot : change.batch;
    const batch: BatchEntry = { queueId, previousEventId, lastEventId, json: JSON.stringify(events) };
    const next = positionAfter(change, batch);
    const state: StateEntry | undefined =
      change.kind === 'replace'
        ? { queueId, lastEventId: previousEventId, json: JSON.stringify(change.snapshot.state) }
        : undefined;
    const transaction = await this.#transaction('readwrite');
    const session = transaction.objectStore('session');
    // A page that closes gets no answers any more. Then `load` finds out whether the change fitted.
    if (change.kind === 'append' && !isClosing) {
      const stored = await completed<StoredPosition | undefined>(session.get(POSITION));
      if (!isAt(stored, batch)) return undefined;
    }
    await write(transaction, () => {
      if (state !== undefined) {
        session.put(state, STATE);
        transaction.objectStore('events').clear();
        if (change.after?.queueId !== queueId) transaction.objectStore('extra').clear();
      }
      session.put(next, POSITION);
      if (lastEventId > previousEventId) transaction.objectStore('events').add(batch);
      writeAll(transaction.objectStore('extra'), change.extra);
      if (isClosing) transaction.commit();
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
    await write(transaction, () => writeAll(transaction.objectStore('kept'), new Map([[key, value]])));
  }

  async clearReceived(): Promise<void> {
    if (this.#isCleared) return;
    const transaction = await this.#transaction('readwrite');
    await write(transaction, () => {
      for (const name of RECEIVED) transaction.objectStore(name).clear();
    });
  }

  /**
   * Other tabs may have the database open, so it is emptied first. The browser deletes it when they have closed it. The store takes nothing more.
   */
  async clear(): Promise<void> {
    if (this.#isCleared) return;
    this.#isCleared = true;
    try {
      const transaction = await this.#transaction('readwrite');
      await write(transaction, () => {
        for (const name of STORES) transaction.objectStore(name).clear();
      });
    } finally {
      const database = await this.#database?.catch(() => undefined);
      database?.close();
      this.#broken = new Error('The storage of the account is cleared');
      await deleteDatabase(this.#name);
    }
  }

  async #transaction(mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    if (this.#broken !== undefined) throw this.#broken;
    this.#database ??= this.#open();
    return (await this.#database).transaction(STORES, mode);
  }

  async #open(): Promise<IDBDatabase> {
    const database = await openAccount(this.#name);
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

function positionAfter(change: StoreChange, { queueId, lastEventId, json }: BatchEntry): StoredPosition {
  if (change.kind === 'replace') {
    const { registration, snapshot } = change;
    return { registration, queueId, lastEventId, events: snapshot.events.length, size: json.length };
  }
  const { after, batch } = change;
  return { ...after, lastEventId, events: after.events + batch.events.length, size: after.size + json.length };
}

function isAt(stored: Position | undefined, { queueId, previousEventId }: BatchEntry): boolean {
  return stored?.queueId === queueId && stored.lastEventId === previousEventId;
}

/** Whether each batch follows the one before it, from the state to the position. */
function isConsistent(position: StoredPosition, state: StateEntry, batches: readonly BatchEntry[]): boolean {
  let last: Position = state;
  for (const batch of batches) {
    if (!isAt(last, batch)) return false;
    last = batch;
  }
  return last.queueId === position.queueId && last.lastEventId === position.lastEventId;
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
