import { type Address, HttpConnection } from '../harness/http-connection.ts';
import { type Login, requestBytes } from '../harness/wire.ts';

const PADDING =
  'Shuttle, warp and weft: the cloth grows by a thread at a time, and every thread has its place. '.repeat(3);

/** Content of two hundred characters that contains a number. */
export function numberedContent(sequence: number): string {
  return `(pick ${sequence}) ${PADDING}`.slice(0, 200);
}

/** The number in the content of a message (source or HTML). Throws if there is none. */
export function sequenceIn(content: string): number {
  const match = /\(pick (\d+)\)/.exec(content);
  if (match === null) throw new Error(`unknown message: ${content.slice(0, 100)}`);
  return Number(match[1]);
}

/** Number of concurrent sends for which connections exist at the start. */
const OPENED_BEFOREHAND = 64;

/** Sends without waiting for responses. It opens another connection if all are busy. The senders take turns. */
export class MessageSender {
  readonly #address: Address;
  readonly #senders: readonly Login[];
  readonly #channel: string;
  readonly #failed: (error: Error) => void;
  readonly #idle: HttpConnection[] = [];
  readonly #all = new Set<HttpConnection>();

  constructor(address: Address, senders: readonly Login[], channel: string, failed: (error: Error) => void) {
    this.#address = address;
    this.#senders = senders;
    this.#channel = channel;
    this.#failed = failed;
    for (let opened = 0; opened < OPENED_BEFOREHAND; opened++) {
      const connection = new HttpConnection(address);
      connection.open();
      this.#all.add(connection);
      this.#idle.push(connection);
    }
  }

  /** Returns when the socket has the bytes. */
  send(sequence: number): number {
    const connection = this.#idle.pop() ?? new HttpConnection(this.#address);
    this.#all.add(connection);
    const login = this.#senders[sequence % this.#senders.length];
    if (login === undefined) throw new Error('there is no user to send');
    const request = requestBytes(this.#address, {
      method: 'POST',
      path: '/messages',
      login,
      parameters: { type: 'channel', to: this.#channel, topic: 'picks', content: numberedContent(sequence) },
    });
    const at = performance.now();
    connection.send(request, (error, response) => {
      if (response?.status === 200) this.#idle.push(connection);
      else this.#failed(error ?? new Error(`POST /messages: ${response?.status} ${response?.body}`));
    });
    return at;
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }
}
