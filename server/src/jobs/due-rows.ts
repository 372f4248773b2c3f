import type { Logger } from 'pino';
import { isUnavailable } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';

/** Rows of a feature's own table that say themselves when something is to be done with them. */
export interface DueKind {
  /** Unique among the kinds. */
  readonly name: string;
  /** One statement for all organizations, with an index of what is not done. */
  look(db: Db): Promise<DueNow>;
  /**
   * Does what is due in one organization, in commits of bounded size, each of which deletes or changes the rows that it is about: so it
   * happens once, whichever process is the first. Rows that another process has locked are left to it.
   * @param signal aborted when the process stops: begin no further commit
   * @returns whether anything was done
   * @throws what may succeed later
   */
  run(organizationId: number, signal: AbortSignal): Promise<boolean>;
}

export interface DueNow {
  /** Where something is due, the longest due first; of very many not all. */
  readonly organizationIds: readonly number[];
  /** Milliseconds until something else is due; null where nothing is. */
  readonly next: number | null;
}

/** How often to look for what other processes have written, in milliseconds; a little more or less each time. */
const LOOK_EVERY = 2000;
/** Organizations at once; one that can't be served now keeps a place for two seconds at most (db/waits.ts). */
const AT_ONCE = 4;
/** Where another process was the first, or what is due could not be done: so long until the next attempt, in milliseconds. */
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 30_000;

interface Pause {
  readonly until: number;
  readonly milliseconds: number;
}

/**
 * Does what is due at a moment that rows name, to the fraction of a second, together with all other processes of the database. Nothing
 * is written to find it: each process asks now and then, and at the moment that it knows of. An organization where it fails is
 * tried again after a pause of its own, which keeps no other waiting.
 */
export class DueRows {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #pauses = new Map<string, Pause>();
  #kinds: readonly DueKind[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends; milliseconds since the epoch. */
  #nextLook = 0;
  #looking: Promise<void> | undefined;
  #again = false;
  /** Whether the last look found anything due. */
  #isDue = false;

  constructor({ db, log }: { readonly db: Db; readonly log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  /** Begins. Before, and in processes that never begin, rows can be written all the same. */
  start(kinds: readonly DueKind[]): void {
    this.#kinds = kinds;
    this.wake();
  }

  /** Something is to be done then: say it when the row is committed. */
  expect(time: Date): void {
    if (this.#isIdle || time.getTime() >= this.#nextLook) return;
    if (this.#looking === undefined) this.#lookIn(Math.max(0, time.getTime() - Date.now()));
    else this.#again = true;
  }

  /** Looks at once. */
  wake(): void {
    if (this.#isIdle) return;
    this.#again = true;
    this.#looking ??= this.#look();
  }

  /** Does all that is due, and resolves when none of it is left. For tests. */
  async settled(): Promise<void> {
    do {
      this.#pauses.clear();
      this.wake();
      await this.#looking;
      await Promise.all(this.#running.values());
    } while (this.#isDue || this.#looking !== undefined || this.#running.size > 0);
  }

  /** Begins nothing more, and waits for what was begun, for so long. */
  async stop(withinMilliseconds: number): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    const giveUp = Promise.withResolvers<void>();
    const timer = setTimeout(giveUp.resolve, withinMilliseconds);
    await Promise.race([Promise.all([this.#looking, ...this.#running.values()]), giveUp.promise]);
    clearTimeout(timer);
  }

  get #isIdle(): boolean {
    return this.#kinds.length === 0 || this.#stopping.signal.aborted;
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    let wait = LOOK_EVERY * (0.8 + Math.random() * 0.4);
    try {
      while (this.#again && !this.#stopping.signal.aborted) {
        this.#again = false;
        this.#isDue = false;
        for (const kind of this.#kinds) {
          const { organizationIds, next } = await kind.look(this.#db);
          this.#isDue ||= organizationIds.length > 0;
          wait = Math.min(wait, next ?? wait, this.#beginAll(kind, organizationIds));
        }
      }
    } catch (error) {
      this.#tell(error, { err: error }, 'what is due cannot be looked for');
    }
    this.#looking = undefined;
    if (this.#again) this.wake();
    else this.#lookIn(wait);
  }

  #lookIn(milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#nextLook = Date.now() + milliseconds;
    this.#timer = setTimeout(() => this.wake(), milliseconds).unref();
  }

  /** Answers after how many milliseconds to look again for those that have a pause; what has no place now comes when one ends. */
  #beginAll(kind: DueKind, organizationIds: readonly number[]): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const organizationId of organizationIds) {
      const key = `${kind.name} ${organizationId}`;
      const pause = (this.#pauses.get(key)?.until ?? 0) - Date.now();
      if (pause > 0) soonest = Math.min(soonest, pause);
      else if (!this.#running.has(key) && this.#running.size < AT_ONCE) {
        const running = this.#run(kind, organizationId, key);
        this.#running.set(key, running);
      }
    }
    return soonest;
  }

  /** Never rejects. */
  async #run(kind: DueKind, organizationId: number, key: string): Promise<void> {
    // Not before the caller has noted it.
    await Promise.resolve();
    try {
      const isDone = await kind.run(organizationId, this.#stopping.signal);
      if (isDone) this.#pauses.delete(key);
      else this.#pause(key, FIRST_PAUSE);
    } catch (error) {
      const { milliseconds } = this.#pause(key, 2 * (this.#pauses.get(key)?.milliseconds ?? FIRST_PAUSE));
      const facts = { err: error, organization: organizationId, kind: kind.name, milliseconds };
      this.#tell(error, facts, 'what is due could not be done, and will be tried again');
    }
    this.#running.delete(key);
    this.wake();
  }

  /** An outage of the database is told once, for all who meet it (ARCHITECTURE.md, "Every wait has a bound"). */
  #tell(error: unknown, facts: object, message: string): void {
    this.#log[isUnavailable(error) ? 'debug' : 'warn'](facts, message);
  }

  #pause(key: string, milliseconds: number): Pause {
    const bounded = Math.min(milliseconds, LONGEST_PAUSE);
    const pause = { until: Date.now() + bounded, milliseconds: bounded };
    this.#pauses.set(key, pause);
    return pause;
  }
}
