import type { UserBits } from '../db/user-bits.ts';
import type { LoggedEvent, NewEvent } from './event.ts';

/** A message that a change adds. It has no id yet: the append statement numbers it. */
export interface NewMessage {
  readonly senderId: number;
  /** Null for direct messages. `conversationId` is null for channel messages. */
  readonly channelId: number | null;
  readonly conversationId: number | null;
  readonly topic: string;
  readonly content: string;
  readonly renderedContent: string;
  /** Whether it mentions everyone in the channel or conversation. */
  readonly mentionsChannel: boolean;
  readonly isMeMessage: boolean;
  readonly client: string;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  /** Rows of `message_flags`: users and their flag bits (db/flag-bits.ts). */
  readonly flags: readonly (readonly [userId: number, bits: number])[];
  /** The mentioned users, if there are too many for flag rows; else null. */
  readonly massMention: UserBits | null;
  /** The widget that the message is sent with, as JSON. Absent: it has none. */
  readonly widget?: string;
  /** The event that announces the message. The log adds the message's id to it. */
  readonly event: NewEvent;
  /** The event that announces the channel's first message. Null if the directory already knows a message there. */
  readonly firstInChannel: NewEvent | null;
  /**
   * The event that announces that the channel is recently active again. Null if the directory says that it still is.
   */
  readonly revivesChannel: NewEvent | null;
  /** Absent if the message links to no uploaded file. */
  readonly files?: MessageFiles;
  /** Users who become visible to guests because of this message. Absent if the directory knows of none. */
  readonly introduction?: Introduction;
}

/** The first message of a direct conversation makes its participants visible to the guests in it. */
export interface Introduction {
  /** Rows of `acquaintances`. */
  readonly pairs: readonly (readonly [guestId: number, userId: number])[];
  /** Inform the guests before the message itself does, and carry the state deltas for the directory. */
  readonly events: readonly NewEvent[];
}

/** The uploaded files that a message links to (`features/uploads`). */
export interface MessageFiles {
  readonly attachmentIds: readonly number[];
  /** Events for the owners of the files. The log adds the message's id to each. */
  readonly events: readonly NewEvent[];
}

interface Numbered<Value> {
  readonly value: Value;
  /** The position of the message in the entry, from 1. It is 0 if the value belongs to no message. */
  readonly message: number;
}

/**
 * Everything that one commit appends to a log, in order: events, and messages with their events.
 *
 * The log assigns ids only when it commits, so until then the entry refers to its messages by position. For example, an
 * entry with two messages that commits after message 40 gives them the ids 41 and 42.
 */
export class LogEntry {
  readonly messages: NewMessage[] = [];
  readonly events: Numbered<NewEvent>[] = [];
  readonly flags: Numbered<readonly [userId: number, bits: number]>[] = [];
  readonly massMentions: Numbered<UserBits>[] = [];
  /**
   * Users who become visible to guests. Several messages of the entry may begin the same conversation; it counts once.
   */
  readonly introduced: (readonly [guestId: number, userId: number])[] = [];
  readonly #begun = new Set<number>();
  /** Ids of uploaded files that messages link to. */
  readonly attached: Numbered<number>[] = [];
  /** Channels whose first message is in this entry, with the position of that message. */
  readonly opened = new Map<number, number>();
  /** Channels that become recently active again. */
  readonly revived = new Set<number>();
  /** Callbacks that receive the id of a message. */
  readonly #numbered: Numbered<(messageId: number) => void>[] = [];

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Returns the position of the event in the entry, from 1. */
  append(event: NewEvent): number {
    return this.events.push({ value: event, message: 0 });
  }

  /**
   * Returns the position of the message in the entry, from 1.
   * @param numbered is called with the message's id after the log has assigned it
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

  /** Returns the events with the ids that the log assigned, and reports the message ids to the callbacks. */
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
