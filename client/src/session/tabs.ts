/** Messages between the tabs of one account. */
import { type Account, accountName } from './indexed-db-store.ts';

type Listener = (message: unknown) => void;

/**
 * Sends messages of the app to all other tabs of the account in this browser, for example what was read, or a draft. Without
 * `BroadcastChannel` nothing is sent.
 */
export class Tabs {
  /** The name of the account in this browser. */
  readonly name: string;
  readonly #channel: BroadcastChannel | undefined;
  readonly #listeners = new Set<Listener>();

  constructor(account: Account) {
    this.name = accountName(account);
    if (typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(`${this.name}:app`);
    this.#channel.onmessage = ({ data }) => {
      for (const listener of [...this.#listeners]) listener(data);
    };
  }

  /** Sends to the other tabs. They get a copy, as `structuredClone` makes it. */
  send(message: unknown): void {
    this.#channel?.postMessage(message);
  }

  /** Calls `listener` with each message of another tab. Returns a function that ends this. */
  onMessage(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#channel?.close();
  }
}
