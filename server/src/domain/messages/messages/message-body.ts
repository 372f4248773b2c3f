import type { LoggedEvent } from '../../../log/event.ts';
import type { TopicLink } from '../../../markup/index.ts';
import type { Submessage } from '../submessages/queries.ts';

/** A participant of a direct conversation, as the message contains it. */
export interface Participant {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/**
 * The part of a message that is equal for all readers. It suffices to build the message of the wire without further
 * lookups.
 */
export interface MessageContent {
  readonly sender: {
    readonly id: number;
    readonly email: string;
    readonly fullName: string;
    /** Clients can compute the Gravatar picture themselves only from the real email address. */
    readonly avatar: { readonly url: string; readonly isGravatar: boolean };
  };
  /** The organization's subdomain. */
  readonly subdomain: string;
  readonly recipientId: number;
  readonly channel: { readonly id: number; readonly name: string } | null;
  /** Empty for channel messages. */
  readonly participants: readonly Participant[];
  readonly topic: string;
  /** Missing if there are none. */
  readonly topicLinks?: readonly TopicLink[];
  readonly content: string;
  readonly renderedContent: string;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  readonly client: string;
  readonly isMeMessage: boolean;
  /** In order; missing if there are none. */
  readonly submessages?: readonly Submessage[];
}

/** The body of a `message` event; the message's id is the event's `messageId`. */
export interface MessageBody extends MessageContent {
  readonly readBySender: boolean;
  /** Other users for whom the message starts as read. */
  readonly readBy?: readonly number[];
  readonly mentioned: readonly number[];
  /** Whether it mentions all users of the channel or the conversation. */
  readonly mentionsChannel: boolean;
  readonly topicMentioned: readonly number[];
  /** Users with an alert word in it; missing if there are none. */
  readonly alerted?: readonly number[];
  /** The queue whose client already shows the message, and the client's id for it. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
}

export function messageBody(event: LoggedEvent): MessageBody {
  return event.body as MessageBody;
}
