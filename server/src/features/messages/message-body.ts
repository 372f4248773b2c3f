import type { LoggedEvent } from '../../log/event.ts';
import type { TopicLink } from '../../markup/index.ts';
import type { Submessage } from '../submessages/queries.ts';

/** A participant of a direct conversation, as the message announces it. */
export interface Participant {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/** What is the same for everybody who reads a message: enough to build the wire's message without looking anything up. */
export interface MessageContent {
  readonly sender: {
    readonly id: number;
    readonly email: string;
    readonly fullName: string;
    /** With the real address and gravatar's avatar, clients may compute the picture themselves. */
    readonly avatar: { readonly url: string; readonly isGravatar: boolean };
  };
  /** The organization's subdomain. */
  readonly subdomain: string;
  readonly recipientId: number;
  readonly channel: { readonly id: number; readonly name: string } | null;
  /** Empty for channel messages. */
  readonly participants: readonly Participant[];
  readonly topic: string;
  /** Missing: there are none. */
  readonly topicLinks?: readonly TopicLink[];
  readonly content: string;
  readonly renderedContent: string;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  readonly client: string;
  readonly isMeMessage: boolean;
  /** In their order; missing: there are none. */
  readonly submessages?: readonly Submessage[];
}

/** The body of a `message` event; the message's id is the event's `messageId`. */
export interface MessageBody extends MessageContent {
  readonly readBySender: boolean;
  /** Others for whom it begins as read. */
  readonly readBy?: readonly number[];
  readonly mentioned: readonly number[];
  /** Everybody in the channel, or in the conversation. */
  readonly mentionsChannel: boolean;
  readonly topicMentioned: readonly number[];
  /** Who is alerted by one of their words in it; missing: nobody. */
  readonly alerted?: readonly number[];
  /** Which queue's client shows the message already, under what name. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
}

export function messageBody(event: LoggedEvent): MessageBody {
  return event.body as MessageBody;
}
