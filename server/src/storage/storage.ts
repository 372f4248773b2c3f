/**
 * Where uploaded files lie: a disk or an S3-compatible store. A file is written once under a key of ours, which nobody can guess, and
 * never changed; what it is called and who may have it is in the database. Nothing is whole in memory.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** Both ends included; in bytes. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

export interface Storage {
  /**
   * Keeps what the content ends with; when it resolves the file outlives the process and the machine. Where the content or the store fails
   * it rejects, and may leave a piece behind, which `remove` removes.
   */
  put(key: string, content: Readable): Promise<void>;
  /** Fails, then or while it is read, where there is no such file. */
  get(key: string, part: Part): Promise<Readable>;
  /** Also what was begun under the key and never finished; nothing happens where there is neither. */
  remove(key: string): Promise<void>;
  /** What a program can read the whole file from: where it lies on this machine, or its bytes. @param size as it was written */
  whole(key: string, size: number): Promise<string | Buffer>;
}

/** The key of a new file: 128 random bits in hexadecimal. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}

/** Keys that begin alike: their files are in one directory of a disk, which is synced once for those that come together. */
export function newKeys(count: number): readonly string[] {
  const directory = randomBytes(1).toString('hex');
  return Array.from({ length: count }, () => directory + randomBytes(15).toString('hex'));
}
