import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { DirectorySyncs } from './directory-syncs.ts';
import { FileWriter } from './file-writer.ts';
import type { Part, Storage } from './storage.ts';

/** Bytes that uploads leave free on the disk: the database may be on it. */
const LEFT_FREE = 512 * 1024 * 1024;
/** What is read at once, in bytes. */
const READ_AHEAD = 64 * 1024;
/** After so many bytes of all files, or so many milliseconds, it is looked again whether there is room: others write meanwhile. */
const LOOK_AFTER = 8 * 1024 * 1024;
const LOOK_EVERY = 1000;

/** Files in a directory, in 256 of its own by the first two digits of their keys. */
export class DiskStorage implements Storage {
  readonly #directory: string;
  readonly #leftFree: number;
  readonly #syncs = new DirectorySyncs();
  /** Resolves for each when it is there for good. */
  readonly #made = new Map<string, Promise<void>>();
  #unlooked = Number.POSITIVE_INFINITY;
  #lookedAt = 0;

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
      // The name is on the disk by the time that the bytes have come.
      const named = this.#syncs.sync(dirname(path));
      named.catch(() => undefined);
      await this.fill(file, 0, content);
      await Promise.all([file.sync(), named]);
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
    const before = (bytes: number): Promise<void> | undefined => {
      check();
      return this.#checkRoomFor(bytes);
    };
    await pipeline(content, new FileWriter(file, start, before));
  }

  /** An empty file under the key, for one that comes in pieces. */
  async create(key: string): Promise<void> {
    const path = await this.#place(key);
    await writeFile(path, '', { flag: 'wx', mode: 0o600, flush: true });
    await this.syncName(key);
  }

  /** Resolves when what the key stands for now is what it stands for after the machine has stopped. */
  async syncName(key: string): Promise<void> {
    await this.#syncs.sync(dirname(this.pathOf(key)));
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
  #checkRoomFor(bytes: number): Promise<void> | undefined {
    this.#unlooked += bytes;
    if (this.#unlooked < LOOK_AFTER && performance.now() - this.#lookedAt < LOOK_EVERY) return undefined;
    this.#unlooked = 0;
    this.#lookedAt = performance.now();
    return this.#checkRoom();
  }

  async #checkRoom(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(this.#directory);
      if (bavail * bsize < this.#leftFree) throw serviceUnavailable('The server has no room for more files');
    } catch (error) {
      // The next write is not to go through unlooked.
      this.#unlooked = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  #make(directory: string): Promise<void> {
    const known = this.#made.get(directory);
    if (known !== undefined) return known;
    const making = this.#makeForGood(directory).catch((error) => {
      this.#made.delete(directory);
      throw error;
    });
    this.#made.set(directory, making);
    return making;
  }

  /** Also where it is there already: who made it may have been killed before its name was on the disk. */
  async #makeForGood(directory: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await Promise.all([this.#syncs.sync(this.#directory), this.#syncs.sync(dirname(this.#directory))]);
  }
}
