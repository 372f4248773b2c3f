import type { Due } from './answer-line.ts';
import type { Queue } from './queue.ts';

/** Wire events as JSON bytes, in order; or why there will be none. */
export type PollAnswer = { readonly events: readonly Buffer[] } | { readonly ended: 'gone' | 'future' | 'pruned' };

/** Who waits for the answer. An object and no function: thousands wait. */
export interface AnswerTaker {
  take(answer: PollAnswer): void;
}

/** A request that waits for events, or for its turn to be answered. */
export interface HeldPoll {
  /** Gives the answer when it is there, or at once if it is there already. To be called once. */
  whenAnswered(taker: AnswerTaker): void;
  /** The client hung up. */
  giveUp(): void;
}

/** An answer ends at the event that makes it longer than this, in bytes; the client asks again for the rest. */
export const ANSWER_SIZE = 1_000_000;

/** All that is kept of a request while it is held. */
export class Waiting implements HeldPoll, Due {
  readonly queue: Queue;
  /** Nothing in the log after this and up to where the request was held is for the queue. */
  readonly clearFrom: number;
  /** On the clock of `performance.now`. */
  readonly since = performance.now();
  readonly #release: (waiting: Waiting) => void;
  /** The events that are there for it, and their bytes together. */
  #due: { readonly events: Buffer[]; size: number } | undefined;
  #answer: PollAnswer | undefined;
  #taker: AnswerTaker | undefined;

  constructor(queue: Queue, clearFrom: number, release: (waiting: Waiting) => void) {
    this.queue = queue;
    this.clearFrom = clearFrom;
    this.#release = release;
  }

  /** Whether there are events for it, and it waits for its turn only. */
  get isDue(): boolean {
    return this.#due !== undefined;
  }

  /** The next event for it. An answer that is long enough gets no more: neither this one nor any after it. */
  add(event: Buffer): void {
    if (this.#due === undefined) {
      this.#due = { events: [event], size: event.length };
    } else if (this.#due.size <= ANSWER_SIZE) {
      this.#due.events.push(event);
      this.#due.size += event.length;
    }
  }

  answerDue(): void {
    this.answer({ events: this.#due?.events ?? [] });
  }

  answer(answer: PollAnswer): void {
    if (this.#answer !== undefined) return;
    this.#answer = answer;
    this.#release(this);
    this.#taker?.take(answer);
  }

  whenAnswered(taker: AnswerTaker): void {
    if (this.#answer === undefined) this.#taker = taker;
    else taker.take(this.#answer);
  }

  giveUp(): void {
    this.answer({ events: [] });
  }
}
