import { setTimeout as after } from 'node:timers/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { changedNothing, isUnavailable, LostBeforeCommitError, lostLock } from '../db/failures.ts';
import { LOCK } from '../db/waits.ts';
import { isRefusal } from '../log/append.ts';
import { type Committed, commitLocked, commitOrdinary, type LockedLogChange, LostRowsError } from '../log/change.ts';
import type { LoggedEvent } from '../log/event.ts';
import { GroupCommit, type Outcome } from '../log/group-commit.ts';
import { endStalledHolders } from '../log/stalled.ts';
import type { Change, Hooks, OrdinaryChange } from './change.ts';
import type { Directory } from './directory.ts';
import { type GroupedKind, type Member, writeGroup } from './grouped-kinds.ts';
import { NoTurnError, OneAtATime } from './one-at-a-time.ts';

export type { GroupedKind, Verdict } from './grouped-kinds.ts';

/**
 * The transactions that change one organization, in this process. There are two modes.
 *
 * - An *exclusive* transaction acquires the organization lock first: the row of `logs`. It may change the directory,
 *   and the directory is exact until the commit.
 * - An *optimistic* transaction writes its own rows first. Its last statement acquires the organization lock, and fails
 *   if the directory has changed since the transaction began. It may not change the directory.
 *
 * | entry point | of `Organization` | mode | lock order | used for | retries |
 * |---|---|---|---|---|---|
 * | `locked` | `change`, `changeBy` | exclusive | organization, rows | users, channels, groups, settings | 5, then 503 |
 * | `ordinary` | `ordinary`, `ordinaryByServer` | optimistic | rows, organization | drafts, edits, reminders | 2 attempts, then exclusive |
 * | `large` | `large` | optimistic, one at a time | rows, organization | moves and deletions of topics | as `ordinary` |
 * | `inGroup` | `inGroup` | optimistic, batched | rows by kind, organization | reactions, flags, topic policies | as `ordinary`, then each item alone |
 * | `send` | `send` | optimistic, one statement | organization | batches of sent messages | as `ordinary` |
 * | `giveWay` | `giveWay` | no transaction | none | a pause between batches of one request | none |
 *
 * Example of a conflict. Ada saves a draft (A, `ordinary`) while an owner closes her account (B, `locked`).
 *
 * 1. A: `#retryConflicts` calls `attempt` with `directory.appliedThrough`, here 41. In `commitOrdinary`, `act` finds
 *    Ada active, writes the row of the draft and appends an event. The event has no id yet.
 * 2. B: `#turns` starts it. `commitLocked` acquires the organization lock, and `makeExact` applies missing events. `act`
 *    updates the row of Ada's account and appends an event with a state delta (`facts`). The event gets the id 42.
 * 3. A: `act` returns, so `commitOrdinary` sends its last statement. The statement waits for B's lock.
 * 4. B: commits. The row of `logs` now has `directory_head` 42. `#applied` applies event 42 to the directory.
 * 5. A: the statement gets the lock and requires `directory_head <= 41`. It fails (`heddle_refuse_append`), so the draft
 *    is rolled back.
 * 6. A: `#beforeRetry` recognizes the conflict (`isRefusal`), waits for B if needed, and catches up. The second attempt
 *    begins at 42: `act` finds the account closed and throws `USER_DEACTIVATED`. After another kind of B, such as a
 *    renamed channel, the second attempt would succeed.
 * 7. After `MAX_CONFLICTS` conflicts, A would run exclusively. An exclusive transaction cannot conflict with the
 *    directory, so every transaction eventually commits.
 *
 * Example of opposite lock orders. A holds the row of a message and waits for the organization lock. B holds the
 * organization lock and waits for the same row. A gives up first, because its lock timeout is shorter (200 ms in
 * `log/change.ts`, against `LOCK` of 950 ms). A rolls back, which frees the row, and B commits. `lostLock` recognizes
 * the error, and A runs again exclusively, as an urgent task of `#turns`.
 *
 * If A waits too long for a row *before* its last statement, the holder may be about to commit. `LostRowsError` then
 * repeats A optimistically, because an exclusive A that waits for rows would block everybody.
 */

export interface ChangesOptions {
  readonly pool: pg.Pool;
  readonly organizationId: number;
  readonly log: Logger;
  readonly directory: Directory;
  readonly hooks: Hooks;
  /** Applies everything that any process has committed so far. */
  readonly catchUp: () => Promise<void>;
  /** The same through the connection that holds the organization lock. Rejects if the directory cannot become exact. */
  readonly makeExact: (change: LockedLogChange) => Promise<void>;
  /** Receives the events of a commit. Resolves when they are applied here. */
  readonly committed: (events: readonly LoggedEvent[]) => Promise<void>;
  /** Throws if the directory is no longer usable. */
  readonly checkUsable: () => void;
}

/** After this many conflicts or lost connections, an optimistic transaction runs exclusively. */
const MAX_CONFLICTS = 2;
/** How often an exclusive transaction is repeated after a deadlock, a lock timeout or a lost connection. */
const MAX_EXCLUSIVE_RETRIES = 5;

/** The pause between two batches, which leaves the organization lock to sends. Only if this process sent recently. */
const BATCH_PAUSE_MS = 15;
const RECENT_SEND_MS = 1000;

/** The bounds of `giveWay`: the pause in any case, and the wait for conflicted transactions. */
const MIN_YIELD_MS = 10;
const MAX_YIELD_MS = 100;

/** After an exclusive transaction that held the lock for longer, the next one yields. Else senders wait for several. */
const LONG_HOLD_MS = 20;

interface OptimisticOptions {
  /** Runs exclusively right after an exclusive transaction of this process, instead of conflicting with it. */
  readonly followsHolder?: boolean;
  /** Called shortly before `locked` acquires the organization lock. Must not throw. */
  readonly prepare?: () => void;
}

interface ExclusiveOptions {
  readonly changesDirectory?: boolean;
}

/** The state at the beginning of an optimistic attempt. */
interface AttemptStart {
  readonly began: number;
  readonly changedAt: number;
}

/** Runs the transactions of one organization. See the top of this file for the modes, the entry points and examples. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #groups: GroupCommit<Member, unknown>;
  /** Exclusive transactions run one at a time in this process, so that waiting ones hold no database connection. */
  readonly #turns = new OneAtATime(isUnavailable, () =>
    this.#longHoldEndedAt === undefined ? undefined : this.giveWay(),
  );
  /** Large transactions too. Otherwise they would use all connections, and reach their lock timeouts on each other. */
  readonly #large = new OneAtATime(isUnavailable);

  /** The transactions that had a conflict and now retry. Each promise resolves when its transaction ends. */
  readonly #conflicted = new Set<Promise<void>>();
  /** The number of optimistic transactions in progress. */
  #optimisticCount = 0;
  /** The exclusive transaction of this process that may change the directory: resolves when it is applied or undone. */
  #holding: Promise<void> | undefined;
  #lastSent = Number.NEGATIVE_INFINITY;
  /** When the last long exclusive transaction ended, unless another one has yielded since. */
  #longHoldEndedAt: number | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#groups = new GroupCommit({
      commit: (members) => this.#commitGroup(members),
      mayRetrySingly: (error) => changedNothing(error) && !isUnavailable(error),
      concernsAll: isUnavailable,
      rest: () => (performance.now() - this.#lastSent < RECENT_SEND_MS ? BATCH_PAUSE_MS : 0),
    });
  }

  /** An exclusive transaction; see `Organization.change`. */
  locked<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
    return this.#turns.run('in turn', () => this.#locked(act, { changesDirectory: true }));
  }

  /** An optimistic transaction; see `Organization.ordinary`. */
  ordinary<Result>(act: (change: OrdinaryChange) => Promise<Result>): Promise<Result> {
    const { pool, organizationId, directory, hooks } = this.#options;
    return this.#optimistic(async (known) => {
      const open = await commitOrdinary(pool, organizationId, known, (change) => act({ ...change, directory, hooks }));
      return this.#applied(open);
    }, act);
  }

  /**
   * The same for very many rows. Runs one at a time in this process, because two would wait for each other's rows.
   */
  large<Result>(act: (change: OrdinaryChange) => Promise<Result>): Promise<Result> {
    return this.#large.run('in turn', () => this.ordinary(act));
  }

  /** Adds the item to the next batch, or runs it alone if it is large. */
  async inGroup<Item, Result>(kind: GroupedKind<Item, Result>, item: Item): Promise<Result> {
    // The cast is safe: `writeGroup` passes each item to its own kind only.
    const member = { kind: kind as GroupedKind<unknown, unknown>, item };
    if (!kind.isLarge?.(item)) return this.#groups.add(member) as Promise<Result>;
    const [outcome] = await this.#large.run('in turn', () => this.#commitGroup([member]));
    if (outcome === undefined) throw new Error(`${kind.name} returned no result for its item`);
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /**
   * A batch of sends. The parameters `attempt` and `locked` are those of `#optimistic`.
   * @param prepare prepares the messages with the current directory shortly before `locked` acquires the organization
   *   lock; must not throw
   */
  send<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    prepare: () => void,
  ): Promise<Result> {
    this.#lastSent = performance.now();
    return this.#optimistic(attempt, locked, { followsHolder: true, prepare });
  }

  /** Yields between several exclusive transactions of one caller: conflicted transactions retry before the next. */
  async giveWay(): Promise<void> {
    const longHoldEndedAt = this.#longHoldEndedAt;
    if (this.#optimisticCount > 0) {
      // Most of them learn only during this pause that they have a conflict.
      await after(MIN_YIELD_MS);
      if (this.#conflicted.size > 0) await Promise.race([Promise.all(this.#conflicted), after(MAX_YIELD_MS)]);
    }
    if (this.#longHoldEndedAt === longHoldEndedAt) this.#longHoldEndedAt = undefined;
  }

  /** Resolves when no started transaction is still in progress. */
  async settled(): Promise<void> {
    await this.#groups.settled();
    await this.#large.settled();
    await this.#turns.settled();
  }

  /**
   * Runs an optimistic transaction and counts it until it ends.
   * @param attempt commits if the directory has not changed after the given event; may run several times
   * @param locked the same as an exclusive transaction
   */
  async #optimistic<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    options: OptimisticOptions = {},
  ): Promise<Result> {
    let ended: PromiseWithResolvers<void> | undefined;
    const noteConflict = () => {
      ended ??= Promise.withResolvers();
      this.#conflicted.add(ended.promise);
    };
    this.#optimisticCount++;
    try {
      return await this.#retryConflicts(attempt, locked, noteConflict, options);
    } finally {
      this.#optimisticCount--;
      if (ended !== undefined) this.#conflicted.delete(ended.promise);
      ended?.resolve();
    }
  }

  /** Tries optimistically up to `MAX_CONFLICTS` times, then exclusively, so that every transaction gets through. */
  async #retryConflicts<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    noteConflict: () => void,
    { followsHolder = false, prepare }: OptimisticOptions,
  ): Promise<Result> {
    const { checkUsable, directory } = this.#options;
    const runExclusively = () => {
      prepare?.();
      return this.#locked(locked);
    };
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      if (followsHolder && this.#holding !== undefined) {
        try {
          return await this.#turns.run('urgent', runExclusively, MAX_YIELD_MS);
        } catch (error) {
          // The holder may be stalled. An attempt waits for the lock itself, and so learns of that.
          if (!(error instanceof NoTurnError)) throw error;
        }
      }
      checkUsable();
      const start = { began: performance.now(), changedAt: directory.changedAt };
      try {
        return await attempt(directory.appliedThrough);
      } catch (error) {
        noteConflict();
        if ((await this.#beforeRetry(error, start, followsHolder)) === 'exclusive') break;
      }
    }
    // Urgent, because it has already waited for other exclusive transactions.
    return this.#turns.run('urgent', runExclusively);
  }

  /**
   * Decides how to retry after a failed attempt, and waits until the retry makes sense.
   * @throws the error itself if no retry can help
   */
  async #beforeRetry(
    error: unknown,
    { began, changedAt }: AttemptStart,
    followsHolder: boolean,
  ): Promise<'optimistic' | 'exclusive'> {
    const { directory, catchUp } = this.#options;
    if (lostLock(error)) {
      await this.#checkFree(began, error);
      return 'exclusive';
    }
    if (error instanceof LostBeforeCommitError || error instanceof LostRowsError) return 'optimistic';
    if (!isRefusal(error)) throw error;
    if (this.#holding !== undefined) {
      // The next round runs exclusively right after the holder.
      if (followsHolder) return 'optimistic';
      await Promise.race([this.#holding, after(MAX_YIELD_MS)]);
    }
    // Sends skip the query if the directory changed meanwhile: the conflict was probably with this process itself.
    if (!followsHolder || directory.changedAt === changedAt) await catchUp();
    return 'optimistic';
  }

  /** Runs an exclusive transaction up to `1 + MAX_EXCLUSIVE_RETRIES` times. The caller has the turn. */
  async #locked<Result>(act: (change: Change) => Promise<Result>, options: ExclusiveOptions = {}): Promise<Result> {
    for (let failures = 0; ; failures++) {
      const began = performance.now();
      const ended = Promise.withResolvers<void>();
      try {
        this.#options.checkUsable();
        // Only the commit may be repeated. After it, an error of `#applied` must not run `act` again.
        const committed = await this.#commitLocked(act, ended.promise, options).catch((error: unknown) =>
          this.#beforeLockedRetry(error, began, failures),
        );
        if (committed !== undefined) return await this.#applied(committed);
      } finally {
        ended.resolve();
        if (this.#holding === ended.promise) this.#holding = undefined;
      }
    }
  }

  async #commitLocked<Result>(
    act: (change: Change) => Promise<Result>,
    holding: Promise<void>,
    { changesDirectory = false }: ExclusiveOptions,
  ): Promise<Committed<Result>> {
    const { pool, organizationId, directory, hooks, makeExact } = this.#options;
    let lockedAt = Number.POSITIVE_INFINITY;
    const actLocked = async (open: LockedLogChange) => {
      lockedAt = performance.now();
      if (changesDirectory) this.#holding = holding;
      await makeExact(open);
      return act({ ...open, directory, hooks });
    };
    const committed = await commitLocked(pool, organizationId, actLocked);
    const now = performance.now();
    if (now - lockedAt > LONG_HOLD_MS) this.#longHoldEndedAt = now;
    return committed;
  }

  /**
   * Resolves if the exclusive transaction that failed can run again.
   * @throws ApiError 503 after too many failures
   * @throws the error itself if no retry can help
   */
  async #beforeLockedRetry(error: unknown, began: number, failures: number): Promise<undefined> {
    if (!lostLock(error) && !(error instanceof LostBeforeCommitError)) throw error;
    if (failures >= MAX_EXCLUSIVE_RETRIES) throw serviceUnavailable('Too many changes at once; please try again');
    if (lostLock(error)) await this.#checkFree(began, error);
  }

  /**
   * Checks whether a retry makes sense after a lock timeout or a deadlock. After a short wait it does. After a wait of
   * `LOCK`, it does only if a stalled holder could be ended. Otherwise the retry would wait as long again.
   * @throws the error itself if a retry makes no sense
   */
  async #checkFree(began: number, error: unknown): Promise<void> {
    if (performance.now() - began < LOCK) return;
    if ((await this.#endStalled()) === 0) throw error;
  }

  /** Ends the connections of stalled transactions that hold the organization lock. Returns their number. */
  async #endStalled(): Promise<number> {
    const { pool, organizationId, log } = this.#options;
    const ended = await endStalledHolders(pool);
    if (ended > 0) log.warn({ organization: organizationId, ended }, 'ended stalled transactions that blocked others');
    return ended;
  }

  async #applied<Result>({ result, events }: Committed<Result>): Promise<Result> {
    await this.#options.committed(events);
    return result;
  }

  #commitGroup(members: readonly Member[]): Promise<readonly Outcome<unknown>[]> {
    return this.ordinary((change) => writeGroup(change, members));
  }
}
