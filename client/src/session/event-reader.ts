/** Events as an async iterator. */
import type { ServerEvent } from '../calls/types.ts';

/** The session polls no further while a reader has more events to read. The server keeps them meanwhile. */
const MAX_WAITING_EVENTS = 1_000;

/** One reader of the events. The loop that reads it must not wait for the session. */
export class EventReader implements AsyncIterableIterator<ServerEvent, undefined> {
  readonly #onReturn: () => void;
  #events: ServerEvent[] = [];
  #next = 0;
  /** Wakes the reader. */
  #wake: (() => void) | undefined;
  /** Wakes the session. */
  #resume: (() => void) | undefined;
  #isOver = false;
  #error: Error | undefined;

  /** @param onReturn called when the reader leaves its loop */
  constructor(onReturn: () => void) {
    this.#onReturn = onReturn;
  }

  push(events: readonly ServerEvent[]): void {
    if (this.#isOver) return;
    this.#events.push(...events);
    this.#wake?.();
  }

  /** Resolves when the reader has few events to read. Undefined if that is so now. */
  hasRoom(): Promise<void> | undefined {
    if (this.#isOver || this.#waitingEvents < MAX_WAITING_EVENTS) return undefined;
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  /** Ends the iteration after the events that wait; with the error if there is one. */
  end(error?: Error): void {
    this.#isOver = true;
    this.#error ??= error;
    this.#wake?.();
    this.#resume?.();
  }

  async next(): Promise<IteratorResult<ServerEvent, undefined>> {
    while (this.#waitingEvents === 0) {
      if (this.#isOver) return this.#finish();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#events[this.#next] as ServerEvent;
    this.#next += 1;
    if (this.#waitingEvents === 0) {
      this.#events = [];
      this.#next = 0;
    }
    if (this.#waitingEvents < MAX_WAITING_EVENTS) this.#resume?.();
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<ServerEvent, undefined>> {
    this.#events = [];
    this.#next = 0;
    this.end();
    this.#onReturn();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get #waitingEvents(): number {
    return this.#events.length - this.#next;
  }

  #finish(): IteratorResult<ServerEvent, undefined> {
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
    return { done: true, value: undefined };
  }
}
