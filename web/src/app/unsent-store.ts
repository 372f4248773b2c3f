import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { SessionStore } from '@heddle/client/session/store.ts';

/** The names of the entries begin with these, and end with the id of the page. */
const MESSAGES = 'outbox:';
const MARKS = 'marks:';

/**
 * What the server does not have yet survives a reload: messages and read marks. Each page stores its own under its id, and holds a lock
 * with that name while it lives. A new page takes over what pages without a lock have left, so no message is sent by two pages.
 */
export class UnsentStore {
  readonly #store: SessionStore | undefined;
  readonly #page: string = crypto.randomUUID();

  constructor(store: SessionStore | undefined) {
    this.#store = store;
  }

  keepMessages(messages: readonly OutgoingMessage[]): void {
    this.#keep(
      MESSAGES,
      messages.filter(({ state }) => state !== 'sent'),
    );
  }

  keepMarks(messageIds: readonly number[]): void {
    this.#keep(MARKS, messageIds);
  }

  /** Sends what earlier pages have left. */
  async restore({ cache }: Model): Promise<void> {
    const store = this.#store;
    if (store === undefined || navigator.locks === undefined) return;
    // Held until the page ends.
    void navigator.locks.request(MESSAGES + this.#page, () => new Promise(() => undefined));
    try {
      for (const [name, entries] of await store.loadKept()) {
        const page = name.slice(name.indexOf(':') + 1);
        if (page === this.#page || !Array.isArray(entries)) continue;
        await navigator.locks.request(MESSAGES + page, { ifAvailable: true }, async (lock) => {
          if (lock === null) return;
          // First under the own name, so that a crash between the two steps loses nothing.
          if (name.startsWith(MESSAGES)) cache.outbox.restore(entries);
          else if (name.startsWith(MARKS)) cache.marks.restore(entries);
          else return;
          await store.keep(name, undefined);
        });
      }
    } catch {
      // Without storage, there is nothing to restore.
    }
  }

  /** Without storage, the entries live as long as the page. */
  #keep(kind: string, entries: readonly unknown[]): void {
    void this.#store?.keep(kind + this.#page, entries.length === 0 ? undefined : entries).catch(() => undefined);
  }
}
