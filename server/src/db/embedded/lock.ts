import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

/** Who holds a data directory, and how a command reaches the cluster that the holder runs. */
export interface LockRecord {
  readonly pid: number;
  /** See {@link startOf}: tells the holder from a later process with the same id. */
  readonly started: string | null;
  readonly purpose: Purpose;
  /** Only a `ready` holder may be attached to; a `stopping` one accepts no newcomers. */
  readonly state: 'starting' | 'ready' | 'stopping';
  readonly connection: Connection | null;
}

/** Keeps the guards' database handles from being collected, which would release the locks. */
const held = new Set<DataDirectoryLock>();

/** SQLite's result code for "another process holds the lock". */
const sqliteBusy = 5;

/**
 * The right to run a data directory's cluster: one process has it at a time.
 *
 * It is a lock of the kernel's (taken through SQLite, the one way to a POSIX file lock that Node has built in), so it ends
 * with its holder however that dies, two takers can never both win, and it holds between containers that share the
 * directory. What a file says cannot be stale, because a file is not what is believed: `heddle.lock` only tells people
 * and commands who the holder is, and a record left by a dead process or naming a reused id means nothing.
 *
 * Nothing else in this process may open `heddle.lock.guard`: closing any descriptor of a file drops a process's locks on it.
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

  /** Takes the lock, or answers null when another process (or this one) has it. */
  static tryAcquire(dataDirectory: string, purpose: Purpose): DataDirectoryLock | null {
    const path = join(dataDirectory, 'heddle.lock.guard');
    let guard: DatabaseSync | null = null;
    try {
      guard = new DatabaseSync(path, { timeout: 0 });
      // Nothing is ever written to the guard; not keeping a journal makes that true of a file beside it as well.
      guard.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      // Whoever may read it could lock it.
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

  /** Tells others that the cluster can be reached, or no longer. */
  announce(state: LockRecord['state'], connection: Connection | null): void {
    this.#record = { ...this.#record, state, connection };
    this.#write();
  }

  /** Gives the lock up. The guard file stays: removing it would let two processes lock two files of one name. */
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

/** The record of the last holder, which may be dead: ask {@link isHolderAlive}. */
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
 * Creates the data directory where it is missing. Root's lets others pass through (not list it): PostgreSQL has to.
 * @throws EmbeddedPostgresError where it cannot be created or written
 */
export function ensureDataDirectory(dataDirectory: string): void {
  try {
    // Node reports ENOENT for a directory that it may not create, so the first one that exists is asked.
    accessSync(nearestExisting(dataDirectory), constants.W_OK);
    mkdirSync(dataDirectory, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    throw asEmbeddedPostgresError(dataDirectory, error);
  }
}

/** The path itself, or the nearest directory above it that exists. A file among them shows when it is written to. */
function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** A holder that ends in order removes this file; one that is killed leaves it. */
export function recordPath(dataDirectory: string): string {
  return join(dataDirectory, 'heddle.lock');
}

function isLockRecord(value: unknown): value is LockRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'started' in value &&
    (value.started === null || typeof value.started === 'string') &&
    'purpose' in value &&
    (value.purpose === 'serve' || value.purpose === 'command') &&
    'state' in value &&
    (value.state === 'starting' || value.state === 'ready' || value.state === 'stopping') &&
    'connection' in value &&
    typeof value.connection === 'object'
  );
}
