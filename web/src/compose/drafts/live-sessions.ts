import type { Place } from '@heddle/client/model/messages/places.ts';
import type { ComposeRequest } from '../compose-store.ts';
import type { ComposeTarget } from '../target/target.ts';
import type { BoxText } from '../text/box-text.ts';

/** A text that the user writes: a new message, or an edit of one. The box, its tools and the uploads work on it. */
export interface LiveSession {
  /** The conversation. Undefined until there is one. */
  readonly place: Place | undefined;
  /** The key of the conversation, if the text goes with it when it is moved. */
  readonly placeKey: string | undefined;
  readonly text: BoxText;
  setTarget(target: ComposeTarget): void;
  /** Stores the text now. */
  save(): void;
  /** Replaces a part of the stored text while it is not on the screen. Returns whether it was found. */
  replaceStored(part: string, text: string): boolean;
  /** Begins another text, and keeps this one as a draft. Edits cannot. */
  replaceText?(request: ComposeRequest): void;
}

/** The sessions whose text is on the screen. */
export const liveSessions = new Set<LiveSession>();
