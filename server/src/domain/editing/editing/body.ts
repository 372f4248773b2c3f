import type { LoggedEvent } from '../../../log/event.ts';
import type { TopicLink } from '../../../markup/index.ts';
import type { MessageReaders } from './readers.ts';
import type { Propagation } from './request.ts';

/**
 * The body of an `update_message` event. An event about one message has its `messageId`, so that it is redacted with
 * that message. An event about several messages has none: it must stay for the others (log/erase.ts).
 */
export interface MessageUpdateBody {
  /** The named message, if the event is about several. */
  readonly messageId?: number;
  /** The user who edited or moved; null for the server. */
  readonly userId: number | null;
  /** Seconds since the epoch. */
  readonly at: number;
  /** All changed messages, ascending. */
  readonly messageIds: readonly number[];
  /** The channel before the change; null for direct messages. */
  readonly channel: { readonly id: number; readonly name: string } | null;
  /** Null if no text changed. */
  readonly content: ContentChange | null;
  /** Only the HTML changed, for example with a thumbnail. The message does not count as edited. */
  readonly isRenderingOnly?: true;
  /** Missing if the messages were not moved. */
  readonly move?: PlaceChange;
  /** The flags of the named message, for the users who have it. */
  readonly readers: MessageReaders;
}

export interface ContentChange {
  readonly before: MessageText;
  readonly after: MessageText;
  readonly isMeMessage: boolean;
}

/** A message's text in its written form, and as HTML. */
export interface MessageText {
  readonly text: string;
  readonly html: string;
}

export interface PlaceChange {
  readonly fromTopic: string;
  /** Null: each message keeps its topic. */
  readonly newTopic: string | null;
  /** The links in the new topic; missing if there are none. */
  readonly topicLinks?: readonly TopicLink[];
  /** Null if the channel stays the same. */
  readonly toChannelId: number | null;
  readonly propagation: Propagation;
  /**
   * The flags of the named message for users who get it only through this move, as subscribers of the new channel. For
   * all who are not listed, it is read and not received.
   */
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
