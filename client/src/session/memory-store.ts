import type { Position, Snapshot } from './position.ts';
import type { ExtraChanges, SessionStore, StoreChange, StoredPosition, StoredSession } from './store.ts';

/**
 * A store for programs. A session that starts again in the same process continues with the queue of the last one. So it
 * misses no event in between.
 */
export class MemoryStore implements SessionStore {
  #session: { registration: string; snapshot: Snapshot; size: number } | undefined;
  #extra = new Map<string, unknown>();
  readonly #kept = new Map<string, unknown>();

  async load(): Promise<StoredSession | undefined> {
    if (this.#session === undefined) return undefined;
    const { registration, snapshot } = this.#session;
    return { registration, snapshot, extra: new Map(this.#extra) };
  }

  async position(): Promise<StoredPosition | undefined> {
    if (this.#session === undefined) return undefined;
    const { registration, size, snapshot } = this.#session;
    const { queueId, lastEventId, events } = snapshot;
    return { registration, queueId, lastEventId, events: events.length, size };
  }

  async save(change: StoreChange): Promise<StoredPosition | undefined> {
    if (change.kind === 'replace') {
      const { registration, snapshot } = change;
      if (this.#session?.snapshot.queueId !== snapshot.queueId) this.#extra = new Map();
      this.#session = { registration, snapshot, size: sizeOf(snapshot.events) };
    } else {
      const { batch } = change;
      const session = this.#session;
      if (session === undefined || !isAt(session.snapshot, batch)) return undefined;
      const { snapshot } = session;
      const events = [...snapshot.events, ...batch.events];
      this.#session = {
        registration: session.registration,
        snapshot: { ...snapshot, lastEventId: batch.lastEventId, events },
        size: session.size + sizeOf(batch.events),
      };
    }
    this.#change(change.extra);
    return this.position();
  }

  async loadKept(): Promise<ReadonlyMap<string, unknown>> {
    return new Map(this.#kept);
  }

  async keep(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#kept.delete(key);
    else this.#kept.set(key, value);
  }

  async clearReceived(): Promise<void> {
    this.#session = undefined;
    this.#extra.clear();
  }

  async clear(): Promise<void> {
    await this.clearReceived();
    this.#kept.clear();
  }

  #change(changes: ExtraChanges): void {
    for (const [key, value] of changes) {
      if (value === undefined) this.#extra.delete(key);
      else this.#extra.set(key, value);
    }
  }
}

function isAt(stored: Position, { queueId, previousEventId }: { queueId: string; previousEventId: number }): boolean {
  return stored.queueId === queueId && stored.lastEventId === previousEventId;
}

function sizeOf(events: readonly unknown[]): number {
  return events.length === 0 ? 0 : JSON.stringify(events).length;
}
