/** A request whose response is ready. */
export interface Due {
  /** Sends the response. It must not throw. */
  answerDue(): void;
}

/** How many responses are sent in one turn of the event loop: about two milliseconds of work. */
const RESPONSES_PER_TURN = 100;

/**
 * The response queue of a process: requests with a ready response, in the order in which they joined.
 *
 * A client that receives a response asks again, and Node reads all ready requests before the event loop does anything
 * else. If thousands of clients received a response at once, each message and each reply of the database would wait
 * behind all of them. So only as many responses are sent per turn as a turn can handle. A waiting request misses
 * nothing: events that arrive meanwhile are added.
 */
export class ResponseQueue {
  readonly #atOnce: number;
  readonly #line = new Set<Due>();
  /** How many more responses this turn of the event loop may send. */
  #remaining: number;

  constructor(atOnce = RESPONSES_PER_TURN) {
    this.#atOnce = atOnce;
    this.#remaining = atOnce;
  }

  /** Whether a new request may be answered without queueing. If it returns true, the caller must respond. */
  passes(): boolean {
    if (this.#line.size > 0 || this.#remaining === 0) return false;
    this.#count();
    return true;
  }

  /**
   * Adds a request; does nothing if it is already queued. Call `advance` after it, at the latest after the last one of
   * several.
   */
  join(due: Due): void {
    this.#line.add(due);
  }

  leave(due: Due): void {
    this.#line.delete(due);
  }

  /** Sends as many responses as this turn of the event loop may, oldest first. The next turns send the rest. */
  advance(): void {
    for (const due of this.#line) {
      if (this.#remaining === 0) return;
      this.#line.delete(due);
      this.#count();
      due.answerDue();
    }
  }

  #count(): void {
    if (this.#remaining === this.#atOnce) setImmediate(() => this.#nextTurn());
    this.#remaining -= 1;
  }

  #nextTurn(): void {
    this.#remaining = this.#atOnce;
    this.advance();
  }
}
