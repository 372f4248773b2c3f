/** Bounds on the memory that responses hold for clients that read them slowly or not at all. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Held, type Share, sharesOf, UnsentResponse } from './unsent-responses.ts';

export interface SlowReaderRules {
  /** The server closes a connection that takes nothing of its response for so long, in milliseconds. */
  readonly maxStallMs: number;
  /** Bytes a second: a client takes a part of a response whole before the server sees that. So it has so much longer. */
  readonly minBytesPerSecond: number;
  /** What all unsent responses may hold together, in bytes. Above it, those who hold most lose their slowest connections. */
  readonly maxWaitingBytes: number;
  /**
   * What the unsent responses of one account may hold, or of one network without credentials, in bytes. Above it, the server closes the
   * slowest connections of that account. One response may hold more, if it is the only one.
   */
  readonly maxBytesOfOwner: number;
}

const defaultSlowReaderRules: SlowReaderRules = {
  maxStallMs: 60_000,
  minBytesPerSecond: 16 * 1024,
  maxWaitingBytes: 256 * 1024 * 1024,
  maxBytesOfOwner: 64 * 1024 * 1024,
};

const LOOK_INTERVAL_MS = 1000;

/**
 * Smaller responses are not counted one by one: a connection has one at a time, which the system's buffers mostly take at once. Those that
 * wait behind another response of their connection are counted, whatever their size.
 */
const COUNTED_FROM_BYTES = 16 * 1024;

/** How much of what was written for a connection it had taken when that last changed, and when that was. */
interface Progress {
  readonly taken: number;
  readonly at: number;
}

/**
 * Looks at all connections once a second, so that small responses cost nothing. It knows each large response by its buffers and its
 * owner, and looks at those whenever enough has been added to exceed an owner's share. What a client sends is no progress.
 */
export class SlowReaders {
  readonly #rules: SlowReaderRules;
  readonly #sockets = new Set<Socket>();
  /** Connections that had not taken everything at the last look; the one whose progress is longest ago is first. */
  readonly #slow = new Map<Socket, Progress>();
  readonly #unsent = new Map<Socket, Set<UnsentResponse>>();
  #addedSinceCount = 0;

  constructor(rules: SlowReaderRules = defaultSlowReaderRules) {
    this.#rules = rules;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#sockets.add(socket));
    const timer = setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /**
   * Call it with each response before it is written.
   *
   * @param body what the response keeps in memory until it is sent.
   * @param bytes the length of the body.
   * @param owner names whom the memory counts for: an account, or the network of an address
   * @returns undefined where the response is too small to be counted
   */
  add(
    response: ServerResponse,
    body: string | readonly Buffer[],
    bytes: number,
    owner: () => string,
  ): UnsentResponse | undefined {
    // A response without its socket waits for an earlier one of the same connection.
    if (bytes < COUNTED_FROM_BYTES && response.socket !== null) return undefined;
    const { socket } = response.req;
    if (socket.destroyed) return undefined;
    const unsent = new UnsentResponse(socket, owner(), body, bytes);
    this.#unsentOf(socket).add(unsent);
    response.once('close', () => this.#remove(unsent));
    this.#addedSinceCount += bytes;
    if (this.#addedSinceCount > this.#rules.maxBytesOfOwner / 2) this.#boundMemory();
    return unsent;
  }

  #unsentOf(socket: Socket): Set<UnsentResponse> {
    const known = this.#unsent.get(socket);
    if (known !== undefined) return known;
    const unsent = new Set<UnsentResponse>();
    this.#unsent.set(socket, unsent);
    // Responses that wait for an earlier one do not hear that their connection has closed.
    socket.once('close', () => this.#unsent.delete(socket));
    return unsent;
  }

  #remove(response: UnsentResponse): void {
    this.#unsent.get(response.socket)?.delete(response);
  }

  #look(): void {
    const now = performance.now();
    for (const socket of this.#sockets) {
      if (socket.destroyed) this.#sockets.delete(socket);
      if (socket.destroyed || socket.writableLength === 0) this.#slow.delete(socket);
      else this.#noteProgress(socket, now);
    }
    const { maxStallMs, minBytesPerSecond } = this.#rules;
    for (const [socket, { at }] of this.#slow) {
      const mayStall = maxStallMs + (1000 * socket.writableLength) / minBytesPerSecond;
      if (now - at > mayStall) this.#close(socket);
    }
    this.#boundMemory();
  }

  #noteProgress(socket: Socket, now: number): void {
    const taken = socket.bytesWritten - socket.writableLength;
    if (this.#slow.get(socket)?.taken === taken) return;
    this.#slow.delete(socket);
    this.#slow.set(socket, { taken, at: now });
  }

  /**
   * First each owner is held to its share. If that is not enough, the owners with the most memory go first: an account does not pay for the
   * requests of another.
   */
  #boundMemory(): void {
    this.#addedSinceCount = 0;
    const { maxWaitingBytes, maxBytesOfOwner } = this.#rules;
    const owners = [...sharesOf(this.#allUnsent()).values()].map((share) => this.#boundShare(share, maxBytesOfOwner));
    let total = owners.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > maxWaitingBytes) {
      const largest = owners.reduce((one, other) => (other.bytes > one.bytes ? other : one));
      const slowest = largest.kept.pop();
      if (slowest === undefined) return;
      largest.bytes -= slowest.bytes;
      total -= slowest.bytes;
      this.#close(slowest.socket);
    }
  }

  /** Closes the connections that do not fit into the share, and keeps those that progressed last. */
  #boundShare(share: Share, most: number): { bytes: number; readonly kept: Held[] } {
    const kept: Held[] = [];
    let bytes = 0;
    for (const held of share.values()) {
      const isOnlyResponse = kept.length === 0 && held.responses === 1;
      if (bytes + held.bytes > most && !isOnlyResponse) {
        this.#close(held.socket);
      } else {
        bytes += held.bytes;
        kept.push(held);
      }
    }
    return { bytes, kept };
  }

  *#allUnsent(): Generator<UnsentResponse> {
    for (const responses of this.#unsent.values()) yield* responses;
  }

  #close(socket: Socket): void {
    this.#slow.delete(socket);
    this.#unsent.delete(socket);
    socket.destroy();
  }
}
