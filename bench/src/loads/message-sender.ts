import { type Address, HttpConnection } from '../harness/http-connection.ts';
import { type Login, requestBytes } from '../harness/wire.ts';

const PADDING =
  'Shuttle, warp and weft: the cloth grows by a thread at a time, and every thread has its place. '.repeat(3);

/** Two hundred characters that carry a number. */
export function numberedContent(sequence: number): string {
  return `(pick ${sequence}) ${PADDING}`.slice(0, 200);
}

/** The number in a message's content, rendered or not; throws where there is none. */
export function sequenceIn(content: string): number {
  const match = /\(pick (\d+)\)/.exec(content);
  if (match === null) throw new Error(`a message that isn't ours: ${content.slice(0, 100)}`);
  return Number(match[1]);
}

/** So many sends may be unanswered at once before one has to wait for a new connection. */
const OPENED_BEFOREHAND = 64;

/** Sends without waiting for answers: a connection more whenever all are busy, and the senders by turns. */
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

  /** Answers when the bytes were handed to the socket. */
  send(sequence: number): number {
    const connection = this.#idle.pop() ?? new HttpConnection(this.#address);
    this.#all.add(connection);
    const login = this.#senders[sequence % this.#senders.length];
    if (login === undefined) throw new Error('nobody to send');
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
