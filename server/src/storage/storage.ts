/**
 * The storage of uploaded files: a disk or an S3-compatible store. A file is written once, under a random key that
 * cannot be guessed, and never changes. Its name and its access rules are in the database. The storage never holds a
 * whole file in memory, except for `whole`.
 */
import { randomBytes } from 'node:crypto';
import { sep } from 'node:path';
import type { Readable } from 'node:stream';

/** A range of bytes. Both ends are included. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

export interface Storage {
  /**
   * Stores the content. When it resolves, the file survives a crash of the process or the machine. If the content or
   * the store fails, it rejects. It may then leave a part behind, which `remove` removes.
   */
  put(key: string, content: Readable): Promise<void>;
  /** Rejects if there is no such file, or fails while the stream is read. */
  get(key: string, part: Part): Promise<Readable>;
  /** Removes the file, and unfinished uploads under the key. Does nothing if there is neither. */
  remove(key: string): Promise<void>;
  /**
   * Returns the path of the file on this machine, or its bytes.
   * @param size as it was written
   */
  whole(key: string, size: number): Promise<string | Buffer>;
  /** Rejects if the storage cannot be reached, or refuses every file. It writes nothing. */
  check(): Promise<void>;
}

/** Whether the storage has no such file: the errors of a disk and of an S3-compatible store. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || ('code' in error && error.code === 'ENOENT'));
}

/** Whether the storage failed: an error of a file below the data directory, or of an S3-compatible store. */
export function isStorageFailure(error: unknown, dataDirectory: string): boolean {
  if (!(error instanceof Error)) return false;
  if ('$metadata' in error) return true;
  return 'path' in error && typeof error.path === 'string' && error.path.startsWith(dataDirectory + sep);
}

/** Returns the key of a new file: 128 random bits in hexadecimal. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Returns keys with the same first digits. Their files are in one directory of a disk, which is synced once for files
 * that arrive together.
 */
export function newKeys(count: number): readonly string[] {
  const directory = randomBytes(1).toString('hex');
  return Array.from({ length: count }, () => directory + randomBytes(15).toString('hex'));
}
