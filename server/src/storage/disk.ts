import { createWriteStream } from 'node:fs';
import { mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type { Part, Storage } from './storage.ts';

/** Bytes that uploads leave free on the disk: the database may be on it. */
const LEFT_FREE = 512 * 1024 * 1024;
const WRITE_AHEAD = 1024 * 1024;
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
    // `flush`: the file is on the disk before it is closed.
    await pipeline(
      this.whileThereIsRoom(content),
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WRITE_AHEAD }),
    );
    await syncDirectory(dirname(path));
  }

  /** An empty file under the key, for one that comes in pieces. */
  async create(key: string): Promise<void> {
    const path = await this.#place(key);
    await writeFile(path, '', { flag: 'wx', mode: 0o600, flush: true });
    await syncDirectory(dirname(path));
  }

  /** Where the file is to be, with room for it. */
  async #place(key: string): Promise<string> {
    const path = this.pathOf(key);
    await this.#make(dirname(path));
    await this.#checkRoom();
    return path;
  }

  async get(key: string, { start, end }: Part): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r');
    return file.createReadStream({ start, end, highWaterMark: 256 * 1024 });
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async whole(key: string): Promise<string> {
    return this.pathOf(key);
  }

  /** @throws Error for what is no key of ours */
  pathOf(key: string): string {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('that is no key of a file');
    return join(this.#directory, key.slice(0, 2), key);
  }

  /** The content, which fails with ApiError 503 where there is no room for what comes next. */
  async *whileThereIsRoom(content: Readable): AsyncGenerator<Buffer> {
    let unlooked = LOOK_AFTER;
    for await (const chunk of content) {
      unlooked += (chunk as Buffer).length;
      if (unlooked >= LOOK_AFTER) {
        await this.#checkRoom();
        unlooked = 0;
      }
      yield chunk as Buffer;
    }
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
