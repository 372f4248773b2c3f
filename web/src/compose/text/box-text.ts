import { Subject } from '@heddle/client/model/changes.ts';

/** Readers that do more than note an edit wait for a pause of this length. */
const REST_MS = 200;

/** Where an edit puts the selection. */
export interface TextSelection {
  readonly start: number;
  readonly end: number;
}

/** A replacement of a part of the text. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Positions in the new text. Default: behind the inserted text. */
  readonly selection?: TextSelection;
}

/**
 * The text of the compose box. The textarea holds it, so that a key press renders nothing of the app. Edits by the app go
 * through the browser's own editing, so that the user can undo them.
 */
export class BoxText {
  /** Notified after each edit, once per task. Its readers must be fast. */
  readonly edits = new Subject();
  /** Notified when the user pauses, when the text becomes empty or not empty, and after edits by the app. */
  readonly rests = new Subject();
  #element: HTMLTextAreaElement | undefined;
  #value: string;
  #wasEmpty: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(value = '') {
    this.#value = value;
    this.#wasEmpty = value.trim() === '';
  }

  /** Connects the textarea. Returns a function that ends this. */
  attach(element: HTMLTextAreaElement): () => void {
    this.#element = element;
    element.value = this.#value;
    element.setSelectionRange(this.#value.length, this.#value.length);
    fit(element);
    return () => {
      this.#value = element.value;
      this.#element = undefined;
      clearTimeout(this.#timer);
    };
  }

  get element(): HTMLTextAreaElement | undefined {
    return this.#element;
  }

  get value(): string {
    return this.#element?.value ?? this.#value;
  }

  get isEmpty(): boolean {
    return this.value.trim() === '';
  }

  get selection(): TextSelection {
    const element = this.#element;
    const { length } = this.#value;
    return element === undefined
      ? { start: length, end: length }
      : { start: element.selectionStart, end: element.selectionEnd };
  }

  focus(): void {
    this.#element?.focus();
  }

  /** Replaces everything, for example with a draft. It cannot be undone. */
  set(value: string): void {
    this.#value = value;
    if (this.#element !== undefined) {
      this.#element.value = value;
      fit(this.#element);
    }
    this.edits.changed();
    this.#rest();
  }

  /** Applies an edit. The selection stays where it is if the edit is elsewhere and names none. */
  apply({ from, to, text, selection }: TextEdit): void {
    const element = this.#element;
    if (element === undefined) {
      this.#value = this.#value.slice(0, from) + text + this.#value.slice(to);
      this.edits.changed();
      this.#rest();
      return;
    }
    if (element.ownerDocument.activeElement === element) {
      element.setSelectionRange(from, to);
      // Setting the range would clear the history of undo in most browsers.
      const isDone = document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
      if (!isDone) element.setRangeText(text, from, to, 'end');
    } else element.setRangeText(text, from, to, 'end');
    if (selection !== undefined) element.setSelectionRange(selection.start, selection.end);
    this.edited();
    this.#rest();
  }

  /** Inserts at the selection, and replaces it. */
  insert(text: string): void {
    const { start, end } = this.selection;
    this.apply({ from: start, to: end, text });
  }

  /** Inserts a part of a line, with a space between it and the word before it. */
  insertWord(text: string): void {
    const { start, end } = this.selection;
    const gap = /(?:^|\s)$/.test(this.value.slice(0, start)) ? '' : ' ';
    this.apply({ from: start, to: end, text: gap + text });
  }

  /** Inserts a block, with an empty line between it and the text before it. */
  insertBlock(text: string): void {
    const { start, end } = this.selection;
    const before = this.value.slice(0, start);
    const gap = before.trim() === '' ? '' : before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    this.apply({ from: start, to: end, text: gap + text });
  }

  /** Replaces a part that occurs once, such as a placeholder. The cursor stays in its text. Returns whether it was found. */
  replaceOnce(part: string, text: string): boolean {
    const from = this.value.indexOf(part);
    if (from < 0) return false;
    const to = from + part.length;
    const shifted = (at: number) => (at <= from ? at : at >= to ? at + text.length - part.length : from + text.length);
    const { start, end } = this.selection;
    this.apply({ from, to, text, selection: { start: shifted(start), end: shifted(end) } });
    return true;
  }

  /** Call this after each event `input` of the textarea. */
  edited(): void {
    const element = this.#element;
    if (element !== undefined) fit(element);
    this.edits.changed();
    clearTimeout(this.#timer);
    if (this.isEmpty !== this.#wasEmpty) this.#rest();
    else this.#timer = setTimeout(() => this.#rest(), REST_MS);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#wasEmpty = this.isEmpty;
    this.rests.changed();
  }
}

const growsByItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content');

/** Gives the textarea the height of its text, in browsers that do not do it themselves. */
function fit(element: HTMLTextAreaElement): void {
  if (growsByItself) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`;
}
