import type { Terminal } from './command.ts';

/** How often a terminal shows the progress, and how often a file or a service log gets a line. Milliseconds. */
const TERMINAL_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 5000;

/** Shows the progress of a long command on standard error: in one line of a terminal, or as a line now and then. */
export class Progress {
  readonly #output: Terminal['err'];
  readonly #isTerminal: boolean;
  #shownAt = performance.now();

  constructor(output: Terminal['err']) {
    this.#output = output;
    this.#isTerminal = output.isTTY === true;
  }

  show(text: string): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return;
    this.#shownAt = now;
    this.#output.write(this.#isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  }

  /** Clears the line of the terminal, so that the result does not follow it. */
  end(): void {
    if (this.#isTerminal) this.#output.write('\r\u001b[K');
  }
}
