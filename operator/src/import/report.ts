/** Different reasons in a report, and examples for each. */
const MAX_REASONS = 500;
const EXAMPLES_PER_REASON = 3;
const MAX_EXAMPLE_LENGTH = 100;
/** Names of the archive that get a line of their own. Further ones share one. */
const MAX_NAMES = 200;

export interface ReportLine {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** What an import did not take over, and why. Its size does not grow with the archive. */
export class ImportReport {
  readonly #lines = new Map<string, { count: number; examples: string[] }>();
  readonly #named = new Set<string>();
  #others = 0;
  #messages = 0;

  /** @param what the kind of object and the reason: equal texts are counted */
  skip(what: string, example?: string): void {
    this.#add(what, example);
  }

  /** As `skip`, for messages that are left out before the source gives rows. */
  skipMessages(what: string, example?: string, messages = 1): void {
    this.#messages += messages;
    this.#add(what, example, messages);
  }

  /** The messages of `skipMessages`. */
  get skippedMessages(): number {
    return this.#messages;
  }

  /**
   * As `skip`, with a line of its own for each name of the archive.
   * @param given the name of an unknown table or field
   */
  skipNamed(what: string, given: string): void {
    const name = given.slice(0, MAX_EXAMPLE_LENGTH);
    if (this.#named.size >= MAX_NAMES && !this.#named.has(name)) this.#add(what, name);
    else this.#add(`${what}: ${cut(name)}`);
    if (this.#named.size < MAX_NAMES) this.#named.add(name);
  }

  #add(what: string, example?: string, count = 1): void {
    let line = this.#lines.get(what);
    if (line === undefined) {
      if (this.#lines.size >= MAX_REASONS) {
        this.#others += count;
        return;
      }
      line = { count: 0, examples: [] };
      this.#lines.set(what, line);
    }
    line.count += count;
    if (example === undefined || line.examples.length >= EXAMPLES_PER_REASON) return;
    const clean = cut(example);
    if (!line.examples.includes(clean)) line.examples.push(clean);
  }

  get lines(): readonly ReportLine[] {
    const lines = [...this.#lines].map(([what, { count, examples }]) => ({ what, count, examples }));
    return this.#others === 0 ? lines : [...lines, { what: 'Other problems', count: this.#others, examples: [] }];
  }
}

/** An example is a name from the archive: it must not fill or control the terminal. */
function cut(example: string): string {
  const clean = example.slice(0, 2 * MAX_EXAMPLE_LENGTH).replaceAll(/\p{C}/gu, '\ufffd');
  return clean.length > MAX_EXAMPLE_LENGTH ? `${clean.slice(0, MAX_EXAMPLE_LENGTH - 1)}…` : clean;
}
