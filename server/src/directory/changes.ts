import { setTimeout as after } from 'node:timers/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { changedNothing, isUnavailable, LostBeforeCommitError, lostLock, mayTrySingly } from '../db/failures.ts';
import { LOCK_TIMEOUT_MS } from '../db/timeouts.ts';
import { isRefusal } from '../log/append.ts';
import {
  type Committed,
  commitAppended,
  commitLocked,
  commitOptimistic,
  type LockedLogChange,
  LostRowsError,
} from '../log/change.ts';
import type { LoggedEvent } from '../log/event.ts';
import { GroupCommit, type Outcome } from '../log/group-commit.ts';
import { endStalledHolders } from '../log/stalled.ts';
import { conflicts } from '../measures.ts';
import { type Change, type ChangeIn, changeOf, type Hooks, type Mode } from './change.ts';
import type { Directory } from './directory.ts';
import {
  type AppendedKind,
  type AppendedMember,
  appendGroup,
  type GroupedKind,
  type Member,
  writeGroup,
} from './grouped-kinds.ts';
import { OneAtATime, TurnTimeoutError } from './one-at-a-time.ts';

/**
 * The transactions that change one organization, in this process. There are two modes.
 *
 * - An *exclusive* transaction acquires the organization lock first: the row of `logs`. It may change the directory,
 *   and the directory is exact until the commit.
 * - An *optimistic* transaction writes its own rows first. Its last statement acquires the organization lock, and fails
 *   if the directory has changed since the transaction began. So a change of the directory must not depend on anything
 *   but this directory and its own rows. Examples: the first message of a channel, the activity of a channel.
 *
 * | | lock order | used for | retries |
 * |---|---|---|---|
 * | `transact`, `exclusive` | organization, rows | users, channels, groups, settings | 5, then 503 |
 * | `transact`, `optimistic` | rows, organization | drafts, edits, reminders | 2 attempts, then exclusive |
 * | `inGroup` | rows by kind, organization | batches of reactions, flags, topic policies | as `optimistic`; a batch that still fails runs item by item |
 * | `inGroup` of an `AppendedKind` | organization | batches of sent messages, one statement each | as the row above |
 *
 * Four queues order the transactions of this process:
 *
 * | queue | holds | runs |
 * |---|---|---|
 * | `#groups` | items of `inGroup` | one batch at a time, as one optimistic transaction |
 * | `#appends` | items of an `AppendedKind` | one batch at a time; the next one begins after 10 ms even if the last still runs |
 * | `#large` | large optimistic transactions | one at a time |
 * | `#turns` | exclusive transactions | one at a time; optimistic ones that became exclusive go first |
 *
 * Other optimistic transactions start at once. `#conflicted` holds those that lost and retry: `yieldToOthers` waits for
 * them between two exclusive transactions.
 *
 * Example of a conflict. Ada saves a draft (A, optimistic) while an owner closes her account (B, exclusive).
 *
 * 1. A begins with a directory that has applied event 41. `act` finds Ada active and writes the row of the draft.
 * 2. B acquires the organization lock, updates the row of Ada's account and appends an event, which gets the id 42.
 * 3. A sends its last statement, which waits for B's lock.
 * 4. B commits. The row of `logs` now has `directory_head` 42, and `#applied` applies event 42 to the directory.
 * 5. A's statement gets the lock and requires `directory_head <= 41`. It fails, and the draft is rolled back.
 * 6. `#beforeRetry` recognizes the conflict and catches up. In the second attempt, `act` finds the account closed and
 *    throws `USER_DEACTIVATED`. After another kind of B, such as a renamed channel, the second attempt would succeed.
 *    After `MAX_CONFLICTS` conflicts, A runs exclusively, and no change of the directory can refuse it then.
 *
 * Example of opposite lock orders. A holds the row of a message and waits for the organization lock. B holds the
 * organization lock and waits for the same row. A's lock timeout is shorter (200 ms in `log/change.ts`, against 950 ms),
 * so A rolls back, which frees the row, and B commits. Then A runs exclusively. If A waited for a row *before* its last
 * statement (`LostRowsError`), it runs optimistically again: an exclusive A that waits for rows would block everybody.
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
/** Several times the duration of a commit. After that, the next batch of sends begins while the last one still runs. */
const OVERLAP_AFTER_MS = 10;

/** The bounds of `yieldToOthers`: the pause in any case, and the wait for conflicted transactions. */
const MIN_YIELD_MS = 10;
const MAX_YIELD_MS = 100;

/** After an exclusive transaction that held the lock for longer, the next one yields. Else senders wait for several. */
const LONG_HOLD_MS = 20;

/** An optimistic transaction in its two forms. Both may run several times. */
interface Optimistic<Result> {
  /** Commits if the directory has not changed after the event `known`. */
  attempt(known: number): Promise<Result>;
  act(change: Change): Promise<Result>;
  /**
   * Runs exclusively right after an exclusive transaction of this process, instead of conflicting with it. Then this is
   * called shortly before it acquires the organization lock. Must not throw.
   */
  readonly prepare?: () => void;
}

/** The state at the beginning of an optimistic attempt. */
interface AttemptStart {
  readonly began: number;
  readonly changedAt: number;
}

/** The outcomes of a batch of appended items. */
interface Appended {
  readonly result: unknown;
  /** Resolves when this process has applied the events. The next batch does not wait for it. */
  readonly applied: Promise<void>;
}

/** Runs the transactions of one organization. See the top of this file for the modes and examples. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #groups: GroupCommit<Member, unknown>;
  readonly #appends: GroupCommit<AppendedMember, Appended>;
  /** Exclusive transactions run one at a time in this process, so that waiting ones hold no database connection. */
  readonly #turns = new OneAtATime(isUnavailable, () =>
    this.#longHoldEndedAt === undefined ? undefined : this.yieldToOthers(),
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
      commit: (members) => this.#optimistic(this.#forms((change) => writeGroup(change, members))),
      mayRetrySingly: (error) => changedNothing(error) && !isUnavailable(error),
      concernsAll: isUnavailable,
      rest: () => (performance.now() - this.#lastSent < RECENT_SEND_MS ? BATCH_PAUSE_MS : 0),
    });
    this.#appends = new GroupCommit({
      commit: (members) => this.#append(members),
      mayRetrySingly: mayTrySingly,
      concernsAll: isUnavailable,
      overlapAfter: OVERLAP_AFTER_MS,
      weightOf: ({ kind, item }) => kind.weightOf(item),
    });
  }

  /**
   * See `Organization.transact`.
   * @param isLarge it runs one at a time in this process, because two would wait for each other's rows
   */
  transact<M extends Mode, Result>(
    mode: M,
    act: (change: ChangeIn[M]) => Promise<Result>,
    isLarge: boolean,
  ): Promise<Result> {
    // An exclusive transaction offers everything that an optimistic one does.
    const actIn = act as (change: ChangeIn[Mode]) => Promise<Result>;
    if (mode === 'exclusive') return this.#turns.run('in turn', () => this.#exclusive(actIn, true));
    const run = () => this.#optimistic(this.#forms(actIn));
    return isLarge ? this.#large.run('in turn', run) : run();
  }

  /** Adds the item to the next batch, or runs it alone if it is large. */
  async inGroup<Item, Result>(
    kind: GroupedKind<Item, Result> | AppendedKind<Item, Result>,
    item: Item,
  ): Promise<Result> {
    // The casts are safe: an item is passed to its own kind only.
    if ('resultFor' in kind) {
      const { result, applied } = await this.#appends.add({ kind: kind as AppendedKind<unknown, unknown>, item });
      await applied;
      return result as Result;
    }
    const member = { kind: kind as GroupedKind<unknown, unknown>, item };
    if (!kind.isLarge?.(item)) return this.#groups.add(member) as Promise<Result>;
    const [outcome] = await this.transact('optimistic', (change) => writeGroup(change, [member]), true);
    if (outcome === undefined) throw new Error(`${kind.name} returned no result for its item`);
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /** Yields between several exclusive transactions of one caller: conflicted transactions retry before the next. */
  async yieldToOthers(): Promise<void> {
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
    await this.#appends.settled();
    await this.#large.settled();
    await this.#turns.settled();
  }

  #forms<Result>(act: (change: ChangeIn[Mode]) => Promise<Result>): Optimistic<Result> {
    const { pool, organizationId, directory, hooks } = this.#options;
    const attempt = async (known: number) =>
      this.#applied(
        await commitOptimistic(pool, organizationId, known, (change) => act({ ...change, directory, hooks })),
      );
    return { attempt, act };
  }

  /** Commits a batch of appended items. */
  #append(members: readonly AppendedMember[]): Promise<readonly Outcome<Appended>[]> {
    const { pool, organizationId, directory, committed } = this.#options;
    this.#lastSent = performance.now();
    const outcomesOf = (outcomes: readonly Outcome<unknown>[], applied: Promise<void>) =>
      outcomes.map((outcome) => ('error' in outcome ? outcome : { result: { result: outcome.result, applied } }));
    return this.#optimistic({
      async attempt(known) {
        const { result, events } = await commitAppended(pool, organizationId, known, (commit) =>
          appendGroup(commit, directory, members),
        );
        return outcomesOf(result, committed(events));
      },
      act: async (change) => outcomesOf(appendGroup(change, directory, members), Promise.resolve()),
      prepare() {
        for (const { kind, item } of members) kind.resultFor(item, directory);
      },
    });
  }

  /** Runs an optimistic transaction and counts it until it ends. */
  async #optimistic<Result>(transaction: Optimistic<Result>): Promise<Result> {
    let ended: PromiseWithResolvers<void> | undefined;
    const noteConflict = () => {
      ended ??= Promise.withResolvers();
      this.#conflicted.add(ended.promise);
    };
    this.#optimisticCount++;
    try {
      return await this.#retryConflicts(transaction, noteConflict);
    } finally {
      this.#optimisticCount--;
      if (ended !== undefined) this.#conflicted.delete(ended.promise);
      ended?.resolve();
    }
  }

  /** Tries optimistically up to `MAX_CONFLICTS` times, then exclusively, so that no change of the directory can refuse it. */
  async #retryConflicts<Result>(
    { attempt, act, prepare }: Optimistic<Result>,
    noteConflict: () => void,
  ): Promise<Result> {
    const { checkUsable, directory } = this.#options;
    // Only batches of sent messages have `prepare`. They run right after an exclusive transaction of this process.
    const followsHolder = prepare !== undefined;
    const runExclusively = () => {
      prepare?.();
      return this.#exclusive(act, false);
    };
    for (let lost = 0; lost < MAX_CONFLICTS; lost++) {
      if (followsHolder && this.#holding !== undefined) {
        try {
          return await this.#turns.run('urgent', runExclusively, MAX_YIELD_MS);
        } catch (error) {
          // The holder may be stalled. An attempt waits for the lock itself, and so learns of that.
          if (!(error instanceof TurnTimeoutError)) throw error;
        }
      }
      checkUsable();
      const start = { began: performance.now(), changedAt: directory.changedAt };
      try {
        return await attempt(directory.appliedThrough);
      } catch (error) {
        noteConflict();
        conflicts.inc();
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
    // These batches skip the query if the directory changed meanwhile: the conflict was probably with this process itself.
    if (!followsHolder || directory.changedAt === changedAt) await catchUp();
    return 'optimistic';
  }

  /** Runs an exclusive transaction up to `1 + MAX_EXCLUSIVE_RETRIES` times. The caller has the turn. */
  async #exclusive<Result>(act: (change: Change) => Promise<Result>, changesDirectory: boolean): Promise<Result> {
    for (let failures = 0; ; failures++) {
      const began = performance.now();
      const ended = Promise.withResolvers<void>();
      try {
        this.#options.checkUsable();
        // Only the commit may be repeated. After it, an error of `#applied` must not run `act` again.
        const committed = await this.#commitLocked(act, changesDirectory ? ended.promise : undefined).catch(
          (error: unknown) => this.#beforeLockedRetry(error, began, failures),
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
    holding: Promise<void> | undefined,
  ): Promise<Committed<Result>> {
    const { pool, organizationId, directory, hooks, makeExact } = this.#options;
    let lockedAt = Number.POSITIVE_INFINITY;
    const actLocked = async (open: LockedLogChange) => {
      lockedAt = performance.now();
      if (holding !== undefined) this.#holding = holding;
      await makeExact(open);
      return act(changeOf(open, directory, hooks));
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
   * `LOCK_TIMEOUT_MS`, it does only if a stalled holder could be ended. Otherwise the retry would wait as long again.
   * @throws the error itself if a retry makes no sense
   */
  async #checkFree(began: number, error: unknown): Promise<void> {
    if (performance.now() - began < LOCK_TIMEOUT_MS) return;
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
}
