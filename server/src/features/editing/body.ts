import type { LoggedEvent } from '../../log/event.ts';
import type { TopicLink } from '../../markup/index.ts';
import type { MessageReaders } from './readers.ts';
import type { Propagation } from './request.ts';

/**
 * The body of an `update_message` event. The event's own `messageId` is there where it is about one message alone: it is erased with that
 * message, and what has become of others must stay (log/erase.ts).
 */
export interface MessageUpdateBody {
  /** The message that was named, of several. */
  readonly messageId?: number;
  /** Who did it; null for the server. */
  readonly userId: number | null;
  /** Seconds since the epoch. */
  readonly at: number;
  /** All that changed, ascending. */
  readonly messageIds: readonly number[];
  /** Where they were; null for direct messages. */
  readonly channel: { readonly id: number; readonly name: string } | null;
  /** Null: the texts stay. */
  readonly content: ContentChange | null;
  /** What the message shows is drawn anew: its text is the same, and it was not edited. */
  readonly isRenderingOnly?: true;
  /** Absent: the messages stay where they are. */
  readonly move?: PlaceChange;
  /** What the named message is to those who have it. */
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

export interface PlaceChange {
  readonly fromTopic: string;
  /** Null: each keeps its own. */
  readonly newTopic: string | null;
  /** In the new topic; missing: there are none. */
  readonly topicLinks?: readonly TopicLink[];
  /** Null: the channel stays. */
  readonly toChannelId: number | null;
  readonly propagation: Propagation;
  /** What the named message is to those who have it only now, being subscribed where it has come to: all others have it as read, and not received. */
  readonly newReaders: NewReaders;
}

/** Ids of users. */
export interface NewReaders {
  readonly received: readonly number[];
  readonly unread: readonly number[];
}

export function messageUpdateBody(event: LoggedEvent): MessageUpdateBody {
  return event.body as MessageUpdateBody;
}
