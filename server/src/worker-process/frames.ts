/** What a worker process and its parent say to each other: a value as JSON, and bytes that are sent as they are. */
import type { Readable, Writable } from 'node:stream';

export interface Frame {
  readonly value: unknown;
  readonly bytes: readonly Buffer[];
}

interface Head {
  readonly value: unknown;
  readonly sizes: readonly number[];
}

/** Of the number that begins a frame: the length of its JSON. */
const LENGTH_BYTES = 4;

/** @param bytes each in pieces, which are not joined */
export function writeFrame(pipe: Writable, value: unknown, bytes: readonly (readonly Buffer[])[]): void {
  const sizes = bytes.map((pieces) => pieces.reduce((sum, { length }) => sum + length, 0));
  const head = Buffer.from(JSON.stringify({ value, sizes } satisfies Head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  pipe.write(length);
  pipe.write(head);
  for (const piece of bytes.flat()) pipe.write(piece);
}

/**
 * The frames that arrive.
 * @throws Error if a frame is larger than the limit
 */
export async function* framesOf(pipe: Readable, maxBytes: number): AsyncGenerator<Frame> {
  const received = new ByteQueue();
  let head: Head | undefined;
  let needed = LENGTH_BYTES;
  let isLength = true;
  for await (const chunk of pipe as AsyncIterable<Buffer>) {
    received.push(chunk);
    while (received.size >= needed) {
      if (isLength) {
        needed = received.take(LENGTH_BYTES).readUInt32BE();
        isLength = false;
      } else if (head === undefined) {
        head = JSON.parse(received.take(needed).toString()) as Head;
        needed = head.sizes.reduce((sum, size) => sum + size, 0);
      } else {
        const { value, sizes } = head;
        yield { value, bytes: sizes.map((size) => received.take(size)) };
        [head, needed, isLength] = [undefined, LENGTH_BYTES, true];
      }
      if (needed > maxBytes) throw new Error('the frame is too large');
    }
  }
}

class ByteQueue {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  take(count: number): Buffer {
    const taken: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const chunk = this.#chunks.shift() ?? Buffer.alloc(0);
      taken.push(chunk.subarray(0, missing));
      if (chunk.length > missing) this.#chunks.unshift(chunk.subarray(missing));
      missing -= Math.min(missing, chunk.length);
    }
    this.#size -= count;
    return Buffer.concat(taken, count);
  }
}
