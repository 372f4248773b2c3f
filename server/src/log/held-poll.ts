import type { Queue } from './queue.ts';
import type { Due } from './response-queue.ts';

/** `gone`: the queue has ended. `session`: the session of the client has ended. The others concern its position. */
export type PollEnd = 'gone' | 'session' | 'future' | 'pruned';

/** Wire events as JSON bytes, in order; or the reason why there will be none. */
export type PollAnswer = { readonly events: readonly Buffer[] } | { readonly ended: PollEnd };

/** Receives the response. It is an object and not a closure, to save memory: thousands of requests wait. */
export interface AnswerTaker {
  take(answer: PollAnswer): void;
}

/** A request that waits for events, or for its turn in the response queue. */
export interface HeldPoll {
  /** Passes the response to `taker` when it is ready, or at once if it is already. Call it once. */
  whenAnswered(taker: AnswerTaker): void;
  /** The client hung up. */
  giveUp(): void;
}

/** A response ends with the event that makes it longer than this, in bytes. The client asks again for the rest. */
export const RESPONSE_SIZE_BYTES = 1_000_000;

/** A pending poll: everything that the server keeps of a request while it holds it. */
export class PendingPoll implements HeldPoll, Due {
  readonly queue: Queue;
  /** No event after this one, and up to the position where the request was held, is for the queue. */
  readonly clearFrom: number;
  /** When the request was held, on the clock of `performance.now`. */
  readonly since = performance.now();
  /** The session that the client authenticated with, if any. */
  readonly session: string | undefined;
  #accepts = true;
  readonly #release: (waiting: PendingPoll) => void;
  /** The events for it, and their total size in bytes. Undefined while there are none. */
  #due: { readonly events: Buffer[]; size: number } | undefined;
  #answer: PollAnswer | undefined;
  #taker: AnswerTaker | undefined;

  constructor(queue: Queue, clearFrom: number, release: (waiting: PendingPoll) => void, session?: string) {
    this.queue = queue;
    this.session = session;
    this.clearFrom = clearFrom;
    this.#release = release;
  }

  /** Whether it has events and only waits for its turn. */
  get isDue(): boolean {
    return this.#due !== undefined;
  }

  /** It accepts no later event. The next one is the occasion to respond without it, so that the client authenticates again. */
  acceptNoMore(): void {
    this.#accepts = false;
  }

  /** Adds the next event. Once a response is long enough, it accepts neither this event nor any later one. */
  add(event: Buffer): void {
    if (!this.#accepts) {
      this.#due ??= { events: [], size: 0 };
    } else if (this.#due === undefined) {
      this.#due = { events: [event], size: event.length };
    } else if (this.#due.size <= RESPONSE_SIZE_BYTES) {
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
