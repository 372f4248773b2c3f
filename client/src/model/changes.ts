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

/** A part of the model that readers subscribe to by key, for example one message. */
export class KeyedSubject<Key> {
  readonly #listeners = new Map<Key, Set<Listener>>();
  /** How often each key changed. A key without changes has no entry. */
  readonly #versions = new Map<Key, number>();
  /** Keys that changed since the last notification. */
  readonly #changed = new Set<Key>();

  /** What readers of one key subscribe to. */
  of(key: Key): Subscribable {
    return {
      subscribe: (listener) => this.#subscribe(key, listener),
      read: () => this.#versions.get(key) ?? 0,
    };
  }

  /** Call this after a change of `key`. */
  changed(key: Key): void {
    this.#versions.set(key, (this.#versions.get(key) ?? 0) + 1);
    if (!this.#listeners.has(key)) return;
    this.#changed.add(key);
    schedule(this);
  }

  notify(): void {
    const keys = [...this.#changed];
    this.#changed.clear();
    for (const key of keys) for (const listener of [...(this.#listeners.get(key) ?? [])]) listener();
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
