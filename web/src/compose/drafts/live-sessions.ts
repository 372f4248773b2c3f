import type { ComposeTarget } from '../target/target.ts';
import type { BoxText } from '../text/box-text.ts';

/** What others change in a text that somebody writes. `ComposeSession` is one. */
export interface LiveSession {
  /** The key of the conversation. Undefined until there is one. */
  readonly placeKey: string | undefined;
  readonly text: BoxText;
  setTarget(target: ComposeTarget): void;
  /** Stores the text as a draft now. */
  save(): void;
}

/** The sessions whose text is on the screen. */
export const liveSessions = new Set<LiveSession>();
