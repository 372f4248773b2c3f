import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { FileWriter } from './file-writer.ts';
import type { Part, Storage } from './storage.ts';

/** Bytes that uploads leave free on the disk: the database may be on it. */
const LEFT_FREE = 512 * 1024 * 1024;
/** What is read at once, in bytes. */
const READ_AHEAD = 64 * 1024;
/** After so many bytes of a file it is looked again whether there is room: others write meanwhile. */
const LOOK_AFTER = 8 * 1024 * 1024;

/** Files in a directory, in 256 of its own by the first two digits of their keys. */
export class DiskStorage implements Storage {
  readonly #directory: string;
  readonly #leftFree: number;
  /** Those that are known to be there for good. */
  readonly #made = new Set<string>();

  /**
   * @param directory made when the first file comes
   * @param leftFree bytes
   */
  constructor(directory: string, leftFree = LEFT_FREE) {
    this.#directory = directory;
    this.#leftFree = leftFree;
  }

  async put(key: string, content: Readable): Promise<void> {
    const path = await this.#place(key);
    const file = await open(path, 'wx', 0o600);
    try {
      await this.fill(file, 0, content);
      await Promise.all([file.sync(), syncDirectory(dirname(path))]);
    } finally {
      await file.close();
    }
  }

  /**
   * Writes the content into an open file, while there is room.
   * @param check is asked before each write; what it throws ends the writing
   * @throws ApiError 503
   */
  async fill(file: FileHandle, start: number, content: Readable, check: () => void = () => undefined): Promise<void> {
    let unlooked = LOOK_AFTER;
    const before = (bytes: number): Promise<void> | undefined => {
      check();
      unlooked += bytes;
      if (unlooked < LOOK_AFTER) return undefined;
      unlooked = 0;
      return this.#checkRoom();
    };
    await pipeline(content, new FileWriter(file, start, before));
  }

  /** An empty file under the key, for one that comes in pieces. */
  async create(key: string): Promise<void> {
    const path = await this.#place(key);
    await writeFile(path, '', { flag: 'wx', mode: 0o600, flush: true });
    await syncDirectory(dirname(path));
  }

  /** Where the file is to be. */
  async #place(key: string): Promise<string> {
    const path = this.pathOf(key);
    await this.#make(dirname(path));
    return path;
  }

  async get(key: string, { start, end }: Part): Promise<Readable> {
    const content = createReadStream(this.pathOf(key), { start, end, highWaterMark: READ_AHEAD });
    await once(content, 'open');
    return content;
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    await rm(this.copyOf(key), { force: true });
  }

  async whole(key: string): Promise<string> {
    return this.pathOf(key);
  }

  /** Where a copy of the file is made. */
  copyOf(key: string): string {
    return `${this.pathOf(key)}.copy`;
  }

  /** @throws Error for what is no key of ours */
  pathOf(key: string): string {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('that is no key of a file');
    return join(this.#directory, key.slice(0, 2), key);
  }

  /** @throws ApiError 503 */
  async #checkRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#directory);
    if (bavail * bsize < this.#leftFree) throw serviceUnavailable('The server has no room for more files');
  }

  async #make(directory: string): Promise<void> {
    if (this.#made.has(directory)) return;
    const first = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (first !== undefined) {
      await syncDirectory(this.#directory);
      await syncDirectory(dirname(this.#directory));
    }
    this.#made.add(directory);
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
