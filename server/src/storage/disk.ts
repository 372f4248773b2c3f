import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { access, type FileHandle, mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { DirectorySyncs } from './directory-syncs.ts';
import { FileWriter } from './file-writer.ts';
import type { Part, Storage } from './storage.ts';

/** How many bytes uploads leave free on the disk, because the database may be on it. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;
/** How many bytes are read at once. */
const READ_BUFFER_BYTES = 64 * 1024;
/** The free space is checked again after this many bytes of all files, or this many milliseconds: others write too. */
const CHECK_AFTER_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 1000;

/** Stores files in a directory with 256 subdirectories, named by the first two digits of the keys. */
export class DiskStorage implements Storage {
  readonly #directory: string;
  readonly #leftFree: number;
  readonly #syncs = new DirectorySyncs();
  /** Directories that this process has created. Each promise resolves when the directory is durable. */
  readonly #made = new Map<string, Promise<void>>();
  #uncheckedBytes = Number.POSITIVE_INFINITY;
  #checkedAt = 0;

  /**
   * @param directory is created with the first file
   * @param leftFree in bytes
   */
  constructor(directory: string, leftFree = MIN_FREE_BYTES) {
    this.#directory = directory;
    this.#leftFree = leftFree;
  }

  async put(key: string, content: Readable): Promise<void> {
    const path = await this.#place(key);
    const file = await open(path, 'wx', 0o600);
    try {
      // The directory is synced while the bytes arrive.
      const named = this.#syncs.sync(dirname(path));
      named.catch(() => undefined);
      await this.fill(file, 0, content);
      await Promise.all([file.sync(), named]);
    } finally {
      await file.close();
    }
  }

  /**
   * Writes the content into an open file, as long as the disk has free space.
   * `check` is called before each write. If it throws, the writing ends.
   * @throws ApiError 503 if the disk is full
   */
  async fill(file: FileHandle, start: number, content: Readable, check: () => void = () => undefined): Promise<void> {
    const before = (bytes: number): Promise<void> | undefined => {
      check();
      return this.#checkRoomFor(bytes);
    };
    await pipeline(content, new FileWriter(file, start, before));
  }

  /** Creates an empty file under the key, for a file that arrives in pieces. */
  async create(key: string): Promise<void> {
    const path = await this.#place(key);
    await writeFile(path, '', { flag: 'wx', mode: 0o600, flush: true });
    await this.syncName(key);
  }

  /** Resolves when the current file of the key survives a crash of the machine under this name. */
  async syncName(key: string): Promise<void> {
    await this.#syncs.sync(dirname(this.pathOf(key)));
  }

  /** Returns the path of the file, and creates its directory. */
  async #place(key: string): Promise<string> {
    const path = this.pathOf(key);
    await this.#make(dirname(path));
    return path;
  }

  async get(key: string, { start, end }: Part): Promise<Readable> {
    const content = createReadStream(this.pathOf(key), { start, end, highWaterMark: READ_BUFFER_BYTES });
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

  async check(): Promise<void> {
    // The first file creates the directory.
    const exists = await access(this.#directory).then(
      () => true,
      () => false,
    );
    await access(exists ? this.#directory : dirname(this.#directory), constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** The path for a copy of the file. */
  copyOf(key: string): string {
    return `${this.pathOf(key)}.copy`;
  }

  /** @throws Error if it is not a key */
  pathOf(key: string): string {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('invalid key of a file');
    return join(this.#directory, key.slice(0, 2), key);
  }

  /** @throws ApiError 503 */
  #checkRoomFor(bytes: number): Promise<void> | undefined {
    this.#uncheckedBytes += bytes;
    if (this.#uncheckedBytes < CHECK_AFTER_BYTES && performance.now() - this.#checkedAt < CHECK_EVERY_MS)
      return undefined;
    this.#uncheckedBytes = 0;
    this.#checkedAt = performance.now();
    return this.#checkRoom();
  }

  async #checkRoom(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(this.#directory);
      if (bavail * bsize < this.#leftFree) throw serviceUnavailable('The server has no space for more files');
    } catch (error) {
      // The next write must check again.
      this.#uncheckedBytes = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  #make(directory: string): Promise<void> {
    const known = this.#made.get(directory);
    if (known !== undefined) return known;
    const making = this.#makeDurable(directory).catch((error) => {
      this.#made.delete(directory);
      throw error;
    });
    this.#made.set(directory, making);
    return making;
  }

  /** Syncs the directory even if it exists: the process that created it may have been killed before the sync. */
  async #makeDurable(directory: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await Promise.all([this.#syncs.sync(this.#directory), this.#syncs.sync(dirname(this.#directory))]);
  }
}
