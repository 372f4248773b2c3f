import { createReadStream, createWriteStream, mkdirSync, type ReadStream } from 'node:fs';
import { open, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { LIMITS } from '../limits.ts';
import { ImportError } from '../source.ts';
import { type ArchiveFiles, damaged, EntryCount, explainedContent } from './archive-files.ts';

const REGULAR = new Set(['File', 'OldFile', 'ContiguousFile']);
const DIRECTORIES = new Set(['Directory', 'GNUDumpDir']);
/** Files of one directory of the unpacked archive. */
const FILES_PER_DIRECTORY = 1000;
const FILES_PER_REPORT = 100;

/**
 * Unpacks a tar archive, compressed or not: its entries cannot be read in any order. The unpacked files have numbers as names, so no
 * path of the archive is used as a path of this machine.
 * @param directory an empty directory of this import
 * @param unpacked called sometimes; it can throw to stop
 * @throws ImportError
 */
export async function unpackTar(
  path: string,
  directory: string,
  unpacked: (files: number) => void,
): Promise<ArchiveFiles> {
  const unpacking = new Unpacking(path, directory, unpacked);
  const input = createReadStream(path);
  try {
    const isCompressed = GZIP.equals(await firstBytes(path));
    const content = isCompressed ? unzipped(input) : input;
    await unpacking.read(content, isCompressed ? (await stat(path)).size : undefined);
  } catch (error) {
    throw error === unpacking.stopReason ? error : damaged(path, error);
  } finally {
    input.destroy();
  }
  const { entries, ignored } = unpacking;
  return {
    files: new Map([...entries].map(([name, { bytes }]) => [name, bytes])),
    ignored,
    async open(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new ImportError(`The archive has no file ${name}.`);
      return explainedContent(createReadStream(entry.file), name);
    },
    close: () => Promise.resolve(),
  };
}

const GZIP = Buffer.from([0x1f, 0x8b]);
/** The library would unpack compressed content again, without our limit. */
const COMPRESSED = [GZIP, Buffer.from([0x28, 0xb5])];

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** An error of the input is an error of the result. */
function unzipped(input: ReadStream): Gunzip {
  const gunzip = createGunzip();
  pipe(input, gunzip, () => undefined);
  return gunzip;
}

class Unpacking {
  readonly entries = new Map<string, { readonly file: string; readonly bytes: number }>();
  readonly ignored: string[] = [];
  /** What `unpacked` threw. */
  stopReason: unknown;
  readonly #archive: string;
  readonly #directory: string;
  readonly #unpacked: (files: number) => void;
  readonly #count: EntryCount;

  constructor(archive: string, directory: string, unpacked: (files: number) => void) {
    this.#archive = archive;
    this.#directory = directory;
    this.#unpacked = unpacked;
    this.#count = new EntryCount(archive);
  }

  /** Entries arrive one after the other: the parser waits until the content of one is read. */
  async read(content: AsyncIterable<Buffer>, packedBytes: number | undefined): Promise<void> {
    const parser = new Parser({ strict: true });
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => undefined);
    parser.on('error', ended.reject).on('end', ended.resolve);
    // What follows the end of the archive is not read.
    const atEnd = Promise.withResolvers<void>();
    let isAtEnd = false;
    parser.on('eof', () => {
      isAtEnd = true;
      atEnd.resolve();
    });
    parser.on('entry', (entry: ReadEntry) => {
      this.#take(entry).catch((error: unknown) => {
        ended.reject(error);
        entry.resume();
      });
    });
    let bytes = 0;
    for await (const chunk of content) {
      if (bytes === 0 && COMPRESSED.some((magic) => chunk.subarray(0, magic.length).equals(magic)))
        throw new ImportError(`${this.#archive} is compressed more than once, or in a way that is not supported.`);
      bytes += chunk.length;
      this.#count.checkRatio(bytes, packedBytes);
      const isReady = parser.write(chunk);
      if (isAtEnd) break;
      if (isReady) continue;
      const drained = Promise.withResolvers<void>();
      parser.once('drain', drained.resolve);
      await Promise.race([drained.promise, ended.promise, atEnd.promise]);
    }
    parser.end();
    await ended.promise;
    await this.#written;
    if (this.entries.size === 0) throw new ImportError(`${this.#archive} is not a tar archive, or it is empty.`);
  }

  #written: Promise<unknown> = Promise.resolve();

  async #take(entry: ReadEntry): Promise<void> {
    const name = entry.path.replace(/^(?:\.\/)+/, '');
    const { type, size } = entry;
    this.#count.add(name, REGULAR.has(type) ? size : 0);
    if (!REGULAR.has(type)) {
      if (!DIRECTORIES.has(type)) this.ignored.push(name);
      entry.resume();
      return;
    }
    if (this.entries.has(name))
      throw new ImportError(`${this.#archive} has ${JSON.stringify(name.slice(0, 200))} twice.`);
    const number = this.entries.size;
    if (number % FILES_PER_REPORT === 0) this.#tell(number);
    const folder = join(this.#directory, String(Math.floor(number / FILES_PER_DIRECTORY)));
    const file = join(folder, String(number));
    this.entries.set(name, { file, bytes: size });
    const writing = this.#write(entry, { folder, file, isFirst: number % FILES_PER_DIRECTORY === 0 });
    this.#written = Promise.all([this.#written, writing.catch(() => undefined)]);
    await writing;
  }

  #tell(files: number): void {
    try {
      this.#unpacked(files);
    } catch (error) {
      this.stopReason = error;
      throw error;
    }
  }

  async #write(entry: ReadEntry, to: { readonly folder: string; readonly file: string; readonly isFirst: boolean }) {
    // At once: the next entry can arrive while this one waits.
    if (to.isFirst) mkdirSync(to.folder, { recursive: true });
    if (to.isFirst || entry.size > LIMITS.ratioFromBytes) await this.#checkSpace(entry.size);
    await pipeline(entry, createWriteStream(to.file, { mode: 0o600 }));
  }

  async #checkSpace(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#directory);
    if (bavail * bsize - bytes >= LIMITS.freeBytes) return;
    throw new ImportError(
      `There is no room to unpack ${this.#archive} in the data directory. Free some space, or unpack the archive on another disk and name the directory.`,
    );
  }
}
