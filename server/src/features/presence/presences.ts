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
import { BACK_AFTER, DAY, HIDDEN_SINCE, LEAST_BETWEEN_REPORTS } from './timing.ts';

/** When a user was there; seconds since the epoch. */
export interface Presence {
  readonly connectedAt: number;
  /** When the user last did something; null: never. */
  readonly activeAt: number | null;
}

export interface Report {
  readonly userId: number;
  readonly isActive: boolean;
  readonly hasInput: boolean;
}

export interface PresencesOptions {
  readonly pool: pg.Pool;
  readonly organization: Organization;
  readonly log: Logger;
  /** Other processes write too. */
  readonly shared: boolean;
}

/** What has changed is written at once, and then for so long not again, in milliseconds. */
const FLUSH_EVERY = 1000;
/** So often what other processes have written is looked for, in milliseconds, where somebody asks. */
const LOOK_EVERY = 1000;
/** When somebody was seen is known to half a day. */
const SEEN_WITHIN = DAY / 2;
/** In larger organizations older clients, which are told of one user at a time, are not told at once when somebody is back. */
const MOST_TOLD_SINGLY = 100;

/**
 * Who is there in an organization, as this process knows it. Reports change memory; what changed by them is written once a second for all
 * users together, and numbered by that. What is lost with the process is told again by the next reports, a minute later. Bounded by the
 * number of users.
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
  /** Those of them that are on their way to the database. */
  #writing: ReadonlyMap<number, NewPresence> = new Map();
  #newlySeen = new Map<number, number>();
  /** Who is back, and not announced yet. */
  readonly #back = new Set<number>();
  #flushedAt = Number.NEGATIVE_INFINITY;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PresencesOptions) {
    this.#options = options;
    options.organization.onEvent((event) => {
      // Another process may have written it a moment ago.
      if (event.type === 'presence' && event.body !== null) this.#hear(event.body as PresenceBody);
    });
  }

  /** The last numbered change. */
  get head(): number {
    return this.#head;
  }

  /** Changes with everything that is told of anybody. */
  get version(): number {
    return this.#version;
  }

  /** Resolves when all is known that was written up to a second ago. Mostly at once: then it is no promise. */
  ready(): Promise<void> | undefined {
    if (!this.#isLoaded) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      return this.#loading;
    }
    if (!this.#options.shared || performance.now() - this.#lookedAt < LOOK_EVERY) return undefined;
    this.#lookedAt = performance.now();
    return this.#look();
  }

  of(userId: number): Presence | undefined {
    return this.#users.get(userId);
  }

  all(): Iterable<readonly [userId: number, presence: Presence]> {
    return this.#users;
  }

  /** Who changed after the update. */
  changedAfter(updateId: number): readonly number[] {
    return this.#journal.after(updateId);
  }

  /** When the user was last seen to do something; to half a day, and also where nobody is told of it. */
  seenAt(userId: number): number | undefined {
    return this.#seen.get(userId);
  }

  /**
   * Takes a client's report, which mostly changes nothing: somebody's clients report more often than what is told of them changes.
   * @param now seconds since the epoch
   */
  report({ userId, isActive, hasInput }: Report, now: number): void {
    if (isActive || hasInput) this.see(userId, now);
    const before = this.#users.get(userId);
    const connects = before === undefined || now - before.connectedAt > LEAST_BETWEEN_REPORTS;
    const activeBefore = before?.activeAt ?? Number.NEGATIVE_INFINITY;
    const acts = isActive && now - activeBefore > LEAST_BETWEEN_REPORTS;
    if (!connects && !acts) return;
    const activeAt = acts ? now : (before?.activeAt ?? null);
    if (before === undefined || (isActive && now - activeBefore > BACK_AFTER)) this.#back.add(userId);
    this.#change(userId, { connectedAt: now, activeAt }, false);
  }

  /** The user shows themselves again, or hides: everybody is told. */
  show(userId: number, isShown: boolean, now: number): void {
    this.#back.add(userId);
    if (isShown) this.#change(userId, { connectedAt: now, activeAt: now }, false);
    else this.#change(userId, { connectedAt: now - HIDDEN_SINCE, activeAt: null }, true);
  }

  /** Notes that the user does something, without telling anybody. */
  see(userId: number, now: number): void {
    const before = this.#seen.get(userId);
    if (before !== undefined && now - before < SEEN_WITHIN) return;
    this.#seen.set(userId, now);
    this.#newlySeen.set(userId, now);
    this.#flushSoon();
  }

  /** Writes and announces what has changed without waiting for its turn. */
  async flush(): Promise<void> {
    while (this.#flushing !== undefined || this.#hasNews) {
      if (this.#flushing === undefined) {
        clearTimeout(this.#timer);
        this.#begin();
      }
      await this.#flushing;
    }
  }

  /** Not when the rooms are being closed: then nobody asks any more. */
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
    const wait = this.#flushedAt + FLUSH_EVERY - performance.now();
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
      // An outage has its own line in the log.
      if (!isUnavailable(error)) this.#options.log.warn({ err: error }, 'presence cannot be written');
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

  /** Tells everybody who is back. */
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
    const told = directory.users.size <= MOST_TOLD_SINGLY ? users.map((user) => [user]) : [users];
    await Promise.all(
      told.map((some) => {
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

  /** What rows say, but where something newer has not been written yet. */
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
