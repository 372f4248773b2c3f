/** What each serving process says about itself in the table `server_processes`, so that `heddle doctor --cluster` sees all from one machine. */
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { hasTable } from '../db/migrate.ts';
import type { Db } from '../db/schema.ts';

/** Where a process runs. At most one process at a time has a place. */
export interface Place {
  readonly node: string;
  /** 0: the server has one process. */
  readonly worker: number;
}

export interface ProcessReport {
  readonly version: string;
  /** The last migration that it knows. */
  readonly migration: string;
  readonly bus: 'local' | 'postgres' | 'nats';
  /** Whether it is connected to NATS, if its bus is that. Otherwise it uses the database. */
  readonly hasNats?: boolean | undefined;
  readonly secret: 'new' | 'equal' | 'different' | 'missing' | 'invalid';
  readonly store: 'new' | 'equal' | 'different' | 'unusable';
  /** How far the clock of its machine is ahead of that of the database. */
  readonly clockDifferenceSeconds: number;
  /** The checks of readiness that fail, with their reasons. */
  readonly failing: Readonly<Record<string, string>>;
}

/** A process that refused to start, for a reason that other processes do not have. */
interface Refusal {
  readonly version: string;
  readonly refusal: string;
}

/** A row as a reader of another release sees it: fields may be missing. */
export interface FoundProcess extends Place {
  readonly heard: string | null;
  readonly ageSeconds: number;
  readonly report: { readonly version: string } & Partial<ProcessReport & Refusal>;
}

/** How often a process reports itself without a question. */
export const REPORT_INTERVAL_MS = 30_000;
/** A process whose last report is older is gone. It allows for one that is late. */
export const MAX_REPORT_AGE_SECONDS = 75;
/** A process that is gone is named for a day. */
const FORGOTTEN_AFTER = '1 day';

/** Hosts that all machines of a cluster may have in their settings. */
const COMMON_HOSTS = new Set(['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']);

export function placeOf({ host }: Pick<Config, 'host'>, port: number, worker = 0): Place {
  return { node: `${COMMON_HOSTS.has(host) ? hostname() : host}:${port}`, worker };
}

/**
 * Writes the report. A process that started later at the same place keeps it.
 * @param startedAt what the first report of this process returned
 * @returns when the process started; undefined if another one has the place
 */
export async function writeReport(
  db: Db,
  { node, worker }: Place,
  report: ProcessReport | Refusal,
  { startedAt, heard }: { readonly startedAt?: string | undefined; readonly heard?: string | undefined } = {},
): Promise<string | undefined> {
  const { rows } = await sql<{ startedAt: string }>`
    INSERT INTO server_processes (node, worker, started_at, reported_at, heard, report)
    VALUES (${node}, ${worker}, coalesce(${startedAt ?? null}::timestamptz, clock_timestamp()), clock_timestamp(),
            ${heard ?? null}, ${JSON.stringify(report)}::jsonb)
    ON CONFLICT (node, worker) DO UPDATE
       SET started_at = excluded.started_at, reported_at = excluded.reported_at, report = excluded.report,
           heard = coalesce(excluded.heard, server_processes.heard)
     WHERE server_processes.started_at <= excluded.started_at
    RETURNING started_at::text AS "startedAt", set_config('synchronous_commit', 'off', true)`.execute(db);
  return rows[0]?.startedAt;
}

/** Deletes the row of a process that stops, and those of processes that were gone long ago. */
export async function deleteReport(db: Db, { node, worker }: Place, startedAt: string): Promise<void> {
  await sql`
    DELETE FROM server_processes
     WHERE (node = ${node} AND worker = ${worker} AND started_at = ${startedAt}::timestamptz)
        OR reported_at < clock_timestamp() - ${FORGOTTEN_AFTER}::interval
    RETURNING set_config('synchronous_commit', 'off', true)`.execute(db);
}

/** All processes that reported within a day, by their places. Undefined: no release with such reports has started yet. */
export async function readReports(db: Db): Promise<readonly FoundProcess[] | undefined> {
  if (!(await hasTable(db, 'server_processes'))) return undefined;
  const { rows } = await sql<FoundProcess>`
    SELECT node, worker, heard, report, extract(epoch FROM clock_timestamp() - reported_at)::float8 AS "ageSeconds"
      FROM server_processes WHERE reported_at > clock_timestamp() - ${FORGOTTEN_AFTER}::interval
     ORDER BY node, worker`.execute(db);
  return rows;
}
