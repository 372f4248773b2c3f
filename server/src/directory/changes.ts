import { setTimeout as after } from 'node:timers/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { changedNothing, isUnavailable, LostBeforeCommitError, lostLock } from '../db/failures.ts';
import type { DbTransaction } from '../db/schema.ts';
import { LOCK } from '../db/waits.ts';
import { isRefusal } from '../log/append.ts';
import {
  type Committed,
  commitLocked,
  commitOrdinary,
  type LockedLogChange,
  LostRowsError,
  type OrdinaryLogChange,
} from '../log/change.ts';
import type { NewMessage } from '../log/entry.ts';
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import { GroupCommit, type Outcome } from '../log/group-commit.ts';
import { endStalledHolders } from '../log/stalled.ts';
import type { Directory } from './directory.ts';
import { NoTurnError, OneAtATime } from './one-at-a-time.ts';

/** An ordinary change under way, with the directory that it is held against. A `Change` can stand wherever this is asked for. */
export interface OrdinaryChange extends OrdinaryLogChange {
  readonly directory: Directory;
}

/** A directory change under way: the log is locked, and the directory is exact at the position where the change will stand. */
export interface Change extends LockedLogChange {
  readonly directory: Directory;
}

/** What a group's member comes to: its result with what announces it, or the reason why it, alone, is refused. */
export type Verdict<Result> =
  | {
      readonly result: Result;
      readonly events: readonly NewEvent[];
      readonly messages?: readonly NewMessage[];
      /** Is told each message's id after the commit, and before the result is. */
      readonly numbered?: (messageId: number) => void;
    }
  | { readonly error: unknown };

/** A kind of ordinary change so frequent that those which arrive together are written and committed together. */
export interface GroupedKind<Item, Result> {
  /** Groups write their kinds in the order of these. */
  readonly name: string;
  /** Whether the item is so much that it would keep others waiting: it is written alone. */
  isLarge?(item: Item): boolean;
  /**
   * Checks and writes all items in a few statements, their rows in a fixed order; answers in the items' order. Nothing may be written of an
   * item that is refused. May be called again for the same items, after its writes were rolled back.
   */
  write(change: Pick<OrdinaryChange, 'db' | 'directory'>, items: readonly Item[]): Promise<readonly Verdict<Result>[]>;
}

export interface ChangesOptions {
  readonly pool: pg.Pool;
  readonly organizationId: number;
  readonly log: Logger;
  readonly directory: Directory;
  /** Applies all that any process has committed by now. */
  readonly catchUp: () => Promise<void>;
  /** The same through the connection of one that holds the log. Rejects where the directory cannot be made exact. */
  readonly makeExact: (change: LockedLogChange) => Promise<void>;
  /** Takes the events of a commit; resolves when they are applied here. */
  readonly committed: (events: readonly LoggedEvent[]) => Promise<void>;
  /** Resolves when all that is committed so far, and all that was written before that, is on the disk. */
  readonly flush: () => Promise<void>;
  /** Throws where the directory is not to be trusted any more. */
  readonly checkUsable: () => void;
}

/** So often may a change lose against changes of the directory before it takes the log first. */
const LOSSES = 2;
/** So often is a change that holds the log begun again after a deadlock, which the others' lock timeouts make rare, or a pause. */
const LOSSES_LOCKED = 5;

/** What groups of ordinary changes leave to sends between them, in milliseconds, where somebody has sent this lately. */
const REST = 15;
const LATELY = 1000;

/** What several directory changes of one request leave to others between them, in milliseconds: at least, and while there are losers. */
const LEAST_WAY = 10;
const MOST_WAY = 100;

/** After one that held the log for longer the next leaves as much, whoever makes it: those in turn would keep a sender waiting for several. */
const LONG = 20;
/** So many milliseconds what is written ahead may take to the disk: less than a transaction may pause. */
const MOST_FLUSHED = 300;

interface Hurry {
  readonly comesAfter?: boolean;
  readonly prepare?: () => void;
}

interface Locking {
  readonly changesDirectory?: boolean;
  /** Done in the transaction before the log is taken. */
  readonly ahead?: (db: DbTransaction) => Promise<void>;
}

interface Member {
  readonly kind: GroupedKind<unknown, unknown>;
  readonly item: unknown;
}

/**
 * How an organization is changed in this process (ARCHITECTURE.md, "Two kinds of change").
 *
 * Lock order: directory changes take the log first and rows after it, ordinary changes rows first and the log with their last statement.
 * Where the two meet, the ordinary one gives up after a bounded wait, rolls back, and is done again with the log first. Where ordinary
 * ones meet over rows, it is tried again as it is before that: who waits for rows with the log in their hands keeps everybody waiting.
 */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #groups: GroupCommit<Member, unknown>;
  /** One at a time in this process: those that wait for the log must not sit on database connections. */
  readonly #turns = new OneAtATime(isUnavailable, () => (this.#longEndedAt === undefined ? undefined : this.giveWay()));
  /** So are the large ones, before they lock anything: together they would take all connections, and each other's time to wait for locks. */
  readonly #large = new OneAtATime(isUnavailable);

  /** Those that lost to a change of the directory, and are on their way again. */
  readonly #losers = new Set<Promise<void>>();
  /** How many are on their way with a directory that may have changed by the time they get there. */
  #underWay = 0;
  /** Resolves when the change of the directory that has the log in this process has been applied here, or undone. */
  #holding: Promise<void> | undefined;
  #lastSent = Number.NEGATIVE_INFINITY;
  /** When a change that held the log for long has ended to which nobody has given way yet. */
  #longEndedAt: number | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#groups = new GroupCommit({
      commit: (members) => this.#commitGroup(members),
      mayRetrySingly: (error) => changedNothing(error) && !isUnavailable(error),
      concernsAll: isUnavailable,
      rest: () => (performance.now() - this.#lastSent < LATELY ? REST : 0),
    });
  }

  /** A directory change; see `Organization.change`. */
  locked<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
    return this.#turns.run('in turn', () => this.#locked(act, { changesDirectory: true }));
  }

  /**
   * A directory change of which `prepare` does what takes long, in the same transaction, before it takes the log; see
   * `Organization.changeAfter`. One at a time in this process: each has a connection meanwhile.
   */
  prepared<Prepared, Result>(
    prepare: (db: DbTransaction) => Promise<Prepared>,
    act: (change: Change, prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    return this.#large.run('in turn', () => this.#prepared(prepare, act));
  }

  /** An ordinary change; see `Organization.ordinary`. */
  ordinary<Result>(act: (change: OrdinaryChange) => Promise<Result>): Promise<Result> {
    const { pool, organizationId, directory } = this.#options;
    return this.#optimistic(async (known) => {
      const open = await commitOrdinary(pool, organizationId, known, (change) => act({ ...change, directory }));
      return this.#applied(open);
    }, act);
  }

  /**
   * The same for what changes so many rows that two of them would wait for each other's: one after the other in this process.
   */
  large<Result>(act: (change: OrdinaryChange) => Promise<Result>): Promise<Result> {
    return this.#large.run('in turn', () => this.ordinary(act));
  }

  /** An ordinary change that joins those which arrive with it, unless it is large. */
  async inGroup<Item, Result>(kind: GroupedKind<Item, Result>, item: Item): Promise<Result> {
    // The group gives each member to its own kind and its result back to it.
    const member = { kind: kind as GroupedKind<unknown, unknown>, item };
    if (!kind.isLarge?.(item)) return this.#groups.add(member) as Promise<Result>;
    const [outcome] = await this.#large.run('in turn', () => this.#commitGroup([member]));
    if (outcome === undefined) throw new Error(`${kind.name} answered for none of its items`);
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /**
   * A group of sends: `attempt` and `locked` as in `#optimistic`.
   * @param prepare what `locked` may find done with the directory as it is just before it has the log; must not throw
   */
  send<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    prepare: () => void,
  ): Promise<Result> {
    this.#lastSent = performance.now();
    return this.#optimistic(attempt, locked, { comesAfter: true, prepare });
  }

  /**
   * Tries to commit what was checked against the directory as it is here, again where it has changed meanwhile, and at last with the log
   * taken first, so that nobody is kept from ever committing by others' changes of the directory.
   * @param attempt commits if the directory has not changed after the event that it is given; may be called several times
   * @param locked the same as a change that holds the log
   * @param options.comesAfter does not try beside a change of the directory that has the log in this process, for it would lose to that, and
   *   perhaps to the next: it comes right after it, and before the next. For what comes a few groups at a time: such changes are one
   *   after the other.
   */
  async #optimistic<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    options: Hurry = {},
  ): Promise<Result> {
    let again: PromiseWithResolvers<void> | undefined;
    const lost = () => {
      again ??= Promise.withResolvers();
      this.#losers.add(again.promise);
    };
    this.#underWay++;
    try {
      return await this.#untilWon(attempt, locked, lost, options);
    } finally {
      this.#underWay--;
      if (again !== undefined) this.#losers.delete(again.promise);
      again?.resolve();
    }
  }

  /** For whoever changes the directory several times in a row: all that lost to the last time come before the next. */
  async giveWay(): Promise<void> {
    const longEndedAt = this.#longEndedAt;
    if (this.#underWay > 0) {
      // Most hear only now that they have lost.
      await after(LEAST_WAY);
      if (this.#losers.size > 0) await Promise.race([Promise.all(this.#losers), after(MOST_WAY)]);
    }
    if (this.#longEndedAt === longEndedAt) this.#longEndedAt = undefined;
  }

  async #untilWon<Result>(
    attempt: (directoryKnown: number) => Promise<Result>,
    locked: (change: Change) => Promise<Result>,
    lost: () => void,
    { comesAfter = false, prepare }: Hurry,
  ): Promise<Result> {
    const { checkUsable, directory, catchUp } = this.#options;
    const inTurn = () => {
      prepare?.();
      return this.#locked(locked);
    };
    for (let losses = 0; losses < LOSSES; losses++) {
      if (comesAfter && this.#holding !== undefined) {
        try {
          return await this.#turns.run('urgent', inTurn, MOST_WAY);
        } catch (error) {
          // Who waits for the log itself learns whether that stands still.
          if (!(error instanceof NoTurnError)) throw error;
        }
      }
      checkUsable();
      const began = performance.now();
      const { changedAt } = directory;
      try {
        return await attempt(directory.appliedThrough);
      } catch (error) {
        lost();
        if (lostLock(error)) {
          await this.#checkFree(began, error);
          break;
        }
        if (error instanceof LostBeforeCommitError || error instanceof LostRowsError) continue;
        if (!isRefusal(error)) throw error;
        if (comesAfter && this.#holding !== undefined) continue;
        if (this.#holding !== undefined) await Promise.race([this.#holding, after(MOST_WAY)]);
        // What this process itself has changed in the meantime is mostly what it lost to, and need not be read.
        if (!comesAfter || directory.changedAt === changedAt) await catchUp();
      }
    }
    // Before the directory changes that wait here: it has waited for some already.
    return this.#turns.run('urgent', inTurn);
  }

  /** Resolves when nothing that was begun is still on its way to the database. */
  async settled(): Promise<void> {
    await this.#groups.settled();
    await this.#large.settled();
    await this.#turns.settled();
  }

  /** What it prepares it prepares beside the others; the log it takes in its turn, with a transaction open, and so before those that wait. */
  async #prepared<Prepared, Result>(
    prepare: (db: DbTransaction) => Promise<Prepared>,
    act: (change: Change, prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    let prepared: { readonly value: Prepared } | undefined;
    let endTurn: (() => void) | undefined;
    const ahead = async (db: DbTransaction) => {
      endTurn?.();
      endTurn = undefined;
      prepared = { value: await prepare(db) };
      // Its megabytes are on the disk before anybody waits for the commit; where that takes long the commit will say so.
      const flushed = this.#options.flush().catch(() => undefined);
      await Promise.race([flushed, after(MOST_FLUSHED, undefined, { ref: false })]);
      endTurn = await this.#turn();
    };
    try {
      return await this.#locked(
        (change) => {
          if (prepared === undefined) throw new Error('a change has the log before it was prepared');
          return act(change, prepared.value);
        },
        { changesDirectory: true, ahead },
      );
    } finally {
      endTurn?.();
    }
  }

  /** Resolves when nothing else has the log in this process, with what lets others have it again. */
  async #turn(): Promise<() => void> {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.#turns
      .run('urgent', () => {
        begun.resolve();
        return ended.promise;
      })
      .catch(begun.reject);
    await begun.promise;
    return ended.resolve;
  }

  async #locked<Result>(
    act: (change: Change) => Promise<Result>,
    { changesDirectory = false, ahead }: Locking = {},
  ): Promise<Result> {
    const { pool, organizationId, directory, makeExact, checkUsable } = this.#options;
    for (let losses = 0; ; losses++) {
      const began = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      try {
        checkUsable();
        let lockedAt = Number.POSITIVE_INFINITY;
        let committed: Committed<Result>;
        try {
          committed = await commitLocked(
            pool,
            organizationId,
            async (open) => {
              lockedAt = performance.now();
              if (changesDirectory) this.#holding = promise;
              await makeExact(open);
              return act({ ...open, directory });
            },
            ahead,
          );
        } catch (error) {
          if (!lostLock(error) && !(error instanceof LostBeforeCommitError)) throw error;
          if (losses >= LOSSES_LOCKED) throw serviceUnavailable('Too many changes at once; please try again');
          if (lostLock(error)) await this.#checkFree(began, error);
          continue;
        }
        const now = performance.now();
        if (now - lockedAt > LONG) this.#longEndedAt = now;
        return await this.#applied(committed);
      } finally {
        resolve();
        if (this.#holding === promise) this.#holding = undefined;
      }
    }
  }

  /**
   * Whether there is sense in trying again after a lock was lost: after a deadlock, or the short wait of an ordinary change, there is.
   * After the long one only if what held the log could be ended; else whoever tries would wait as long once more.
   */
  async #checkFree(began: number, error: unknown): Promise<void> {
    if (performance.now() - began < LOCK) return;
    if ((await this.endStalled()) === 0) throw error;
  }

  /** See `Organization.endStalled`; tells how many were ended. */
  async endStalled(): Promise<number> {
    const { pool, organizationId, log } = this.#options;
    const ended = await endStalledHolders(pool);
    if (ended > 0)
      log.warn({ organization: organizationId, ended }, 'a change that others wait for stood still, and was ended');
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

/** Writes the members kind by kind, and announces what they have come to in the order in which they arrived. */
async function writeGroup(change: OrdinaryChange, members: readonly Member[]): Promise<Outcome<unknown>[]> {
  const verdicts = new Map<Member, Verdict<unknown>>();
  const byKind = [...Map.groupBy(members, ({ kind }) => kind)].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
  for (const [kind, ofKind] of byKind) {
    const found = await kind.write(
      change,
      ofKind.map(({ item }) => item),
    );
    for (const [index, member] of ofKind.entries()) {
      const verdict = found[index];
      if (verdict !== undefined) verdicts.set(member, verdict);
    }
  }
  return members.map((member) => {
    const verdict = verdicts.get(member);
    if (verdict === undefined) throw new Error(`${member.kind.name} answered for too few of its items`);
    if ('error' in verdict) return verdict;
    for (const event of verdict.events) change.append(event);
    for (const message of verdict.messages ?? []) change.send(message, verdict.numbered);
    return { result: verdict.result };
  });
}
