import type { EventOfType, InitialState, SavedSnippet } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** A text that the user saved for repeated use. */
export interface SnippetRecord {
  readonly id: number;
  readonly title: string;
  /** Markdown source. */
  readonly content: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
}

const byTitle = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The saved snippets of the user. */
export class SavedSnippets {
  readonly changes = new Subject();
  readonly #snippets = new Map<number, SnippetRecord>();
  #byTitle: readonly SnippetRecord[] | undefined;

  constructor(state: InitialState) {
    for (const snippet of state.saved_snippets ?? []) this.#put(snippet);
  }

  /** All snippets in the order of their titles. The same array until a change. */
  get all(): readonly SnippetRecord[] {
    this.#byTitle ??= [...this.#snippets.values()].sort((a, b) => byTitle.compare(a.title, b.title) || a.id - b.id);
    return this.#byTitle;
  }

  get(id: number): SnippetRecord | undefined {
    return this.#snippets.get(id);
  }

  apply(event: EventOfType<'saved_snippets'>): void {
    if (event.op === 'remove') this.#snippets.delete(event.saved_snippet_id);
    else this.#put(event.saved_snippet);
    this.#byTitle = undefined;
    this.changes.changed();
  }

  #put({ id, title, content, date_created: createdAt }: SavedSnippet): void {
    this.#snippets.set(id, { id, title, content, createdAt });
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#snippets.values()].sort((a, b) => a.id - b.id);
  }
}
