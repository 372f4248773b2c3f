import type pg from 'pg';
import type { Logger } from 'pino';
import { organizationSetting } from '../../access/organization-settings.ts';
import { isUnavailable } from '../../db/failures.ts';
import type { Organization } from '../../directory/organization.ts';
import type { PresenceBody } from './events.ts';
import { Journal } from './journal.ts';
import {
  loadPresences,
  type NewPresence,
  type PresenceRow,
  presencesAfter,
  writePresences,
  writeSeen,
} from './store.ts';
import {
  DAY_SECONDS,
  HIDDEN_AGE_SECONDS,
  MIN_REPORT_INTERVAL_SECONDS,
  type Presence,
  RETURN_THRESHOLD_SECONDS,
} from './timing.ts';

export interface Report {
  readonly userId: number;
  readonly isActive: boolean;
  readonly hasInput: boolean;
}

export interface PresencesOptions {
  readonly pool: pg.Pool;
  readonly organization: Organization;
  readonly log: Logger;
  /** Whether other processes write too. */
  readonly shared: boolean;
}

/** Milliseconds between two writes. The first change is written at once. */
const FLUSH_INTERVAL_MS = 1000;
/** Milliseconds between two reads of other processes' changes. Only requests cause such reads. */
const READ_INTERVAL_MS = 1000;
/** The precision of `seenAt` in seconds: half a day. */
const SEEN_PRECISION_SECONDS = DAY_SECONDS / 2;
/**
 * In larger organizations several users share an event. Older clients, which understand one user per event, then wait
 * for the response to their next report.
 */
const MAX_SINGLY_SENT_PRESENCES = 100;

/**
 * The presence of an organization's users, as this process knows it. Reports change memory. Once a second, one
 * statement writes and numbers the changes of all users. If the process dies, the next reports restore what is lost
 * within a minute. Bounded by the number of users.
 */
export class Presences {
  readonly #options: PresencesOptions;
  readonly #users = new Map<number, Presence>();
  readonly #seen = new Map<number, number>();
  readonly #journal = new Journal();
  #head = 0;
  #version = 0;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #changed = new Map<number, NewPresence>();
  /** The changes that are being written. */
  #writing: ReadonlyMap<number, NewPresence> = new Map();
  #newlySeen = new Map<number, number>();
  /** Users who are back, and not announced yet. */
  readonly #back = new Set<number>();
  #flushedAt = Number.NEGATIVE_INFINITY;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PresencesOptions) {
    this.#options = options;
    options.organization.onEvent((event) => {
      // The event can come from another process.
      if (event.type === 'presence' && event.body !== null) this.#hear(event.body as PresenceBody);
    });
  }

  /** The number of the last change. */
  get head(): number {
    return this.#head;
  }

  /** Increases with every change that a response can contain. */
  get version(): number {
    return this.#version;
  }

  /**
   * Resolves when this process knows all changes that are at least a second old. Returns undefined if it knows them
   * already, which is the usual case.
   */
  ready(): Promise<void> | undefined {
    if (!this.#isLoaded) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      return this.#loading;
    }
    if (!this.#options.shared || performance.now() - this.#lookedAt < READ_INTERVAL_MS) return undefined;
    this.#lookedAt = performance.now();
    return this.#look();
  }

  of(userId: number): Presence | undefined {
    return this.#users.get(userId);
  }

  all(): Iterable<readonly [userId: number, presence: Presence]> {
    return this.#users;
  }

  /** The users who changed after the update. */
  changedAfter(updateId: number): readonly number[] {
    return this.#journal.after(updateId);
  }

  /** When the user was last active, to half a day. It is known even for users who hide. */
  seenAt(userId: number): number | undefined {
    return this.#seen.get(userId);
  }

  /**
   * Handles a client's report. Most reports change nothing, because a user's clients report more often than the stored
   * times change.
   * @param now seconds since the epoch
   */
  report({ userId, isActive, hasInput }: Report, now: number): void {
    if (isActive || hasInput) this.see(userId, now);
    const before = this.#users.get(userId);
    const connects = before === undefined || now - before.connectedAt > MIN_REPORT_INTERVAL_SECONDS;
    const activeBefore = before?.activeAt ?? Number.NEGATIVE_INFINITY;
    const acts = isActive && now - activeBefore > MIN_REPORT_INTERVAL_SECONDS;
    if (!connects && !acts) return;
    const activeAt = acts ? now : (before?.activeAt ?? null);
    if (before === undefined || (isActive && now - activeBefore > RETURN_THRESHOLD_SECONDS)) this.#back.add(userId);
    this.#change(userId, { connectedAt: now, activeAt }, false);
  }

  /** The user shows or hides the own presence, and it is announced. */
  show(userId: number, isShown: boolean, now: number): void {
    this.#back.add(userId);
    if (isShown) this.#change(userId, { connectedAt: now, activeAt: now }, false);
    else this.#change(userId, { connectedAt: now - HIDDEN_AGE_SECONDS, activeAt: null }, true);
  }

  /** Notes that the user is active, without an announcement. */
  see(userId: number, now: number): void {
    const before = this.#seen.get(userId);
    if (before !== undefined && now - before < SEEN_PRECISION_SECONDS) return;
    this.#seen.set(userId, now);
    this.#newlySeen.set(userId, now);
    this.#flushSoon();
  }

  /** Writes and announces all changes without waiting for the next write. */
  async flush(): Promise<void> {
    while (this.#flushing !== undefined || this.#hasNews) {
      if (this.#flushing === undefined) {
        clearTimeout(this.#timer);
        this.#begin();
      }
      await this.#flushing;
    }
  }

  /** False after the pool has closed: then no one needs the changes. */
  get #hasNews(): boolean {
    return this.#changed.size + this.#newlySeen.size > 0 && !this.#options.pool.ending;
  }

  #change(userId: number, presence: Presence, hides: boolean): void {
    this.#users.set(userId, presence);
    const before = this.#changed.get(userId);
    const seenAt = this.#newlySeen.get(userId) ?? before?.seenAt ?? null;
    this.#newlySeen.delete(userId);
    this.#changed.set(userId, { userId, ...presence, seenAt, hides: hides || (before?.hides ?? false) });
    this.#version += 1;
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#timer !== undefined || this.#flushing !== undefined) return;
    const wait = this.#flushedAt + FLUSH_INTERVAL_MS - performance.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#begin(), wait);
      this.#timer.unref();
    } else this.#begin();
  }

  #begin(): void {
    this.#timer = undefined;
    this.#flushing = this.#flush().finally(() => {
      this.#flushing = undefined;
      this.#flushedAt = performance.now();
      if (this.#hasNews) this.#flushSoon();
    });
  }

  async #flush(): Promise<void> {
    const changed = this.#changed;
    const seen = this.#newlySeen;
    this.#writing = changed;
    this.#changed = new Map();
    this.#newlySeen = new Map();
    try {
      if (seen.size > 0) await this.#writeSeen(seen);
      if (changed.size > 0) await this.#writeChanged([...changed.values()]);
      await this.#announce();
    } catch (error) {
      for (const [userId, one] of changed) if (!this.#changed.has(userId)) this.#changed.set(userId, one);
      for (const [userId, at] of seen) if (!this.#newlySeen.has(userId)) this.#newlySeen.set(userId, at);
      // An outage has its own log line. After the pool has closed, no one needs the changes.
      if (!isUnavailable(error) && !this.#options.pool.ending)
        this.#options.log.warn({ err: error }, 'presence cannot be written');
    } finally {
      this.#writing = new Map();
    }
  }

  #writeSeen(seen: ReadonlyMap<number, number>): Promise<void> {
    const { pool, organization } = this.#options;
    return writeSeen(pool, organization.id, seen);
  }

  async #writeChanged(changed: readonly NewPresence[]): Promise<void> {
    const { pool, organization } = this.#options;
    const base = await writePresences(pool, organization.id, changed);
    if (base !== this.#head) return this.#look();
    for (const { userId } of changed) this.#journal.add(++this.#head, userId);
    this.#version += 1;
  }

  /** Announces users who are back. */
  async #announce(): Promise<void> {
    const { organization } = this.#options;
    const back = [...this.#back];
    if (back.length === 0) return;
    this.#back.clear();
    const { directory } = organization;
    if (organizationSetting(directory, 'presence_disabled')) return;
    const users = back.flatMap((userId) => {
      const presence = this.#users.get(userId);
      const user = directory.user(userId);
      if (presence === undefined || user === undefined || !user.isActive) return [];
      return [{ userId, email: user.email, joinedAt: user.joinedAt, ...presence }];
    });
    if (users.length === 0) return;
    const at = Date.now() / 1000;
    const groups = directory.users.size <= MAX_SINGLY_SENT_PRESENCES ? users.map((user) => [user]) : [users];
    await Promise.all(
      groups.map((some) => {
        const body: PresenceBody = { at, users: some };
        return organization.announce({ type: 'presence', audience: { to: 'everyone' }, body });
      }),
    );
  }

  async #load(): Promise<void> {
    const { pool, organization } = this.#options;
    const { head, rows } = await loadPresences(pool, organization.id);
    this.#lookedAt = performance.now();
    this.#adopt(rows, head);
    this.#isLoaded = true;
  }

  async #look(): Promise<void> {
    const { pool, organization } = this.#options;
    const { head, rows } = await presencesAfter(pool, organization.id, this.#head);
    this.#adopt(rows, head);
  }

  /** Adopts rows, except for users with a newer change that is not written yet. */
  #adopt(rows: readonly PresenceRow[], known: number): void {
    let head = known;
    for (const { userId, updateId, connectedAt, activeAt, seenAt } of rows.toSorted(
      (a, b) => a.updateId - b.updateId,
    )) {
      if (seenAt !== null) this.#seen.set(userId, Math.max(seenAt, this.#seen.get(userId) ?? 0));
      if (connectedAt === null || updateId <= this.#head) continue;
      if (!this.#isUnwritten(userId)) this.#users.set(userId, { connectedAt, activeAt });
      this.#journal.add(updateId, userId);
      head = Math.max(head, updateId);
    }
    this.#head = Math.max(this.#head, head);
    this.#version += 1;
  }

  #isUnwritten(userId: number): boolean {
    return this.#changed.has(userId) || this.#writing.has(userId);
  }

  #hear({ users }: PresenceBody): void {
    for (const { userId, connectedAt, activeAt } of users) {
      if (!this.#isLoaded || this.#isUnwritten(userId)) continue;
      const known = this.#users.get(userId);
      if (known?.connectedAt === connectedAt && known.activeAt === activeAt) continue;
      this.#users.set(userId, { connectedAt, activeAt });
      this.#version += 1;
    }
  }
}
