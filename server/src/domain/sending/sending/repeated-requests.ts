/**
 * Browsers repeat a request by themselves if a connection that they have used before ends without a response. They do so even with
 * `POST`, and the page does not notice. The server has possibly executed the first one, so a message would appear twice.
 *
 * A client that names its queue and its own id for the message says which requests are the same one. The second one then gets the
 * response of the first one. This process remembers them for a short time: browsers repeat at once.
 */
import { createHash } from 'node:crypto';
import type { MessageRequest } from './prepare.ts';
import type { SentMessage } from './send.ts';

/** Successful requests are remembered this long, in milliseconds. */
const KEPT_MS = 60_000;
/** At most this many are remembered. */
const MAX_KEPT_REQUESTS = 10_000;

interface Entry {
  /** Another message with the same id is another message. */
  readonly digest: string;
  readonly since: number;
  readonly sent: Promise<SentMessage>;
}

export class RepeatedRequests {
  /** The oldest is first. */
  readonly #entries = new Map<string, Entry>();

  /** Sends the message, unless the same request was sent shortly before. Requests without `echo` are never the same. */
  once(
    sender: { readonly organizationId: number; readonly userId: number },
    request: MessageRequest,
    send: () => Promise<SentMessage>,
  ): Promise<SentMessage> {
    const { echo, address, content, widget } = request;
    if (echo === null) return send();
    const key = JSON.stringify([sender.organizationId, sender.userId, echo.queueId, echo.localId]);
    const digest = createHash('sha256')
      .update(JSON.stringify([address, content, widget]))
      .digest('base64');
    this.#forgetOld();
    const earlier = this.#entries.get(key);
    if (earlier?.digest === digest) return earlier.sent;
    const entry: Entry = { digest, since: Date.now(), sent: send() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    // A refused message was not sent, so the client may try again.
    entry.sent.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.sent;
  }

  #forgetOld(): void {
    const now = Date.now();
    for (const [key, { since }] of this.#entries) {
      if (this.#entries.size <= MAX_KEPT_REQUESTS && now - since < KEPT_MS && now >= since) return;
      this.#entries.delete(key);
    }
  }
}
