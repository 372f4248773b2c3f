import { type Readable, Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import { LIMITS } from '../limits.ts';
import { ImportError } from '../source.ts';

/** The files of an archive: a zip, a tar, or a directory. Paths have no `..`, are relative, and are separated by `/`. */
export interface ArchiveFiles {
  /** Bytes by path. */
  readonly files: ReadonlyMap<string, number>;
  /** Files that are not read: symbolic links and special files. */
  readonly ignored: readonly string[];
  /** @throws ImportError there is no such file, or it is damaged */
  open(path: string): Promise<Readable>;
  close(): Promise<void>;
}

/** Why a path is not accepted; undefined if it is. */
export function problemOfPath(path: string): string | undefined {
  if (path.length > LIMITS.pathLength) return `it has more than ${LIMITS.pathLength} characters`;
  if (path.includes('\0') || path.includes('\\')) return 'it has characters that are not allowed';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'it is absolute';
  if (path.split('/').includes('..')) return 'it leads out of the archive';
  return undefined;
}

/** Counts what an archive says about its entries, before any of them is read. */
export class EntryCount {
  readonly #archive: string;
  #entries = 0;
  #bytes = 0;

  constructor(archive: string) {
    this.#archive = archive;
  }

  /** @throws ImportError the archive exceeds a limit */
  add(path: string, bytes: number, packedBytes?: number): void {
    this.#entries += 1;
    this.#bytes += bytes;
    const problem = problemOfPath(path);
    const name = JSON.stringify(path.slice(0, 200));
    if (problem !== undefined)
      throw new ImportError(`${this.#archive} is refused: the path ${name} is not valid, because ${problem}.`);
    if (this.#entries > LIMITS.entries)
      throw new ImportError(`${this.#archive} has more than ${LIMITS.entries} entries.`);
    if (this.#bytes > LIMITS.totalBytes)
      throw new ImportError(`${this.#archive} is larger than ${LIMITS.totalBytes} bytes when unpacked.`);
    if (packedBytes !== undefined && bytes > LIMITS.ratioFromBytes && bytes > LIMITS.ratio * packedBytes) {
      throw new ImportError(
        `${this.#archive} is refused: ${name} is more than ${LIMITS.ratio} times larger than its compressed bytes.`,
      );
    }
  }

  /**
   * For archives that are compressed as a whole, while they are unpacked.
   * @param packedBytes undefined: it is not compressed
   * @throws ImportError
   */
  checkRatio(bytes: number, packedBytes: number | undefined): void {
    if (packedBytes === undefined || bytes <= LIMITS.ratioFromBytes || bytes <= LIMITS.ratio * packedBytes) return;
    throw new ImportError(
      `${this.#archive} is refused: its content is more than ${LIMITS.ratio} times larger than the archive.`,
    );
  }
}

/** The error of a library as a sentence for the operator. */
export function damaged(path: string, error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  return new ImportError(`Cannot read ${path}, which may be damaged: ${reasonOf(error)}.`);
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.replace(/\.+$/, '');
}

/**
 * The content of a file of an archive. If it cannot be read, or differs from its checksum, its error is an `ImportError`.
 * @param checksum CRC-32
 */
export function explainedContent(content: Readable, path: string, checksum?: number): Readable {
  let sum = 0;
  const passed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (checksum !== undefined) sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      const isRight = checksum === undefined || sum === checksum;
      done(isRight ? null : damaged(path, 'its content differs from its checksum'));
    },
  });
  content.on('error', (error) => passed.destroy(damaged(path, error)));
  passed.on('close', () => content.destroy());
  return content.pipe(passed);
}
