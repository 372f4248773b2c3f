const BLOCK_BYTES = 64 * 1024;

/** Bytes to which more are appended. They are in a few large blocks, so many small items need no objects. */
export class ByteList {
  readonly #full: Buffer[] = [];
  #last = Buffer.alloc(BLOCK_BYTES);
  #used = 0;

  get length(): number {
    return this.#full.length * BLOCK_BYTES + this.#used;
  }

  append(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0; ) {
      const copied = rest.copy(this.#last, this.#used);
      rest = rest.subarray(copied);
      this.#used += copied;
      if (this.#used < BLOCK_BYTES) return;
      this.#full.push(this.#last);
      this.#last = Buffer.alloc(BLOCK_BYTES);
      this.#used = 0;
    }
  }

  *blocks(): Generator<Buffer> {
    yield* this.#full;
    yield this.#last.subarray(0, this.#used);
  }
}
