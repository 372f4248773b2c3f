import type { Reaction } from '../reactions/queries.ts';
import type { MessageEdit } from './edits.ts';
import type { WireFlag } from './flags.ts';
import type { MessageContent } from './message-body.ts';

/** A message with its reader's flags. */
export interface FetchedMessage {
  readonly id: number;
  readonly content: MessageContent;
  readonly flags: readonly WireFlag[];
  /** When its text was last edited, and when it was last moved, in seconds since the epoch. */
  readonly editedAt: number | null;
  readonly movedAt: number | null;
  /** Its newest changes that readers can see, newest first; null if the user sees no history. */
  readonly edits: readonly MessageEdit[] | null;
  readonly reactions: readonly Reaction[];
}
