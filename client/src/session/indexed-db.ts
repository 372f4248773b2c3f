/** Promises for IndexedDB. */

/** A browser that does not open a database within this time will not do so, in milliseconds. */
const OPEN_TIMEOUT_MS = 3_000;

/**
 * Opens or creates the database. Rejects if the browser has none, refuses, has a newer version, or does not respond.
 * @param lasting the store that keeps its content when the version grows
 */
export function openDatabase(
  name: string,
  version: number,
  stores: readonly string[],
  lasting: string,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error('The browser does not open its storage'));
    }, OPEN_TIMEOUT_MS);
    // The rest of an older version is of no use, and the server has it.
    request.onupgradeneeded = () => {
      const database = request.result;
      const { objectStoreNames: names } = database;
      for (const store of names) if (store !== lasting) database.deleteObjectStore(store);
      for (const store of stores) {
        if (!names.contains(store)) database.createObjectStore(store, { autoIncrement: store === 'events' });
      }
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      if (isLate) request.result.close();
      else resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
}

/** Resolves even if other tabs still have the database open. The browser then deletes it later. */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onblocked = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

export function completed<Result>(request: IDBRequest): Promise<Result>;
export function completed<Result>(request: IDBRequest<Result>): Promise<Result>;
export function completed<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Writes in a transaction, and resolves when it is committed. If `act` throws, or the storage is full, nothing is written. */
export function write(transaction: IDBTransaction, act: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted'));
    try {
      act();
    } catch (error) {
      transaction.abort();
      reject(error);
    }
  });
}
