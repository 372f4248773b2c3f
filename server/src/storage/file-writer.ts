import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** How many bytes may wait while the disk is busy. They are then written with one call. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export interface Piece {
  readonly chunk: Buffer;
}

/** A stream that writes into an open file. It does not close the file. */
export class FileWriter extends Writable {
  readonly #file: FileHandle;
  readonly #before: (bytes: number) => Promise<void> | void;
  #at: number;

  /**
   * @param start position of the first byte
   * @param before is called with the number of bytes before each write; an error that it throws ends the writing
   */
  constructor(file: FileHandle, start: number, before: (bytes: number) => Promise<void> | void) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
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
      // The system may write fewer bytes than requested.
      if (left > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)];
    }
  }
}
