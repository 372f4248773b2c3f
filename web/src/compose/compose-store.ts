import { Subject } from '@heddle/client/model/changes.ts';
import { keyOf, type Place } from '@heddle/client/model/places.ts';

/** What the compose box should do next. */
export interface ComposeRequest {
  /** Where to write. Undefined: the user chooses. */
  readonly place: Place | undefined;
  /** Markdown that replaces the text. Undefined: the draft of the place, or nothing. */
  readonly content?: string;
  /** The stored draft that is continued. */
  readonly draftId?: number;
}

/**
 * The compose box of the app, for all who open it: shortcuts, cards, drafts, quotes. The box itself holds the text while
 * somebody writes.
 */
export class ComposeStore {
  readonly changes = new Subject();
  /** Undefined while the box is closed. In a conversation it is always open. */
  request: ComposeRequest | undefined;
  /** Text to insert at the cursor. The box takes it. */
  #insertions: string[] = [];

  /** Opens the box and moves the focus into it. */
  open(request: ComposeRequest): void {
    this.request = request;
    this.changes.changed();
  }

  close(): void {
    this.request = undefined;
    this.changes.changed();
  }

  /** Inserts text at the cursor, for example a quote or a mention. */
  insert(text: string): void {
    this.#insertions.push(text);
    this.changes.changed();
  }

  takeInsertions(): readonly string[] {
    const taken = this.#insertions;
    this.#insertions = [];
    return taken;
  }

  isAt(place: Place): boolean {
    return this.request?.place !== undefined && keyOf(this.request.place) === keyOf(place);
  }
}

/** The one of this page. */
export const composeStore = new ComposeStore();
