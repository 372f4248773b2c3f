/** Different reasons in a report, and examples for each. */
const MAX_REASONS = 500;
const EXAMPLES_PER_REASON = 3;

export interface ReportLine {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** What an import did not take over, and why. Its size does not grow with the archive. */
export class ImportReport {
  readonly #lines = new Map<string, { count: number; examples: string[] }>();
  #others = 0;

  /** @param what the kind of object and the reason: equal texts are counted */
  skip(what: string, example?: string): void {
    let line = this.#lines.get(what);
    if (line === undefined) {
      if (this.#lines.size >= MAX_REASONS) {
        this.#others += 1;
        return;
      }
      line = { count: 0, examples: [] };
      this.#lines.set(what, line);
    }
    line.count += 1;
    if (example !== undefined && line.examples.length < EXAMPLES_PER_REASON) line.examples.push(cut(example));
  }

  get lines(): readonly ReportLine[] {
    const lines = [...this.#lines].map(([what, { count, examples }]) => ({ what, count, examples }));
    return this.#others === 0 ? lines : [...lines, { what: 'Other problems', count: this.#others, examples: [] }];
  }
}

/** An example is a name from the archive: it must not fill or control the terminal. */
function cut(example: string): string {
  const clean = example.replaceAll(/\p{C}/gu, '\ufffd');
  return clean.length > 100 ? `${clean.slice(0, 99)}…` : clean;
}
