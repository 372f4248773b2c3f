import { relative } from 'node:path';

/** How often the processes are looked at. */
const LOOK_INTERVAL_MS = 1_000;

interface Progress {
  /** When the last event of the process arrived, of `performance.now()`. */
  at: number;
  readonly running: Set<string>;
}

/**
 * Ends test processes that hang. A run has no other limit: a slow machine takes longer, and a process in which tests end is never killed.
 * `kill` gets the path of the process's script.
 */
export class ProcessProgress {
  readonly #limitMs: number;
  readonly #kill: (path: string) => Promise<void>;
  readonly #processes = new Map<string, Progress>();
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number, kill: (path: string) => Promise<void>) {
    this.#limitMs = limitMs;
    this.#kill = kill;
    this.#timer = setInterval(() => void this.#look(), LOOK_INTERVAL_MS);
  }

  began(path: string, name: string): void {
    const process = this.#processes.get(path) ?? { at: 0, running: new Set() };
    process.at = performance.now();
    process.running.add(name);
    this.#processes.set(path, process);
  }

  ended(path: string, name: string): void {
    const process = this.#processes.get(path);
    if (process === undefined) return;
    process.at = performance.now();
    process.running.delete(name);
    // A process without a running test has ended, or begins its next one at once.
    if (process.running.size === 0) this.#processes.delete(path);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    for (const [path, { at, running }] of this.#processes) {
      if (performance.now() - at < this.#limitMs) continue;
      this.#processes.delete(path);
      const names = [...running].map((name) => `  ${relative('.', name)}\n`).join('');
      process.stderr.write(
        `\nNo test ended for ${this.#limitMs / 1000} s in a process, so it is killed. It ran:\n${names}`,
      );
      await this.#kill(path);
    }
  }
}
