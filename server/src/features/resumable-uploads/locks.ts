/**
 * One request at a time works on an upload, whichever process has it: who works on it is written in its row, for a few seconds at a time. A
 * process that was killed or stands still loses it so; what it still writes goes nowhere (`takeOver`).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { sql } from 'kysely';
import type { Rooms } from '../rooms.ts';

/** How long an upload is held without a word of who holds it, in seconds. */
const HELD = 3;
/** How often who holds it says so, and hears whether others wait, in milliseconds. */
const SAID_EVERY = 1000;
/** How often who waits looks, and for how long, in milliseconds: what a killed process held is had by then. Clients try again. */
const LOOKED_EVERY = 200;
const LONGEST_WAIT = 5000;

/** Another request works on the upload, and has not let go of it. */
export class UploadHeldError extends Error {
  override readonly name = 'UploadHeldError';
}

type LockRooms = Pick<Rooms, 'db' | 'piecewise' | 'log'>;

export class UploadLocks implements Locker {
  readonly #rooms: LockRooms;
  /** Of this process. */
  readonly #held = new Map<string, UploadLock>();

  constructor(rooms: LockRooms) {
    this.#rooms = rooms;
  }

  newLock(id: string): Lock {
    return new UploadLock(id, this.#rooms, this.#held);
  }

  /** @throws UploadHeldError where no request of this process may write to the upload any more */
  check(id: string): void {
    const lock = this.#held.get(id);
    lock?.checkHeld();
  }
}

class UploadLock implements Lock {
  readonly #id: string;
  readonly #rooms: LockRooms;
  readonly #held: Map<string, UploadLock>;
  readonly #name = randomUUID();
  readonly #released = Promise.withResolvers<void>();
  /** What ends the request that holds it. */
  #letGo: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isSaying = false;
  /** On the clock of `performance.now()`, which goes on while a process stands still. */
  #until = 0;

  constructor(id: string, rooms: LockRooms, held: Map<string, UploadLock>) {
    this.#id = id;
    this.#rooms = rooms;
    this.#held = held;
  }

  /** @throws UploadHeldError where it is not this request's any more */
  checkHeld(): void {
    if (!this.#isHeld) throw new UploadHeldError(`upload ${this.#id} was lost`);
  }

  get #isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** @throws UploadHeldError */
  async lock(signal: AbortSignal, letGo: () => void): Promise<void> {
    const deadline = performance.now() + LONGEST_WAIT;
    this.#letGo = letGo;
    for (;;) {
      const other = this.#held.get(this.#id);
      if (other === undefined) break;
      other.#letGo();
      await Promise.race([other.#released.promise, after(Math.max(0, deadline - performance.now()))]);
      this.#checkWaiting(deadline, signal);
    }
    this.#held.set(this.#id, this);
    try {
      while (!(await this.#take())) {
        await after(LOOKED_EVERY);
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
         WHERE key = ${this.#id} AND holder = ${this.#name}`.execute(this.#rooms.db);
    } finally {
      this.#end();
    }
  }

  #checkWaiting(deadline: number, signal: AbortSignal): void {
    if (signal.aborted || performance.now() >= deadline) throw new UploadHeldError(`upload ${this.#id} is held`);
  }

  /** Whether the upload is this request's now. One that is not there, or not yet, nobody else knows of. */
  async #take(): Promise<boolean> {
    const { db, piecewise } = this.#rooms;
    const asked = performance.now();
    const { rows } = await sql<{ is_free: boolean; before: string | null }>`
      WITH found AS (
        SELECT holder, coalesce(held_until, '-infinity') < now() AS is_free
          FROM resumable_uploads WHERE key = ${this.#id} FOR UPDATE),
      taken AS (
        UPDATE resumable_uploads AS upload
           SET holder = CASE WHEN found.is_free THEN ${this.#name} ELSE upload.holder END,
               held_until = CASE WHEN found.is_free THEN now() + make_interval(secs => ${HELD}) ELSE upload.held_until END,
               is_awaited = NOT found.is_free
          FROM found WHERE upload.key = ${this.#id} AND (found.is_free OR NOT upload.is_awaited))
      SELECT is_free, holder AS before FROM found`.execute(db);
    const [row] = rows;
    if (row !== undefined && !row.is_free) return false;
    this.#until = asked + HELD * 1000;
    this.#timer = setInterval(() => void this.#say(), SAID_EVERY).unref();
    if (row?.before != null) {
      await piecewise.takeOver(this.#id, () => this.checkHeld());
      this.checkHeld();
    }
    return true;
  }

  /** Says that the upload is still held. One that was begun meanwhile is nobody's yet. Where saying so fails for long it is another's. */
  async #say(): Promise<void> {
    if (!this.#isHeld) this.#letGo();
    if (!this.#isHeld || this.#isSaying) return;
    this.#isSaying = true;
    const asked = performance.now();
    try {
      const { rows } = await sql<{ is_awaited: boolean }>`
        UPDATE resumable_uploads SET holder = ${this.#name}, held_until = now() + make_interval(secs => ${HELD})
         WHERE key = ${this.#id} AND (holder = ${this.#name} OR holder IS NULL)
        RETURNING is_awaited`.execute(this.#rooms.db);
      const [row] = rows;
      if (row !== undefined) this.#until = asked + HELD * 1000;
      if (row?.is_awaited === true) this.#letGo();
    } catch (error) {
      this.#rooms.log.debug({ err: error }, 'an upload could not be held for longer');
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
