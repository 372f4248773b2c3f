/**
 * Files that come in pieces, over hours and restarts (tus): each is written under its key, and is an ordinary file of the storage once it
 * is whole. What is known of it but its bytes is its owner's to keep.
 */
import { constants } from 'node:fs';
import { copyFile, open, rename, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { DiskStorage } from './disk.ts';

export interface PiecewiseStorage {
  /** @param size bytes that it is to have */
  begin(key: string, size: number): Promise<void>;
  /** Bytes that are there. */
  lengthOf(key: string): Promise<number>;
  /**
   * To be called before anything is added after somebody who may have been stopped in the middle of adding: what they still write goes
   * nowhere. It takes as long as a large file takes to be copied.
   * @param check is asked before anything is changed; what it throws ends it
   */
  takeOver(key: string, check: () => void): Promise<void>;
  /**
   * Adds what the content has, up to where it fails; what was written stays.
   * @param check is asked before each write; what it throws ends the adding
   * @returns bytes that are there then
   */
  append(key: string, offset: number, content: Readable, check: () => void): Promise<number>;
  /** When it resolves the whole file outlives the process and the machine. */
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

  /** They have the file open, so it is replaced by a copy. */
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
    // Where it was taken over, the name stands for another file than the one that was begun.
    await this.#disk.syncName(key);
  }
}
