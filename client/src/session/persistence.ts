/** Keeps the store up to date with the journal, in batches. */
import type { Problem } from './consumer.ts';
import type { Journal } from './journal.ts';
import type { Position } from './position.ts';
import type { ExtraChanges, SaveOptions, SessionStore, StoreChange, StoredPosition } from './store.ts';

/** Events of this time are written together, in milliseconds. */
const WRITE_EVERY_MS = 1_000;
/** A store with more events gets a new state. Replaying them would take longer than reading it. */
const MAX_STORED_EVENTS = 2_000;
/** The same for the size of the events, in characters of JSON. */
const MAX_STORED_CHARACTERS = 4 * 1024 * 1024;
/** The session writes when the browser is idle, or after this time, in milliseconds. */
const MAX_IDLE_WAIT_MS = 5_000;

export interface PersistenceOptions {
  readonly store: SessionStore;
  readonly registration: string;
  readonly journal: Journal;
  /** Returns what the app wants to store since the last call. */
  readonly extra?: (() => ExtraChanges) | undefined;
  readonly onProblem: (problem: Problem) => void;
}

const NO_CHANGES: ExtraChanges = new Map();

/**
 * What this session does with the store.
 *
 * - `inactive`: Another session writes, or none does.
 * - `reading`: This session polls the queue, so it will write. Before, it reads where the store is.
 * - `writing`: This session writes.
 * - `compacting`: This session writes. The store gets a new state as soon as the browser is idle.
 * - `broken`: The store failed. The session continues without it.
 */
type Phase = 'inactive' | 'reading' | 'writing' | 'compacting' | 'broken';

export class Persistence {
  readonly #options: PersistenceOptions;
  #phase: Phase = 'inactive';
  /** Where the store will be after the writes that have begun. Undefined if it has no usable content, or before it was read. */
  #expected: Position | undefined;
  /** What the last write left in the store. */
  #stored: StoredPosition | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of writes that have begun and not ended. */
  #pending = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: PersistenceOptions) {
    this.#options = options;
  }

  /** From now on this session writes. */
  activate(): void {
    this.#enter('reading');
    this.#readPosition();
  }

  /** From now on another session writes. Writes what is missing before. */
  async deactivate(options?: SaveOptions): Promise<void> {
    const written = this.flush(options);
    this.#enter('inactive');
    await written;
  }

  /** Writes soon. */
  schedule(): void {
    if (this.#phase === 'inactive' || this.#isBroken) return;
    // A large state takes tens of milliseconds, which a person would notice while they scroll.
    this.#timer ??= setTimeout(() => whenIdle(() => void this.flush()), WRITE_EVERY_MS);
  }

  /**
   * Writes what is missing. It asks the app for its entries and begins to write before it returns, so it works in a page
   * that closes. Resolves when all writes have ended.
   */
  flush(options: SaveOptions = {}): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#canWrite) {
      const change = this.#nextChange();
      if (change !== undefined) this.#begin(change, options);
      this.#compactIfFull();
    }
    return this.#writing;
  }

  /** Writes no more. Resolves when the last write has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#enter('inactive');
    await this.#writing;
  }

  /** Runs a function of the store. After an error, the session continues without it. */
  async guard(act: () => Promise<void>): Promise<void> {
    if (this.#isBroken) return;
    try {
      await act();
    } catch (error) {
      // Another function of the store failed meanwhile.
      if (this.#isBroken) return;
      this.#enter('broken');
      this.#options.onProblem({ kind: 'storage', error });
    }
  }

  /** A store that failed stays broken. */
  #enter(phase: Phase): void {
    if (!this.#isBroken) this.#phase = phase;
  }

  get #isBroken(): boolean {
    return this.#phase === 'broken';
  }

  get #canWrite(): boolean {
    return this.#phase === 'writing' || this.#phase === 'compacting';
  }

  #readPosition(): void {
    this.#writing = this.#writing.then(() =>
      this.guard(async () => {
        const stored = await this.#options.store.position();
        this.#stored = stored?.registration === this.#options.registration ? stored : undefined;
        this.#expected = this.#stored;
        if (this.#phase === 'reading') this.#enter('writing');
        this.schedule();
      }),
    );
  }

  #nextChange(): StoreChange | undefined {
    const { journal, extra: changes } = this.#options;
    const { position } = journal;
    if (position === undefined) return undefined;
    const after = this.#stored;
    const batch = this.#expected && journal.since(this.#expected);
    if (batch === undefined || after === undefined) return this.#replacement(journal.snapshot());
    // The app cannot state a new state. The content stays as it is, and the server has the events after it, or the next start registers.
    if (this.#isFull && !journal.canCompact) return undefined;
    const extra = changes?.() ?? NO_CHANGES;
    if (batch.lastEventId === batch.previousEventId && extra.size === 0) return undefined;
    return { kind: 'append', batch, after, extra };
  }

  #replacement(snapshot: ReturnType<Journal['snapshot']>): StoreChange | undefined {
    if (snapshot === undefined) return undefined;
    const { registration, extra } = this.#options;
    return { kind: 'replace', registration, snapshot, after: this.#stored, extra: extra?.() ?? NO_CHANGES };
  }

  #begin(change: StoreChange, options: SaveOptions = {}): void {
    const { queueId, lastEventId } = change.kind === 'replace' ? change.snapshot : change.batch;
    this.#expected = { queueId, lastEventId };
    // A page that is closing waits for nothing. The store executes the writes in order.
    const isFree = this.#pending === 0 || options.isClosing;
    const saved = isFree ? this.#save(change, options) : this.#writing.then(() => this.#save(change, options));
    this.#pending += 1;
    this.#writing = Promise.all([this.#writing, saved]).then(() => {
      this.#pending -= 1;
    });
  }

  #save(change: StoreChange, options: SaveOptions): Promise<void> {
    return this.guard(async () => {
      // The write before may have replaced the events since the change was made.
      const current = change.kind === 'append' ? { ...change, after: this.#stored ?? change.after } : change;
      const stored = await this.#options.store.save(current, options);
      this.#stored = stored;
      if (stored === undefined) this.#startOver();
      else if (change.kind === 'replace') this.#options.journal.releaseBase();
      else this.#compactIfFull();
    });
  }

  /** Another session wrote meanwhile. The next write replaces everything. */
  #startOver(): void {
    this.#expected = undefined;
    this.schedule();
  }

  get #isFull(): boolean {
    const { events = 0, size = 0 } = this.#stored ?? {};
    return events > MAX_STORED_EVENTS || size > MAX_STORED_CHARACTERS;
  }

  #compactIfFull(): void {
    if (this.#phase !== 'writing' || !this.#isFull || !this.#options.journal.canCompact) return;
    this.#enter('compacting');
    whenIdle(() => {
      if (this.#phase !== 'compacting') return;
      this.#enter('writing');
      const change = this.#replacement(this.#options.journal.compacted());
      if (change !== undefined) this.#begin(change);
    });
  }
}

/** Only some browsers can say when they are idle. */
function whenIdle(act: () => void): void {
  const request = (globalThis as { requestIdleCallback?: (act: () => void, options: { timeout: number }) => void })
    .requestIdleCallback;
  if (request === undefined) setTimeout(act, 0);
  else request(act, { timeout: MAX_IDLE_WAIT_MS });
}
