/**
 * How readers learn that the model has changed. A reader subscribes to a subject, and reads the model again when it is
 * notified. Changes of one task are notified together, in a microtask.
 */

type Listener = () => void;

/** Subjects that changed since the last notification. */
const changed = new Set<{ notify(): void }>();

function schedule(subject: { notify(): void }): void {
  if (changed.size === 0) queueMicrotask(notifyAll);
  changed.add(subject);
}

function notifyAll(): void {
  const subjects = [...changed];
  changed.clear();
  for (const subject of subjects) subject.notify();
}

/** Something that readers can subscribe to. Its methods work without `this`, as `useSyncExternalStore` needs them. */
export interface Subscribable {
  /** Calls `listener` after each change. Returns a function that ends this. */
  readonly subscribe: (listener: Listener) => () => void;
  /** A number that grows with each change. */
  readonly read: () => number;
}

/** A part of the model that readers subscribe to as a whole. */
export class Subject implements Subscribable {
  readonly #listeners = new Set<Listener>();
  #version = 0;

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): number => this.#version;

  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  /** Call this after a change. */
  changed(): void {
    this.#version += 1;
    if (this.#listeners.size > 0) schedule(this);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** A keyed subject remembers the changes of about so many keys without readers. */
const MAX_VERSIONS = 10_000;

/** A part of the model that readers subscribe to by key, for example one message. */
export class KeyedSubject<Key> {
  readonly #listeners = new Map<Key, Set<Listener>>();
  /** Grows with each change of any key. */
  #version = 0;
  /** The version of the last change of each key. */
  readonly #versions = new Map<Key, number>();
  /** The version of keys that have no entry. */
  #oldest = 0;
  /** Keys that changed since the last notification. */
  readonly #changed = new Set<Key>();

  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  /** What readers of one key subscribe to. */
  of(key: Key): Subscribable {
    return {
      subscribe: (listener) => this.#subscribe(key, listener),
      read: () => this.#versions.get(key) ?? this.#oldest,
    };
  }

  /** Call this after a change of `key`. */
  changed(key: Key): void {
    this.#version += 1;
    this.#versions.set(key, this.#version);
    if (this.#versions.size > MAX_VERSIONS + 2 * this.#listeners.size) this.#forget();
    if (!this.#listeners.has(key)) return;
    this.#changed.add(key);
    schedule(this);
  }

  notify(): void {
    const keys = [...this.#changed];
    this.#changed.clear();
    for (const key of keys) for (const listener of [...(this.#listeners.get(key) ?? [])]) listener();
  }

  /** Drops the versions of keys without readers. Their version grows, so that a reader who has not subscribed yet misses no change. */
  #forget(): void {
    for (const key of this.#versions.keys()) if (!this.#listeners.has(key)) this.#versions.delete(key);
    this.#version += 1;
    this.#oldest = this.#version;
  }

  #subscribe(key: Key, listener: Listener): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(key, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }
}
