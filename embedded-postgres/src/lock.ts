import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDirectories } from './create-directories.ts';
import { asEmbeddedPostgresError } from './errors.ts';
import { startOf } from './processes.ts';

export type Purpose = 'serve' | 'command';

export interface Connection {
  /** The socket's directory, which `pg` takes as host. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Describes the holder of a data directory, and how commands connect to its cluster. */
export interface LockRecord {
  readonly pid: number;
  /** See {@link startOf}: distinguishes the holder from a later process with the same id. */
  readonly started: string | null;
  readonly purpose: Purpose;
  /** Commands attach only to a `ready` holder. */
  readonly state: 'starting' | 'ready' | 'stopping';
  readonly connection: Connection | null;
}

/** Protects the database handles from garbage collection, which would release the locks. */
const held = new Set<DataDirectoryLock>();

/** SQLite's result code for "another process holds the lock". */
const sqliteBusy = 5;

/**
 * Only its holder may run the cluster of a data directory.
 *
 * The kernel holds the lock, so it ends with the process and works between containers that share the directory. SQLite is the only
 * way to a POSIX file lock in Node. The file `heddle.lock` only tells people and commands who the holder is. The file of a dead
 * process means nothing.
 *
 * Nothing else in this process may open `heddle.lock.guard`: closing any descriptor of a file releases the locks on it.
 */
export class DataDirectoryLock {
  readonly #guard: DatabaseSync;
  readonly #recordPath: string;
  #record: LockRecord;

  private constructor(guard: DatabaseSync, dataDirectory: string, purpose: Purpose) {
    this.#guard = guard;
    this.#recordPath = recordPath(dataDirectory);
    this.#record = {
      pid: process.pid,
      started: startOf(process.pid),
      purpose,
      state: 'starting',
      connection: null,
    };
    this.#write();
  }

  /** Acquires the lock. Returns null if another process, or this one, holds it. */
  static tryAcquire(dataDirectory: string, purpose: Purpose): DataDirectoryLock | null {
    const path = join(dataDirectory, 'heddle.lock.guard');
    let guard: DatabaseSync | null = null;
    try {
      guard = new DatabaseSync(path, { timeout: 0 });
      // Nothing writes to the guard. Without a journal, no second file appears either.
      guard.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      // A user who can read the file can lock it.
      chmodSync(path, 0o600);
      const lock = new DataDirectoryLock(guard, dataDirectory, purpose);
      held.add(lock);
      return lock;
    } catch (error) {
      guard?.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null;
      throw asEmbeddedPostgresError(dataDirectory, error);
    }
  }

  /** Publishes the state of the cluster to other processes. */
  announce(state: LockRecord['state'], connection: Connection | null): void {
    this.#record = { ...this.#record, state, connection };
    this.#write();
  }

  /** Releases the lock. The guard file stays: without it, two processes could lock two files of one name. */
  release(): void {
    if (!held.delete(this)) return;
    rmSync(this.#recordPath, { force: true });
    this.#guard.close();
  }

  #write(): void {
    const draft = `${this.#recordPath}.new`;
    writeFileSync(draft, `${JSON.stringify(this.#record)}\n`, { mode: 0o600 });
    renameSync(draft, this.#recordPath);
  }
}

/** The record of the last holder, which may be dead: see {@link isHolderAlive}. */
export function readLockRecord(dataDirectory: string): LockRecord | null {
  try {
    const record: unknown = JSON.parse(readFileSync(recordPath(dataDirectory), 'utf8'));
    return isLockRecord(record) ? record : null;
  } catch {
    return null;
  }
}

export function isHolderAlive(record: LockRecord): boolean {
  return record.started !== null && startOf(record.pid) === record.started;
}

/**
 * Creates the data directory if it is missing. Others can enter, but not list, a directory of root, because PostgreSQL must.
 * @throws EmbeddedPostgresError if it cannot be created or written
 */
export function ensureDataDirectory(dataDirectory: string): void {
  try {
    // Node reports ENOENT for a directory that it may not create, so this checks the first one that exists.
    accessSync(nearestExisting(dataDirectory), constants.W_OK);
    createDirectories(dataDirectory, process.geteuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    throw asEmbeddedPostgresError(dataDirectory, error);
  }
}

/** The path itself, or the nearest path above it that exists. */
function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** A holder that stops removes this file. A killed one leaves it. */
export function recordPath(dataDirectory: string): string {
  return join(dataDirectory, 'heddle.lock');
}

function isLockRecord(value: unknown): value is LockRecord {
  const { pid, started, purpose, state, connection } = (value ?? {}) as Record<keyof LockRecord, unknown>;
  return (
    Number.isInteger(pid) &&
    (started === null || typeof started === 'string') &&
    (purpose === 'serve' || purpose === 'command') &&
    (state === 'starting' || state === 'ready' || state === 'stopping') &&
    typeof connection === 'object'
  );
}
