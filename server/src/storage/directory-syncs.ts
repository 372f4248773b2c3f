import { open } from 'node:fs/promises';

interface Sync {
  readonly running: Promise<void>;
  /** Starts when the running sync has ended, for names that may have been too late for that one. */
  next: Promise<void> | undefined;
}

/**
 * Syncs directories, so that the names in them are on the disk. Callers that arrive during a sync share the next one.
 */
export class DirectorySyncs {
  readonly #syncs = new Map<string, Sync>();

  /** Resolves when all names that are in the directory at the call survive a crash of the machine. */
  sync(path: string): Promise<void> {
    const known = this.#syncs.get(path);
    if (known !== undefined) {
      known.next ??= known.running.then(
        () => this.#begin(path),
        () => this.#begin(path),
      );
      return known.next;
    }
    return this.#begin(path);
  }

  #begin(path: string): Promise<void> {
    const sync: Sync = { running: syncDirectory(path), next: undefined };
    this.#syncs.set(path, sync);
    const ended = () => {
      if (sync.next === undefined) this.#syncs.delete(path);
    };
    sync.running.then(ended, ended);
    return sync.running;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
