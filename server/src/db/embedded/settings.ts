import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

/** `throw-away` gives up the safety of what is written and is for tests' own clusters only. */
export type Durability = 'durable' | 'throw-away';

export interface Machine {
  readonly memoryBytes: number;
  /** Size of the file system that holds the cluster. */
  readonly diskBytes: number;
}

const mebibyte = 1024 * 1024;

/** What a throw-away cluster takes for the machine's memory. */
export const THROW_AWAY_MEMORY = 1024 * mebibyte;

/** The memory this process may use (the container's limit where there is one) and the disk under a directory. */
export function measureMachine(directory: string): Machine {
  const disk = statfsSync(directory);
  return {
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    diskBytes: disk.blocks * disk.bsize,
  };
}

/**
 * The server settings. They go on PostgreSQL's command line, where they outrank postgresql.conf and ALTER SYSTEM, so that
 * every start has exactly these.
 *
 * The machine is shared with Heddle's own process, hence an eighth of its memory for the buffers instead of the quarter
 * that a machine of PostgreSQL's own gets; the kernel's cache serves the rest.
 */
export function settingsFor(machine: Machine, durability: Durability): Record<string, string> {
  // Creating and dropping a database scans all buffers, and tests do that hundreds of times.
  const memory = Math.floor((durability === 'durable' ? machine.memoryBytes : THROW_AWAY_MEMORY) / mebibyte);
  const disk = Math.floor(machine.diskBytes / mebibyte);
  const maxWal = clamp(Math.floor(disk / 20), 64, 1024);
  return {
    cluster_name: 'heddle',
    timezone: 'UTC',
    max_connections: '100',
    // A connection notes so many locks of tables and indexes by itself; others go through a table that all share. The statement of a
    // registration takes some hundred, and a quarter less time so.
    max_locks_per_transaction: '256',

    shared_buffers: `${clamp(Math.floor(memory / 8), 32, 4096)}MB`,
    effective_cache_size: `${Math.max(Math.floor(memory / 2), 64)}MB`,
    work_mem: `${clamp(Math.floor(memory / 1024), 4, 32)}MB`,
    maintenance_work_mem: `${clamp(Math.floor(memory / 32), 32, 512)}MB`,

    // What was acknowledged survives. Said outright, so that nothing on disk can weaken it.
    fsync: durability === 'durable' ? 'on' : 'off',
    full_page_writes: 'on',
    synchronous_commit: 'on',

    // Recovery first brings to disk what the kernel still holds: in one call instead of one for each of a thousand files.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),

    // Small commits at a high rate: room for many of them in the WAL buffers and recycled (not newly allocated) segments.
    // No commit_delay: sends are grouped into one transaction before they get here, so waiting would only add latency.
    // max_wal_size bounds both the space that the WAL takes and the time that recovery after a crash takes.
    wal_buffers: '16MB',
    max_wal_size: `${maxWal}MB`,
    min_wal_size: `${clamp(Math.floor(maxWal / 4), 32, 256)}MB`,

    // Short statements: neither a compiler nor parallel workers pay for themselves, and both take cores from the senders.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_logical_replication_workers: '0',
    random_page_cost: '1.1',

    // Rows that are rewritten thousands of times a second (an organization's log head) need their dead versions gone soon.
    autovacuum_naptime: '15s',
    // A statement whose client was killed is cancelled instead of run to its end with its locks held.
    client_connection_check_interval: '2s',

    // The log must not hold what people wrote: no statements, whose literals may be messages, and (terse) no DETAIL lines,
    // which quote rows.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
