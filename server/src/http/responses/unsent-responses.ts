/** Counts the memory that responses hold until their clients have taken them. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Clients see a slow response progress in steps of this many bytes. */
const BATCH_BYTES = 256 * 1024;

/** A response that is written, or being written, and that its client has not taken yet. */
export class UnsentResponse {
  readonly socket: Socket;
  /** The account, or the network of the address, that the memory counts for. */
  readonly owner: string;
  /** What Node holds as text, in bytes. */
  readonly textBytes: number;
  readonly #pieces: readonly Buffer[];
  #taken = 0;
  /** When the client took something the last time, by the clock of `performance`. */
  progressAt = performance.now();

  constructor(socket: Socket, owner: string, body: string | readonly Buffer[], bytes: number) {
    this.socket = socket;
    this.owner = owner;
    this.textBytes = typeof body === 'string' ? bytes : 0;
    this.#pieces = typeof body === 'string' ? [] : body;
  }

  /** The client has taken all pieces before this index. */
  tookThrough(index: number): void {
    this.#taken = index;
    this.progressAt = performance.now();
  }

  /** The memory that the pieces keep alive, whole even where a piece is a part of it. */
  *memory(): Generator<ArrayBufferLike> {
    for (let index = this.#taken; index < this.#pieces.length; index++) {
      const piece = this.#pieces[index];
      if (piece !== undefined) yield piece.buffer;
    }
  }
}

/** What the responses on one connection hold. */
export interface Held {
  readonly socket: Socket;
  bytes: number;
  responses: number;
}

/** What the connections of one owner hold. The one that progressed last comes first. */
export type Share = Map<Socket, Held>;

/**
 * What the connections of each owner hold. It counts each memory once, however many responses send it: thousands of clients get the same
 * list of users. The response that progressed last counts for it, so closing a slower one never seems to free what others still need.
 */
export function sharesOf(responses: Iterable<UnsentResponse>): Map<string, Share> {
  const counted = new Set<ArrayBufferLike>();
  const shares = new Map<string, Share>();
  for (const response of [...responses].sort((one, other) => other.progressAt - one.progressAt)) {
    const { owner, socket } = response;
    const share: Share = shares.get(owner) ?? new Map();
    shares.set(owner, share);
    const held = share.get(socket) ?? { socket, bytes: 0, responses: 0 };
    share.set(socket, held);
    held.responses += 1;
    held.bytes += response.textBytes;
    for (const memory of response.memory()) {
      if (counted.has(memory)) continue;
      counted.add(memory);
      held.bytes += memory.byteLength;
    }
  }
  return shares;
}

/** Writes the pieces as fast as the client takes them, and ends the response. Nothing of a piece is kept once the client has taken it. */
export function writePieces(
  response: ServerResponse,
  pieces: readonly Buffer[],
  unsent: UnsentResponse | undefined,
): void {
  let index = 0;
  let at = 0;
  const writeBatch = (): void => {
    if (response.destroyed) return;
    let left = BATCH_BYTES;
    response.cork();
    for (let piece = pieces[index]; piece !== undefined && left > 0; piece = pieces[index]) {
      const part = piece.subarray(at, at + left);
      at += part.length;
      left -= part.length;
      if (at === piece.length) {
        index += 1;
        at = 0;
      }
      if (part.length > 0) response.write(part, left === 0 ? batchTaken : undefined);
    }
    response.uncork();
    if (left > 0) response.end();
  };
  const batchTaken = (error?: Error | null): void => {
    if (error) return;
    unsent?.tookThrough(index);
    writeBatch();
  };
  writeBatch();
}
