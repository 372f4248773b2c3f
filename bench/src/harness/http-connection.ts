import { createConnection, type Socket } from 'node:net';
import { type BodyUse, type ParsedResponse, ResponseParser } from './response-parser.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Called once per request, with the response or with an error. */
export type Answered = (error: Error | null, response: ParsedResponse | null) => void;

/**
 * A keep-alive HTTP/1.1 connection with one request at a time, small enough for thousands per process. It connects at the first request, and
 * again if the server closed it between two requests. A close during a request is an error of that request.
 */
export class HttpConnection {
  readonly #address: Address;
  readonly #use: BodyUse;
  #socket: Socket | null = null;
  #parser: ResponseParser;
  #answered: Answered | null = null;

  constructor(address: Address, use: BodyUse = 'keep') {
    this.#address = address;
    this.#use = use;
    this.#parser = new ResponseParser(use);
  }

  /**
   * Connects now instead of at the first request. libuv registers new sockets only between two iterations of the event loop. With a thousand
   * ready sockets an iteration takes long, and the benchmark would measure that time as latency.
   */
  open(): void {
    this.#socket ??= this.#connect();
  }

  /** Sends a complete request (ASCII, see `wire.ts`). */
  send(request: string, answered: Answered): void {
    if (this.#answered !== null) throw new Error('a request is in flight on this connection');
    this.#answered = answered;
    this.#socket ??= this.#connect();
    this.#socket.write(request, 'latin1');
  }

  /** Like `send`, but returns a promise, for code outside measurements. */
  request(request: string): Promise<ParsedResponse> {
    return new Promise((resolve, reject) => {
      this.send(request, (error, response) => {
        if (response === null) reject(error ?? new Error('no response'));
        else resolve(response);
      });
    });
  }

  close(): void {
    this.#answered = null;
    this.#socket?.destroy();
    this.#socket = null;
  }

  #connect(): Socket {
    const socket = createConnection({ ...this.#address, noDelay: true });
    this.#parser = new ResponseParser(this.#use);
    socket.on('data', (piece: Buffer) => {
      let response: ParsedResponse | null;
      try {
        response = this.#parser.push(piece);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      if (response !== null) this.#finish(null, response);
    });
    let failure: Error | null = null;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#finish(failure ?? new Error('the server closed the connection in mid-request'), null);
    });
    return socket;
  }

  #finish(error: Error | null, response: ParsedResponse | null): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(error, response);
  }
}
