import type { Place } from '@heddle/client/model/messages/places.ts';
import { type LiveSession, liveSessions } from '../../compose/drafts/live-sessions.ts';
import { BoxText } from '../../compose/text/box-text.ts';

/** The longest time between a key press and the stored text, in milliseconds. */
const SAVE_AFTER_MS = 300;

/** What an edit needs of its store. */
interface EditContext {
  readonly place: () => Place | undefined;
  /** Stores the text. */
  readonly keep: (text: string) => void;
}

/** The text of a message while the user edits it. */
export class EditSession implements LiveSession {
  readonly text: BoxText;
  /** An edit stays with its message, wherever that is moved. */
  readonly placeKey = undefined;
  readonly #context: EditContext;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(text: string, context: EditContext) {
    this.text = new BoxText(text);
    this.#context = context;
  }

  get place(): Place | undefined {
    return this.#context.place();
  }

  setTarget(): void {}

  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#context.keep(this.text.value);
  }

  replaceStored(part: string, text: string): boolean {
    const isFound = this.text.replaceOnce(part, text);
    if (isFound) this.save();
    return isFound;
  }

  /** Saves while the user writes. Returns a function that ends this. */
  start(): () => void {
    const end = this.text.edits.subscribe(() => {
      this.#timer ??= setTimeout(() => this.save(), SAVE_AFTER_MS);
    });
    const save = (): void => this.save();
    liveSessions.add(this);
    window.addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', save);
    return () => {
      end();
      window.removeEventListener('pagehide', save);
      document.removeEventListener('visibilitychange', save);
      this.save();
      liveSessions.delete(this);
    };
  }
}
