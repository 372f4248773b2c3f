import type { UserBits } from '../db/user-bits.ts';
import type { LoggedEvent, NewEvent } from './event.ts';

/** A message as a change adds it: all but the id, which the log gives out. */
export interface NewMessage {
  readonly senderId: number;
  /** Null for direct messages, as `conversationId` is for those of channels. */
  readonly channelId: number | null;
  readonly conversationId: number | null;
  readonly topic: string;
  readonly content: string;
  readonly renderedContent: string;
  /** Everybody in the channel, or in the conversation. */
  readonly mentionsChannel: boolean;
  readonly isMeMessage: boolean;
  readonly client: string;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  /** Rows of `message_flags`: who, and their bits (db/flag-bits.ts). */
  readonly flags: readonly (readonly [userId: number, bits: number])[];
  /** Who is mentioned where they are too many for flag rows; null where they are not. */
  readonly massMention: UserBits | null;
  /** What is attached to it from the start, as JSON; missing: nothing is. */
  readonly widget?: string;
  /** Carries the message's id. */
  readonly event: NewEvent;
  /** Where the channel has no message yet, as far as the directory knows: what announces that this is its first. */
  readonly firstInChannel: NewEvent | null;
  /** Where the channel was not recently active, as far as the directory knows: what announces that it is again. */
  readonly revivesChannel: NewEvent | null;
  /** Absent where it links to none. */
  readonly files?: MessageFiles;
  /** Whom guests get to know by its being sent; absent: nobody, as far as the directory knows. */
  readonly introduction?: Introduction;
}

/** Guests get to know who else is in a direct conversation by its first message. */
export interface Introduction {
  /** Rows of `acquaintances`. */
  readonly pairs: readonly (readonly [guestId: number, userId: number])[];
  /** Tell the guests, before the message does, and carry the facts. */
  readonly events: readonly NewEvent[];
}

/** The uploaded files that a message links to (`features/uploads`). */
export interface MessageFiles {
  readonly attachmentIds: readonly number[];
  /** What their owners are told; each carries the message's id. */
  readonly events: readonly NewEvent[];
}

interface Numbered<Value> {
  readonly value: Value;
  /** Counts the entry's messages from 1; 0 for what is about none of them. */
  readonly message: number;
}

/** Everything that one commit adds to a log, in order: events, and messages with theirs. */
export class LogEntry {
  readonly messages: NewMessage[] = [];
  readonly events: Numbered<NewEvent>[] = [];
  readonly flags: Numbered<readonly [userId: number, bits: number]>[] = [];
  readonly massMentions: Numbered<UserBits>[] = [];
  /** Whom guests get to know; the same conversation may begin with several of these messages. */
  readonly introduced: (readonly [guestId: number, userId: number])[] = [];
  readonly #begun = new Set<number>();
  /** Ids of uploaded files that messages link to. */
  readonly attached: Numbered<number>[] = [];
  /** Channels whose first message is among these. */
  readonly opened = new Map<number, number>();
  /** Channels that are recently active again by these. */
  readonly revived = new Set<number>();
  /** Who wants to know a message's id. */
  readonly #numbered: Numbered<(messageId: number) => void>[] = [];

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Answers the event's place in the entry, from 1. */
  append(event: NewEvent): number {
    return this.events.push({ value: event, message: 0 });
  }

  /**
   * Answers the message's place in the entry, from 1.
   * @param numbered is told the message's id when the log has given it out
   */
  send(message: NewMessage, numbered?: (messageId: number) => void): number {
    const place = this.messages.push(message);
    if (numbered !== undefined) this.#numbered.push({ value: numbered, message: place });
    for (const row of message.flags) this.flags.push({ value: row, message: place });
    this.#introduce(message);
    this.events.push({ value: message.event, message: place });
    const { channelId, firstInChannel, revivesChannel, massMention, files } = message;
    if (files !== undefined) {
      for (const id of files.attachmentIds) this.attached.push({ value: id, message: place });
      for (const event of files.events) this.events.push({ value: event, message: place });
    }
    if (massMention !== null) this.massMentions.push({ value: massMention, message: place });
    if (channelId !== null && firstInChannel !== null && !this.opened.has(channelId)) {
      this.opened.set(channelId, place);
      this.events.push({ value: firstInChannel, message: place });
    }
    if (channelId !== null && revivesChannel !== null && !this.revived.has(channelId)) {
      this.revived.add(channelId);
      this.events.push({ value: revivesChannel, message: 0 });
    }
    return place;
  }

  #introduce({ conversationId, introduction }: NewMessage): void {
    if (introduction === undefined || conversationId === null || this.#begun.has(conversationId)) return;
    this.#begun.add(conversationId);
    this.introduced.push(...introduction.pairs);
    for (const event of introduction.events) this.append(event);
  }

  /** The events as they are once the log has given out its ids. */
  logged(organizationId: number, { events, messages }: Bases): LoggedEvent[] {
    for (const { value: numbered, message } of this.#numbered) numbered(messages + message);
    return this.events.map(({ value, message }, index) => ({
      ...value,
      organizationId,
      id: events + index + 1,
      ...(message > 0 && { messageId: messages + message }),
      ephemeral: false,
    }));
  }
}

/** The last ids before an entry's own. */
export interface Bases {
  readonly events: number;
  readonly messages: number;
}
