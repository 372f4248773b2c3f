/**
 * Files that come in pieces, over hours and restarts (tus): each is written under its key, and is an ordinary file of the storage once it
 * is whole. What is known of it but its bytes is its owner's to keep.
 */
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DiskStorage } from './disk.ts';

export interface PiecewiseStorage {
  /** @param size bytes that it is to have */
  begin(key: string, size: number): Promise<void>;
  /** Bytes that are there. */
  lengthOf(key: string): Promise<number>;
  /** Adds what the content has, up to where it fails; what was written stays. @returns bytes that are there then */
  append(key: string, offset: number, content: Readable): Promise<number>;
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

  async append(key: string, offset: number, content: Readable): Promise<number> {
    const path = this.#disk.pathOf(key);
    await pipeline(
      this.#disk.whileThereIsRoom(content),
      createWriteStream(path, { flags: 'r+', start: offset, highWaterMark: 1024 * 1024 }),
    );
    return this.lengthOf(key);
  }

  async finish(key: string): Promise<void> {
    const file: FileHandle = await open(this.#disk.pathOf(key), 'r');
    await file.sync().finally(() => file.close());
  }
}
