import pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseHost } from '../config/database-url.ts';
import { DatabaseUnavailableError, isUnavailable } from './failures.ts';
import { askHost } from './host-question.ts';
import { type DatabasePool, openPool } from './pool.ts';
import type { PrimarySearch } from './primary-search.ts';
import type { DbTransaction } from './schema.ts';
import {
  HEALTH_CHECK_INTERVAL_MS,
  STANDBY_READ_DURATION_MS,
  STANDBY_READ_TIMEOUTS,
  STANDBY_RETRY_INTERVAL_MS,
} from './timeouts.ts';
import { readSnapshot } from './transaction.ts';

/** Reads of a process that one standby serves at a time. Each has a connection. Further reads go to the primary, so nothing waits. */
const MAX_READS_PER_STANDBY = 4;

/** Why no standby is asked. */
export type NoStandby = 'no_standby' | 'busy';

/** Why a standby did not complete a read. */
export type StandbyFailure = 'conflict' | 'timeout' | 'unavailable' | 'failed';

/** The standbys among the hosts of the database URL. */
export class Standbys {
  readonly #search: PrimarySearch;
  readonly #all: readonly Standby[];

  /**
   * @param onSilent is called when a standby does not respond: this process may be cut off from all hosts. A check of the primary at the same time
   * keeps the two seconds in which each request has a response.
   */
  constructor(search: PrimarySearch, log: Logger, onSilent: () => void) {
    this.#search = search;
    const onPromoted = () => search.lookForNewerNow();
    this.#all = search.hosts.map((host) => new Standby({ host, log, onPromoted, onSilent }));
  }

  /** Why no standby can be lent now; undefined if one can. */
  whyNone(): NoStandby | undefined {
    const chosen = this.#choose();
    return typeof chosen === 'string' ? chosen : undefined;
  }

  /** Lends the usable standby with the fewest reads, and of these the one that has lacked nothing for the longest time. Never waits for one. */
  async lend<Result>(act: (standby: Standby) => Promise<Result>): Promise<Result | NoStandby> {
    const chosen = this.#choose();
    if (typeof chosen === 'string') return chosen;
    chosen.lent += 1;
    try {
      return await act(chosen);
    } finally {
      chosen.lent -= 1;
    }
  }

  #choose(): Standby | NoStandby {
    const primary = this.#search.known?.name;
    const usable = this.#all.filter((standby) => standby.name !== primary && standby.isUsable());
    const [chosen] = usable.toSorted((one, other) => one.lent - other.lent || one.lackedAt - other.lackedAt);
    if (chosen === undefined) return 'no_standby';
    return chosen.lent < MAX_READS_PER_STANDBY ? chosen : 'busy';
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((standby) => standby.close()));
  }
}

interface StandbyOptions {
  readonly host: DatabaseHost;
  readonly log: Logger;
  readonly onPromoted: () => void;
  readonly onSilent: () => void;
}

/**
 * A host that may be a standby. No request waits to learn that: it is asked in the background, when a read could use it, and again some time
 * after it failed.
 */
export class Standby {
  readonly name: string;
  /** The reads that chose it. */
  lent = 0;
  /** When it last lacked an event, on the clock of `performance.now`. */
  lackedAt = 0;
  readonly #options: StandbyOptions;
  #pool: DatabasePool | undefined;
  #isStandby = false;
  /** When it may be asked or used again, on the clock of `performance.now`. */
  #avoidedUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #reading = 0;
  #finished = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: StandbyOptions) {
    this.name = options.host.name;
    this.#options = options;
  }

  /** Whether it was a standby and responded when it was last used. If this is unknown, it is asked, and not usable yet. */
  isUsable(): boolean {
    if (performance.now() < this.#avoidedUntil) return false;
    if (!this.#isStandby) this.#ask();
    return this.#isStandby;
  }

  /**
   * Reads from one snapshot. If no read finishes for a while, the host is asked whether it is a standby. If it does not say so in time, its reads
   * end. A read of many statements has a limit as a whole.
   * @throws what `failureOf` explains, or what `read` throws
   */
  async read<Result>(read: (snapshot: DbTransaction) => Promise<Result>): Promise<Result> {
    this.#begin();
    const endsAt = performance.now() + STANDBY_READ_DURATION_MS;
    const checkTime = () => {
      if (performance.now() > endsAt) throw new OverdueReadError('a read from a standby took too long');
    };
    try {
      return await readSnapshot(this.#openPool().pool, read, STANDBY_READ_TIMEOUTS, checkTime);
    } catch (error) {
      if (failureOf(error) === 'unavailable') this.#doubt();
      throw error;
    } finally {
      this.#end();
    }
  }

  /** Call it when it is far behind: it is not used for a while. */
  avoid(): void {
    this.#avoidedUntil = performance.now() + STANDBY_RETRY_INTERVAL_MS;
  }

  /** Call it when it is no standby any more. */
  promoted(): void {
    this.#leave('the host is no standby any more');
    this.#options.onPromoted();
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.#asking;
    await this.#pool?.close();
  }

  #openPool(): DatabasePool {
    const { host, log } = this.#options;
    this.#pool ??= openPool({ connectionString: host.url }, log, {
      size: MAX_READS_PER_STANDBY,
      timeouts: STANDBY_READ_TIMEOUTS,
      name: 'heddle standby',
      keepsAtLeast: 1,
    });
    return this.#pool;
  }

  #begin(): void {
    this.#reading += 1;
    if (this.#reading > 1) return;
    let finished = this.#finished;
    this.#watch = setInterval(() => {
      if (this.#finished === finished) {
        this.#ask();
        this.#options.onSilent();
      }
      finished = this.#finished;
    }, HEALTH_CHECK_INTERVAL_MS).unref();
  }

  #end(): void {
    this.#finished += 1;
    this.#reading -= 1;
    if (this.#reading === 0) clearInterval(this.#watch);
  }

  /** Asks it in the background whether it is a standby. */
  #ask(): void {
    this.#asking ??= askHost(this.#options.host)
      .then(({ is }) => {
        if (is === 'standby') this.#isStandby = true;
        else if (is === 'primary') this.promoted();
        else this.#leave('the standby does not respond');
      })
      .finally(() => {
        this.#asking = undefined;
      });
  }

  /**
   * Perhaps only one connection has ended: PostgreSQL ends those that pause in a transaction, and so does the replay. It is used again if it
   * responds.
   */
  #doubt(): void {
    if (performance.now() < this.#avoidedUntil) return;
    this.#isStandby = false;
    this.#ask();
  }

  #leave(reason: string): void {
    this.#isStandby = false;
    this.avoid();
    this.#pool?.pool.destroyConnections(new DatabaseUnavailableError(reason));
  }
}

/** The statements of a read have taken too long together. */
class OverdueReadError extends Error {
  override readonly name = 'OverdueReadError';
}

/** Why the standby did not complete the read; undefined if the error says nothing about the standby. */
export function failureOf(error: unknown): StandbyFailure | undefined {
  if (error instanceof OverdueReadError) return 'timeout';
  if (error instanceof pg.DatabaseError) {
    if (error.code === RECOVERY_CONFLICT_CODE) return 'conflict';
    if (OUT_OF_TIME.test(error.code ?? '')) return 'timeout';
    return isUnavailable(error) ? 'unavailable' : 'failed';
  }
  return isUnavailable(error) ? 'unavailable' : undefined;
}

/** The replay needs what the snapshot holds: it canceled the statement, or ended the connection. */
const RECOVERY_CONFLICT_CODE = '40001';

/** A statement, its wait for a lock of the replay, or the pause between two statements took too long. */
const OUT_OF_TIME = /^(57014|55P03|25P03)$/;
