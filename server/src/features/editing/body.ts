import type { LoggedEvent } from '../../log/event.ts';
import type { MessageReaders } from './readers.ts';

/** The body of an `update_message` event; the event's `messageId` is the message that was named. */
export interface MessageUpdateBody {
  /** Who did it. */
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** All that changed, ascending. */
  readonly messageIds: readonly number[];
  /** Where they were; null for direct messages. */
  readonly channel: { readonly id: number; readonly name: string } | null;
  readonly content: ContentChange;
  /** What the named message is now to those who have it. */
  readonly readers: MessageReaders;
}

export interface ContentChange {
  readonly before: MessageText;
  readonly after: MessageText;
  readonly isMeMessage: boolean;
}

/** A message's text as it was written, and as HTML. */
export interface MessageText {
  readonly text: string;
  readonly html: string;
}

export function messageUpdateBody(event: LoggedEvent): MessageUpdateBody {
  return event.body as MessageUpdateBody;
}
