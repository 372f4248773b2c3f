import { type Address, HttpConnection } from '../harness/http-connection.ts';
import { type Login, numberField, requestBytes, successful, textField } from '../harness/wire.ts';
import { sequenceIn } from './message-sender.ts';

export interface Received {
  readonly sequence: number;
  readonly eventId: number;
  /** The time of arrival, before parsing. */
  readonly at: number;
  readonly event: () => string;
}

interface EventsAnswer {
  readonly result: string;
  readonly events: readonly { readonly id: number; readonly type: string; readonly message?: { content: string } }[];
}

/**
 * A typical client. It registers for messages and sends the next poll after each response. A repeated event or message is a failure.
 */
export class PollingClient {
  readonly #address: Address;
  readonly #login: Login;
  readonly #connection: HttpConnection;
  readonly #received: (received: Received) => void;
  readonly #failed: (error: Error) => void;
  readonly #lost: (error: Error) => void;
  #before = '';
  #after = '';
  #lastEventId = -1;
  /** One flag per message number. */
  readonly #seen: Uint8Array;

  constructor(
    address: Address,
    login: Login,
    messages: number,
    received: (received: Received) => void,
    failed: (error: Error) => void,
    /** Called if the connection breaks before a response. The default is a failure. */
    lost = failed,
  ) {
    this.#seen = new Uint8Array(messages);
    this.#address = address;
    this.#login = login;
    this.#connection = new HttpConnection(address);
    this.#received = received;
    this.#failed = failed;
    this.#lost = lost;
  }

  async register(): Promise<void> {
    const parameters = { event_types: '["message"]', fetch_event_types: '["message"]', apply_markdown: 'true' };
    const request = requestBytes(this.#address, { method: 'POST', path: '/register', login: this.#login, parameters });
    const response = await this.#connection.request(request);
    const answer = successful('POST /register', response.status, response.body);
    this.#lastEventId = numberField(answer, 'last_event_id');
    const [before, after] = requestBytes(this.#address, {
      method: 'GET',
      path: '/events',
      login: this.#login,
      parameters: { queue_id: textField(answer, 'queue_id'), last_event_id: 'LAST' },
    }).split('LAST');
    this.#before = before ?? '';
    this.#after = after ?? '';
  }

  poll(): void {
    this.#connection.send(`${this.#before}${this.#lastEventId}${this.#after}`, (error, response) => {
      const at = performance.now();
      if (response === null) {
        this.#lost(error ?? new Error('no response'));
        return;
      }
      try {
        if (response.status !== 200) throw new Error(`GET /events: ${response.status} ${response.body}`);
        this.#take(JSON.parse(response.body.toString()) as EventsAnswer, at);
      } catch (cause) {
        this.#failed(cause instanceof Error ? cause : new Error(String(cause)));
        return;
      }
      this.poll();
    });
  }

  close(): void {
    this.#connection.close();
  }

  #take(answer: EventsAnswer, at: number): void {
    if (answer.result !== 'success') throw new Error(`GET /events: ${JSON.stringify(answer)}`);
    for (const event of answer.events) {
      if (event.id <= this.#lastEventId) throw new Error(`event ${event.id} after ${this.#lastEventId}`);
      this.#lastEventId = event.id;
      if (event.type !== 'message') continue;
      const sequence = sequenceIn(event.message?.content ?? '');
      if (this.#seen[sequence] !== 0) throw new Error(`message ${sequence} came again, or was never sent`);
      this.#seen[sequence] = 1;
      this.#received({ sequence, eventId: event.id, at, event: () => JSON.stringify(event) });
    }
  }
}
