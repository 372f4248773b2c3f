/** Where a session keeps its queue between two visits. */
import type { EventBatch, Position, Snapshot } from './position.ts';

/** What a store has of the session of one account. */
export interface StoredSession {
  /** The registration of the queue, as text. A client with another registration cannot use the queue. */
  readonly registration: string;
  readonly snapshot: Snapshot;
  /** What the app stored together with the events. It belongs to the position `snapshot.lastEventId`. */
  readonly extra: ReadonlyMap<string, unknown>;
}

/** How far the stored events go. */
export interface StoredPosition extends Position {
  readonly registration: string;
  /** The number of stored events after the stored state. */
  readonly events: number;
  /** Their size in characters of JSON. */
  readonly size: number;
}

/** A change of the extra entries. A value of `undefined` deletes an entry. */
export type ExtraChanges = ReadonlyMap<string, unknown>;

/** The next content of the store, written at once or not at all. */
export type StoreChange =
  /** Replaces the state and the events. Entries of `extra` of another queue are deleted. */
  | {
      readonly kind: 'replace';
      readonly registration: string;
      readonly snapshot: Snapshot;
      /** Where the store was after the last write, if it had a usable content. */
      readonly after: StoredPosition | undefined;
      readonly extra: ExtraChanges;
    }
  /** Appends events. */
  | {
      readonly kind: 'append';
      readonly batch: EventBatch;
      readonly after: StoredPosition;
      readonly extra: ExtraChanges;
    };

export interface SaveOptions {
  /** The page is closing, so the write cannot wait for an answer of the store. */
  readonly isClosing?: boolean;
}

/**
 * A store for one account. Each function may reject: then the session continues without a store. Only one session writes at a time,
 * except if tabs cannot share a queue, or one was frozen. `save` refuses to append to another position, and `load` returns nothing if the events do
 * not follow each other.
 */
export interface SessionStore {
  load(): Promise<StoredSession | undefined>;
  position(): Promise<StoredPosition | undefined>;
  /** Returns the new position. Returns undefined, and changes nothing, if the store is not at `batch.previousEventId` of the queue. */
  save(change: StoreChange, options?: SaveOptions): Promise<StoredPosition | undefined>;
  /** Entries that do not depend on the queue, for example messages that are not sent yet. Any tab may write them. */
  loadKept(): Promise<ReadonlyMap<string, unknown>>;
  /** Stores an entry; `undefined` deletes it. */
  keep(key: string, value: unknown): Promise<void>;
  /** Deletes what came from the server. The kept entries stay. */
  clearReceived(): Promise<void>;
  /** Deletes everything of the account. */
  clear(): Promise<void>;
}
