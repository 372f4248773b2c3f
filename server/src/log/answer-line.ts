/** A request whose answer is there. */
export interface Due {
  /** Sends the answer; must not throw. */
  answerDue(): void;
}

/** So many answers are sent before others have a turn: some two milliseconds of them. */
const AT_ONCE = 100;

/**
 * The line of all who have an answer to get, in the order in which they came to it; one for a process. A client that was answered asks again,
 * and all requests that are ready are read before the loop comes to anything else: were thousands answered at once, and answered again as
 * they come, each message and each answer of the database would wait behind all of them. So there are never more of them on their way than
 * are answered in a few turns of the loop. Who waits in the line misses nothing: what comes meanwhile is added to the answer.
 */
export class AnswerLine {
  readonly #atOnce: number;
  readonly #line = new Set<Due>();
  /** How many more may be answered in this turn of the loop. */
  #left: number;

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
    this.#left = atOnce;
  }

  /** Whether somebody who comes now may be answered without the line. Whoever asks answers then. */
  passes(): boolean {
    if (this.#line.size > 0 || this.#left === 0) return false;
    this.#count();
    return true;
  }

  /** Does nothing for one who is in the line. `advance` has to follow, at the latest with the last of those who come together. */
  join(due: Due): void {
    this.#line.add(due);
  }

  leave(due: Due): void {
    this.#line.delete(due);
  }

  /** Answers the first of the line, as many as this turn of the loop has room for, and the others in the next ones. */
  advance(): void {
    for (const due of this.#line) {
      if (this.#left === 0) return;
      this.#line.delete(due);
      this.#count();
      due.answerDue();
    }
  }

  #count(): void {
    if (this.#left === this.#atOnce) setImmediate(() => this.#nextTurn());
    this.#left -= 1;
  }

  #nextTurn(): void {
    this.#left = this.#atOnce;
    this.advance();
  }
}
