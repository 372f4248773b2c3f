/** Free space of a disk, and a file that holds some of it back until PostgreSQL needs it. */
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const MEBIBYTE_BYTES = 1024 * 1024;
const SPARE_BYTES = MEBIBYTE_BYTES;

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What an unprivileged process can still write. */
export function spaceOf(directory: string): Space {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

export interface DiskLimits {
  /** With less free space than this, PostgreSQL refuses changes. */
  readonly refuseBytes: number;
  /** With less free space than this, the reserve is released. */
  readonly releaseBytes: number;
  /** The size of the reserve: a recovery needs a segment of the write-ahead log, and some small files. */
  readonly reserveBytes: number;
}

/** Small disks have smaller limits. */
export function diskLimits({ totalBytes }: Pick<Space, 'totalBytes'>): DiskLimits {
  const limit = (mebibytes: number, part: number) =>
    Math.floor(Math.min(mebibytes * MEBIBYTE_BYTES, totalBytes * part));
  return { refuseBytes: limit(128, 1 / 8), releaseBytes: limit(16, 1 / 64), reserveBytes: limit(64, 1 / 16) };
}

/** The file `postgres/reserve`. Its bytes are random, so that a file system that compresses gives it real space. */
export class Reserve {
  readonly #path: string;

  /** @param home the directory above the cluster */
  constructor(home: string) {
    this.#path = join(home, 'reserve');
  }

  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Leaves the spare part. Returns whether there was more. */
  release(): boolean {
    if (this.bytes <= SPARE_BYTES) return false;
    truncateSync(this.#path, SPARE_BYTES);
    return true;
  }

  /** Other programs may have taken the released space. The spare part is for the settings that make PostgreSQL refuse changes. */
  releaseSpare(): void {
    rmSync(this.#path, { force: true });
  }

  /**
   * Writes what is missing.
   * @param goOn is asked before each mebibyte
   */
  async fill(size: number, goOn: () => boolean): Promise<void> {
    const block = randomBytes(MEBIBYTE_BYTES);
    const file = await open(this.#path, 'a', 0o600);
    try {
      for (let left = size - this.bytes; left > 0 && goOn(); left -= block.length) {
        await file.write(block.subarray(0, Math.min(left, block.length)));
      }
    } finally {
      await file.close();
    }
  }
}

/** Makes space for a start, which writes small files before PostgreSQL runs. */
export function releaseIfFull(dataDirectory: string): void {
  const space = spaceOf(dataDirectory);
  if (space.freeBytes >= diskLimits(space).releaseBytes) return;
  const reserve = new Reserve(join(dataDirectory, 'postgres'));
  if (!reserve.release()) reserve.releaseSpare();
}
