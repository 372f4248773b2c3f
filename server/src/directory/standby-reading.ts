import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { executeRecurring, recurringStatement } from '../db/prepared.ts';
import type { DbTransaction } from '../db/schema.ts';
import { failureOf, type NoStandby, type Standby, type StandbyFailure, type Standbys } from '../db/standbys.ts';
import { readAlone } from '../db/transaction.ts';
import { historyReads } from '../measures.ts';
import type { Directory } from './directory.ts';

/** The labels of the metric if a standby served the read, also with an error of the request. */
const SERVED = { source: 'standby', reason: 'none' };

/** Why the primary serves a read that a standby might have served. */
type Fallback =
  | NoStandby
  | StandbyFailure
  /** The directory lacks a change that the standby has. */
  | 'directory_behind'
  /** No process has confirmed the log on the timeline of the primary yet, or the standby has another timeline. */
  | 'timeline'
  /** The standby lacks an event that the primary has. */
  | 'behind'
  /** The host is no standby any more. */
  | 'promoted';

type Outcome<Result> = { readonly result: Result } | Fallback;

/** The row of the log at a host. */
interface LogRow {
  readonly head: number;
  readonly epoch: string;
  readonly timeline: string | null;
}

interface PrimaryRow extends LogRow {
  /** Whether the epoch is confirmed on the timeline that the primary has now (`log/epoch.ts`); null if that is unknown. */
  readonly isConfirmed: boolean | null;
  /** The end of the WAL that is on the disk of the primary. */
  readonly walEnd: string | null;
}

/** Without the log, its columns are null. */
interface StandbyRow extends Pick<LogRow, 'timeline'> {
  readonly head: number | null;
  readonly directoryHead: number | null;
  readonly epoch: string | null;
  readonly isStandby: boolean;
  /** How many bytes of WAL it has not replayed. */
  readonly missingBytes: number;
}

/** A standby that has so much left to replay does not catch up soon. */
const FAR_BEHIND_BYTES = 1024 * 1024;

export interface StandbyReadingOptions {
  readonly pool: pg.Pool;
  readonly standbys: Standbys;
  readonly organizationId: number;
  readonly directory: Directory;
}

/**
 * Reads from a standby that has everything which the primary has at the begin of the read. Otherwise the primary serves it at once.
 *
 * The row of the log says what a host has. It is read at the primary first, and then in the snapshot of the standby. The standby has
 * everything if its row
 *
 * - has the same epoch and timeline. The row names the timeline on which the epoch is confirmed. A standby that follows a former primary
 *   never has the timeline of the new one there.
 * - has no smaller `head`. A change and its events commit together (I1), and heads are in the order of commits (I2).
 *
 * The directory must be as new as the row of the standby. So an access decision is never older than the rows that it is about (`Reads.read`).
 */
export class StandbyReading {
  readonly #options: StandbyReadingOptions;

  constructor(options: StandbyReadingOptions) {
    this.#options = options;
  }

  /**
   * @param act reads from one snapshot; it may have run in vain
   * @returns undefined if the primary must serve the read
   */
  async read<Result>(
    act: (snapshot: DbTransaction) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    const outcome = await this.#try(act);
    const isServed = typeof outcome !== 'string';
    historyReads.inc(isServed ? SERVED : { source: 'primary', reason: outcome });
    return isServed ? outcome : undefined;
  }

  async #try<Result>(act: (snapshot: DbTransaction) => Promise<Result>): Promise<Outcome<Result>> {
    const { pool, standbys, organizationId } = this.#options;
    const whyNone = standbys.whyNone();
    if (whyNone !== undefined) return whyNone;
    // The read takes its place at a standby afterwards: while reads wait for the primary, standbys should serve more of them, not fewer.
    const [primary] = await readAlone<PrimaryRow>(pool, recurringStatement(selectPrimaryRow(organizationId)));
    if (!primary?.isConfirmed) return 'timeline';
    return standbys.lend((standby) => this.#readFrom(standby, primary, act));
  }

  async #readFrom<Result>(
    standby: Standby,
    primary: PrimaryRow,
    act: (snapshot: DbTransaction) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    const { organizationId, directory } = this.#options;
    try {
      return await standby.read(async (snapshot): Promise<Outcome<Result>> => {
        const [row] = await executeRecurring(snapshot, selectStandbyRow(organizationId, primary.walEnd));
        if (!row?.isStandby) {
          standby.promoted();
          return 'promoted';
        }
        if (row.missingBytes > FAR_BEHIND_BYTES) standby.avoid();
        if (row.head === null || row.head < primary.head) {
          standby.lackedAt = performance.now();
          return 'behind';
        }
        if (row.epoch !== primary.epoch || row.timeline !== primary.timeline) return 'timeline';
        if ((row.directoryHead ?? 0) > directory.changedAt) return 'directory_behind';
        return { result: await act(snapshot) };
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== undefined) return failure;
      historyReads.inc(SERVED);
      throw error;
    }
  }
}

function selectPrimaryRow(organizationId: number): RawBuilder<PrimaryRow> {
  return sql<PrimaryRow>`
    WITH here AS MATERIALIZED (SELECT heddle_timeline() AS timeline)
    SELECT head, epoch, log.timeline, log.timeline = here.timeline AS "isConfirmed",
           CASE WHEN here.timeline IS NOT NULL THEN pg_current_wal_flush_lsn()::text END AS "walEnd"
      FROM logs log, here WHERE organization_id = ${organizationId}`;
}

function selectStandbyRow(organizationId: number, walEnd: string | null): RawBuilder<StandbyRow> {
  return sql<StandbyRow>`
    SELECT head, directory_head AS "directoryHead", epoch, timeline, pg_is_in_recovery() AS "isStandby",
           coalesce(pg_wal_lsn_diff(${walEnd}::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 AS "missingBytes"
      FROM (SELECT) AS one LEFT JOIN logs ON organization_id = ${organizationId}`;
}
