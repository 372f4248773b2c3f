import { readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { spaceOf } from './reserve.ts';

/** `throw-away` can lose data in a crash, and is only for the clusters of tests. */
export type Durability = 'durable' | 'throw-away';

export interface Machine {
  readonly memoryBytes: number;
  /** Size of the file system that holds the cluster. */
  readonly diskBytes: number;
  /** Size of the tables and indexes. */
  readonly dataBytes: number;
}

const mebibyte = 1024 * 1024;

/** One process needs 22. Tests run several servers beside each other, and PostgreSQL keeps 80 KB of locks for each connection. */
const MIN_CONNECTIONS = 100;

/** Used instead of the machine's memory for a throw-away cluster. */
export const THROW_AWAY_MEMORY = 1024 * mebibyte;

/** The memory of the machine or container, the disk of a cluster, and its data. */
export function measureMachine(clusterDirectory: string): Machine {
  return {
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    diskBytes: spaceOf(clusterDirectory).totalBytes,
    dataBytes: bytesIn(join(clusterDirectory, 'base')),
  };
}

/** A PostgreSQL that outlived its server may remove files and directories meanwhile. */
function bytesIn(directory: string): number {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (!status?.isDirectory()) return status?.size ?? 0;
  return namesIn(directory).reduce((sum, name) => sum + bytesIn(join(directory, name)), 0);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * The server settings. On the command line they override `postgresql.conf` and `ALTER SYSTEM`.
 *
 * PostgreSQL shares the machine with Heddle. So the buffers get an eighth of the memory instead of the usual quarter. PostgreSQL initializes
 * a description of each buffer, used or not, which is 2 % of their size. So a small database on a large machine gets only buffers for four times
 * its data. If it grows beyond them before the next start, the system caches the rest.
 * @param connections how many the server needs
 */
export function settingsFor(
  machine: Machine,
  durability: Durability,
  connections = MIN_CONNECTIONS,
): Record<string, string> {
  // Creating and dropping a database scans all buffers, and tests do that hundreds of times.
  const memory = Math.floor((durability === 'durable' ? machine.memoryBytes : THROW_AWAY_MEMORY) / mebibyte);
  const disk = Math.floor(machine.diskBytes / mebibyte);
  const usefulBuffers = clamp(Math.ceil((4 * machine.dataBytes) / mebibyte), 256, 4096);
  const maxWal = clamp(Math.floor(disk / 20), 64, 1024);
  return {
    cluster_name: 'heddle',
    timezone: 'UTC',
    max_connections: String(Math.max(connections, MIN_CONNECTIONS)),
    // From PostgreSQL 18 on, this is also the number of locks in a connection's fast path. The statement of a register takes about a
    // hundred locks, and saves a quarter of its time.
    max_locks_per_transaction: '256',

    shared_buffers: `${clamp(Math.floor(memory / 8), 32, usefulBuffers)}MB`,
    effective_cache_size: `${Math.max(Math.floor(memory / 2), 64)}MB`,
    work_mem: `${clamp(Math.floor(memory / 1024), 4, 32)}MB`,
    maintenance_work_mem: `${clamp(Math.floor(memory / 32), 32, 512)}MB`,

    // Durability. These are explicit, so that no file on disk can weaken them.
    fsync: durability === 'durable' ? 'on' : 'off',
    full_page_writes: 'on',
    synchronous_commit: 'on',

    // A test process that gets no processor time for a minute does not lose its new connection.
    authentication_timeout: durability === 'durable' ? '60s' : '600s',

    // Before recovery, one call syncs the file system, instead of one for each of a thousand files.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),

    // Many small commits: a fixed size of the WAL buffers, and recycled segments. No `commit_delay`, because group commit is done before.
    // `max_wal_size` bounds the size of the WAL and the duration of recovery. `min_wal_size` has room for the segments of the disk guard.
    wal_buffers: '4MB',
    max_wal_size: `${maxWal}MB`,
    min_wal_size: `${clamp(Math.floor(maxWal / 4), 64, 256)}MB`,

    // Statements are short, so a compiler and parallel workers would cost more than they save.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_logical_replication_workers: '0',
    // Otherwise each checkpoint creates a file for them, and panics if the disk is full.
    max_active_replication_origins: '0',
    random_page_cost: '1.1',

    // Some rows change thousands of times a second (the row of `logs`), so dead versions must go soon.
    autovacuum_naptime: '15s',
    // Cancels a statement whose client was killed, because it holds locks.
    client_connection_check_interval: '2s',

    // The log must not contain messages of users. So it contains no statements, and no DETAIL lines, which quote rows.
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
