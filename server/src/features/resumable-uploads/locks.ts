/**
 * One request at a time works on an upload, among all processes. The row of the upload names the holder for a few seconds at a time. So a
 * process that was killed or suspended loses the upload, and whatever it writes later fails (`takeOver`).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { type RawBuilder, sql } from 'kysely';
import { TIMEOUT_FACTOR, timeoutOf } from '../../config/timeout-factor.ts';
import type { AppContext } from '../../extension/app-context.ts';

/** How long a claim lasts without renewal, in seconds. */
const CLAIM_LIFETIME_SECONDS = 3 * TIMEOUT_FACTOR;
/** How often the holder renews its claim and learns whether others wait, in milliseconds. */
const RENEWAL_INTERVAL_MS = 1000;
/**
 * How often and how long a request waits for an upload, in milliseconds. The claim of a killed process has expired by then. Clients retry.
 */
const LOCK_POLL_MS = 200;
const MAX_LOCK_WAIT_MS = timeoutOf(5000);

/** Another request works on the upload and has not released it. */
export class UploadHeldError extends Error {
  override readonly name = 'UploadHeldError';
}

type LockContext = Pick<AppContext, 'db' | 'piecewise' | 'log'>;

export class UploadLocks implements Locker {
  readonly #app: LockContext;
  readonly #organizationId: () => number;
  /** The locks of this process. */
  readonly #held = new Map<string, UploadLock>();

  /** @param organizationId the organization of the current request */
  constructor(app: LockContext, organizationId: () => number) {
    this.#app = app;
    this.#organizationId = organizationId;
  }

  newLock(id: string): Lock {
    return new UploadLock({ id, organizationId: this.#organizationId() }, this.#app, this.#held);
  }

  /** @throws UploadHeldError if no request of this process may write to the upload any more */
  check(id: string): void {
    const lock = this.#held.get(id);
    lock?.checkHeld();
  }
}

class UploadLock implements Lock {
  readonly #id: string;
  readonly #organizationId: number;
  readonly #app: LockContext;
  readonly #held: Map<string, UploadLock>;
  readonly #name = randomUUID();
  readonly #released = Promise.withResolvers<void>();
  /** Ends the request that holds the lock. */
  #letGo: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isSaying = false;
  /** By the clock of `performance.now()`, which continues while a process is suspended. */
  #until = 0;

  constructor(
    { id, organizationId }: { readonly id: string; readonly organizationId: number },
    app: LockContext,
    held: Map<string, UploadLock>,
  ) {
    this.#id = id;
    this.#organizationId = organizationId;
    this.#app = app;
    this.#held = held;
  }

  /** @throws UploadHeldError if the claim of this request has expired */
  checkHeld(): void {
    if (!this.#isHeld) throw new UploadHeldError(`upload ${this.#id} was lost`);
  }

  get #isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** The condition that a row is that of the upload, in SQL. */
  get #row(): RawBuilder<boolean> {
    return sql<boolean>`organization_id = ${this.#organizationId} AND key = ${this.#id}`;
  }

  /** @throws UploadHeldError */
  async lock(signal: AbortSignal, letGo: () => void): Promise<void> {
    const deadline = performance.now() + MAX_LOCK_WAIT_MS;
    this.#letGo = letGo;
    for (;;) {
      const other = this.#held.get(this.#id);
      if (other === undefined) break;
      other.#letGo();
      const isOver = new AbortController();
      const late = after(Math.max(0, deadline - performance.now()), undefined, { signal: isOver.signal });
      await Promise.race([other.#released.promise, late.catch(() => undefined)]);
      isOver.abort();
      this.#checkWaiting(deadline, signal);
    }
    this.#held.set(this.#id, this);
    try {
      while (!(await this.#take())) {
        await after(LOCK_POLL_MS);
        this.#checkWaiting(deadline, signal);
      }
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async unlock(): Promise<void> {
    try {
      await sql`
        UPDATE resumable_uploads SET holder = NULL, held_until = NULL
         WHERE ${this.#row} AND holder = ${this.#name}`.execute(this.#app.db);
    } finally {
      this.#end();
    }
  }

  #checkWaiting(deadline: number, signal: AbortSignal): void {
    if (signal.aborted || performance.now() >= deadline) throw new UploadHeldError(`upload ${this.#id} is held`);
  }

  /** Whether this request now holds the upload. An upload without a row is not visible to others yet. */
  async #take(): Promise<boolean> {
    const { db, piecewise } = this.#app;
    const asked = performance.now();
    const { rows } = await sql<{ is_free: boolean; before: string | null }>`
      WITH found AS (
        SELECT holder, coalesce(held_until, '-infinity') < now() AS is_free
          FROM resumable_uploads WHERE ${this.#row} FOR UPDATE),
      taken AS (
        UPDATE resumable_uploads AS upload
           SET holder = CASE WHEN found.is_free THEN ${this.#name} ELSE upload.holder END,
               held_until = CASE WHEN found.is_free THEN now() + make_interval(secs => ${CLAIM_LIFETIME_SECONDS}) ELSE upload.held_until END,
               is_awaited = NOT found.is_free
          FROM found WHERE ${this.#row} AND (found.is_free OR NOT upload.is_awaited))
      SELECT is_free, holder AS before FROM found`.execute(db);
    const [row] = rows;
    if (row !== undefined && !row.is_free) return false;
    this.#until = asked + CLAIM_LIFETIME_SECONDS * 1000;
    this.#timer = setInterval(() => void this.#say(), RENEWAL_INTERVAL_MS).unref();
    if (row?.before != null) {
      await piecewise.takeOver(this.#id, () => this.checkHeld());
      this.checkHeld();
    }
    return true;
  }

  /** Renews the claim. An upload that was begun meanwhile has no holder yet. If renewal fails for too long, the claim expires. */
  async #say(): Promise<void> {
    if (!this.#isHeld) this.#letGo();
    if (!this.#isHeld || this.#isSaying) return;
    this.#isSaying = true;
    const asked = performance.now();
    try {
      const { rows } = await sql<{ is_awaited: boolean }>`
        UPDATE resumable_uploads SET holder = ${this.#name}, held_until = now() + make_interval(secs => ${CLAIM_LIFETIME_SECONDS})
         WHERE ${this.#row} AND (holder = ${this.#name} OR holder IS NULL)
        RETURNING is_awaited`.execute(this.#app.db);
      const [row] = rows;
      if (row !== undefined) this.#until = asked + CLAIM_LIFETIME_SECONDS * 1000;
      if (row?.is_awaited === true) this.#letGo();
    } catch (error) {
      this.#app.log.debug({ err: error }, 'an upload could not be held for longer');
    } finally {
      this.#isSaying = false;
    }
  }

  #end(): void {
    clearInterval(this.#timer);
    if (this.#held.get(this.#id) === this) this.#held.delete(this.#id);
    this.#released.resolve();
  }
}
