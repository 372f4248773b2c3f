import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** What waits to be written while the disk is busy, in bytes. It is then written with one call. */
const AHEAD = 64 * 1024;

export interface Piece {
  readonly chunk: Buffer;
}

/** Writes what it gets into an open file, which stays open. */
export class FileWriter extends Writable {
  readonly #file: FileHandle;
  readonly #before: (bytes: number) => Promise<void> | void;
  #at: number;

  /**
   * @param start where the first byte goes
   * @param before is called before so many bytes are written; what it throws ends the writing
   */
  constructor(file: FileHandle, start: number, before: (bytes: number) => Promise<void> | void) {
    super({ highWaterMark: AHEAD });
    this.#file = file;
    this.#at = start;
    this.#before = before;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#append([chunk]).then(() => done(), done);
  }

  override _writev(pieces: readonly Piece[], done: (error?: Error | null) => void): void {
    this.#append(pieces.map(({ chunk }) => chunk)).then(() => done(), done);
  }

  async #append(chunks: readonly Buffer[]): Promise<void> {
    let left = chunks.reduce((sum, { length }) => sum + length, 0);
    await this.#before(left);
    let rest = chunks;
    while (left > 0) {
      const { bytesWritten } = await this.#file.writev(rest, this.#at);
      this.#at += bytesWritten;
      left -= bytesWritten;
      // A system may write less than it was given.
      if (left > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)];
    }
  }
}
