/** Bounds on what is kept for clients that take their answers slowly or not at all. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface SlowReaderRules {
  /** A connection that takes nothing of its answer for so long is closed, in milliseconds. */
  readonly longestStall: number;
  /** Bytes a second: of an answer that was written whole, nothing is seen to be taken before all of it is. So it may take so much longer. */
  readonly leastRate: number;
  /** What may wait for all connections together, in bytes; where it is more, those that have been slow for longest are closed. */
  readonly mostWaiting: number;
}

export const defaultSlowReaderRules: SlowReaderRules = {
  longestStall: 60_000,
  leastRate: 16 * 1024,
  mostWaiting: 256 * 1024 * 1024,
};

const lookEvery = 1000;

/** How much of what was written for a connection it had taken when that last changed, and when that was. */
interface Progress {
  readonly taken: number;
  readonly at: number;
}

/**
 * Looks at all connections now and then, so that answers to those who read cost nothing. What waits for one connection is one answer: Node
 * reads no further request of a connection before what it was answered has gone. Whatever the client sends meanwhile is no progress.
 */
export class SlowReaders {
  readonly #rules: SlowReaderRules;
  readonly #sockets = new Set<Socket>();
  /** Who had not taken everything at the last look; whose progress is longest ago is first. */
  readonly #slow = new Map<Socket, Progress>();
  #answeredSinceLook = 0;

  constructor(rules: SlowReaderRules = defaultSlowReaderRules) {
    this.#rules = rules;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#sockets.add(socket));
    const timer = setInterval(() => this.#look(), lookEvery).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** To be told of each answer that is whole in memory, in bytes: much can be asked for between two looks. */
  answered(bytes: number): void {
    this.#answeredSinceLook += bytes;
    if (this.#answeredSinceLook > this.#rules.mostWaiting / 2) this.#look();
  }

  #look(): void {
    this.#answeredSinceLook = 0;
    const now = performance.now();
    let waiting = 0;
    for (const socket of this.#sockets) {
      if (socket.destroyed) this.#sockets.delete(socket);
      if (socket.destroyed || socket.writableLength === 0) {
        this.#slow.delete(socket);
      } else {
        waiting += socket.writableLength;
        this.#noteProgress(socket, now);
      }
    }
    const { longestStall, leastRate, mostWaiting } = this.#rules;
    for (const [socket, { at }] of this.#slow) {
      const mayStall = longestStall + (1000 * socket.writableLength) / leastRate;
      if (waiting <= mostWaiting && now - at <= mayStall) continue;
      waiting -= socket.writableLength;
      this.#slow.delete(socket);
      socket.destroy();
    }
  }

  #noteProgress(socket: Socket, now: number): void {
    const taken = socket.bytesWritten - socket.writableLength;
    if (this.#slow.get(socket)?.taken === taken) return;
    this.#slow.delete(socket);
    this.#slow.set(socket, { taken, at: now });
  }
}
