import type { MessageRecord } from './message-record.ts';

/** How long marks wait, so that messages that scroll by become one request. */
const FLUSH_AFTER_MS = 400;

/** The most messages in one request. */
const MAX_MESSAGES_PER_REQUEST = 1_000;

export interface MarkCalls {
  /** Applies the change to the model, as if its event had arrived. */
  readonly applyRead: (ids: readonly number[]) => void;
  /** Resolves when the server has it. Rejects if it must be tried again. */
  readonly sendRead: (ids: readonly number[]) => Promise<void>;
  /** Resolves when another attempt makes sense. */
  readonly untilRetry: (attempt: number) => Promise<void>;
  /** Stores the marks that the server may not have yet, so that they survive a reload. */
  readonly save: (ids: readonly number[]) => void;
}

/**
 * Marks messages as read: at once in the model, and in batches on the server. A batch is repeated until the server has
 * it. Marking a message twice does no harm.
 */
export class ReadMarks {
  readonly #calls: MarkCalls;
  readonly #waiting = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;

  constructor(calls: MarkCalls) {
    this.#calls = calls;
  }

  mark(messages: readonly Pick<MessageRecord, 'id' | 'isRead'>[]): void {
    this.#add(messages.filter(({ isRead }) => !isRead).map(({ id }) => id));
  }

  /** Continues with the marks that an earlier page has stored. */
  restore(ids: readonly number[]): void {
    this.#add(ids);
    void this.flush();
  }

  /** Whether this client has marked the message, but the server may not know it yet. */
  isWaiting(id: number): boolean {
    return this.#waiting.has(id);
  }

  /** Whether the server may not know all marks yet. */
  get isBehind(): boolean {
    return this.#waiting.size > 0;
  }

  /** Sends all waiting marks now, for example because the page is hidden. Stores them before it returns. Resolves when all are sent. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return Promise.resolve();
    this.#calls.save([...this.#waiting]);
    this.#sending ??= this.#send();
    return this.#sending;
  }

  #add(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#calls.applyRead(ids);
    for (const id of ids) this.#waiting.add(id);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS);
  }

  async #send(): Promise<void> {
    for (let attempt = 0; this.#waiting.size > 0; ) {
      const ids = [...this.#waiting].slice(0, MAX_MESSAGES_PER_REQUEST);
      try {
        await this.#calls.sendRead(ids);
        for (const id of ids) this.#waiting.delete(id);
        attempt = 0;
      } catch {
        attempt += 1;
        await this.#calls.untilRetry(attempt);
      }
    }
    this.#sending = undefined;
    this.#calls.save([]);
  }
}
