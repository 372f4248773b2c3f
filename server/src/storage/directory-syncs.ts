import { open } from 'node:fs/promises';

interface Sync {
  readonly running: Promise<void>;
  /** Begins when the other has ended: what came meanwhile may have come too late for that. */
  next: Promise<void> | undefined;
}

/** Puts the names in directories on the disk: all who ask while one is being synced share the next time. */
export class DirectorySyncs {
  readonly #syncs = new Map<string, Sync>();

  /** Resolves when all names that the directory has now outlive the machine. */
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
