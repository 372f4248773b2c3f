/**
 * Files that arrive in pieces, over hours and restarts (tus). Each is stored under its key, and is an ordinary file of
 * the storage once it is complete. The storage keeps only the bytes; the owner of the key keeps everything else about
 * the upload.
 */
import { constants } from 'node:fs';
import { copyFile, open, rename, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { DiskStorage } from './disk.ts';

export interface PiecewiseStorage {
  /** @param size of the complete file, in bytes */
  begin(key: string, size: number): Promise<void>;
  /** Returns the number of stored bytes. */
  lengthOf(key: string): Promise<number>;
  /**
   * Call this before continuing an upload of another process that may have stopped in the middle of writing. Writes
   * that it still makes are then lost. It takes as long as copying the file.
   * @param check is called before anything changes; an error that it throws ends the operation
   */
  takeOver(key: string, check: () => void): Promise<void>;
  /**
   * Appends the content until it ends or fails. Bytes that were written stay. `check` is called before each write. If it
   * throws, the operation ends.
   * @returns the number of bytes that are stored then
   */
  append(key: string, offset: number, content: Readable, check: () => void): Promise<number>;
  /** Resolves when the complete file survives a crash of the process or the machine. */
  finish(key: string): Promise<void>;
}

export class PiecewiseDisk implements PiecewiseStorage {
  readonly #disk: DiskStorage;

  constructor(disk: DiskStorage) {
    this.#disk = disk;
  }

  async begin(key: string): Promise<void> {
    await this.#disk.create(key);
  }

  async lengthOf(key: string): Promise<number> {
    return (await stat(this.#disk.pathOf(key))).size;
  }

  /** The other process may have the file open, so a copy replaces it. */
  async takeOver(key: string, check: () => void): Promise<void> {
    const path = this.#disk.pathOf(key);
    const copy = this.#disk.copyOf(key);
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    check();
    await rename(copy, path);
  }

  async append(key: string, offset: number, content: Readable, check: () => void): Promise<number> {
    const file = await open(this.#disk.pathOf(key), 'r+');
    try {
      await this.#disk.fill(file, offset, content, check);
    } finally {
      await file.close();
    }
    return this.lengthOf(key);
  }

  async finish(key: string): Promise<void> {
    const file = await open(this.#disk.pathOf(key), 'r');
    await file.sync().finally(() => file.close());
    // After `takeOver`, the name refers to another file than the one that `begin` created.
    await this.#disk.syncName(key);
  }
}
