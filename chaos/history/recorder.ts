import type { Fault, HistoryRecord } from './records.ts';

/** Collects the history of a run. */
export class Recorder {
  readonly history: HistoryRecord[] = [];
  readonly #begun = performance.now();

  /** Milliseconds since the begin of the run. */
  now(): number {
    return Math.round((performance.now() - this.#begun) * 10) / 10;
  }

  add(record: HistoryRecord): void {
    this.history.push(record);
  }

  /** Records a fault from before `act` until after it. */
  async during(fault: Omit<Fault, 'kind' | 'begin' | 'end'>, act: () => Promise<void>): Promise<void> {
    const begin = this.now();
    try {
      await act();
    } finally {
      this.add({ kind: 'fault', ...fault, begin, end: this.now() });
    }
  }
}
