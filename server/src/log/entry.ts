import type { LoggedEvent, NewEvent } from './event.ts';
import type { RowOf, RowWriter } from './rows.ts';

interface NumberedEvent {
  readonly event: NewEvent;
  /** The position of the message in the entry, from 1. It is 0 if the event is about no message of the entry. */
  readonly message: number;
}

/**
 * Everything that one commit appends to a log, in order: events, and rows that are written with them.
 *
 * The log assigns ids only when it commits, so until then the entry refers to its messages by position. For example, an
 * entry with two messages that commits after message 40 gives them the ids 41 and 42.
 */
export class LogEntry {
  readonly events: NumberedEvent[] = [];
  readonly rows = new Map<RowWriter, object[]>();
  /** How many new messages the entry has. */
  messages = 0;
  /** Callbacks that receive the id of a message. */
  readonly #numbered: { readonly message: number; readonly numbered: (messageId: number) => void }[] = [];

  /**
   * Whether there is nothing to commit.
   * @throws Error if there are messages or rows but no event: they would be lost
   */
  get isEmpty(): boolean {
    if (this.events.length > 0) return false;
    if (this.messages > 0 || this.rows.size > 0) throw new Error('an entry has messages or rows, but no event');
    return true;
  }

  /**
   * Returns the position of the event in the entry, from 1.
   * @param message the position of the new message that the event is about
   */
  append(event: NewEvent, message = 0): number {
    return this.events.push({ event, message });
  }

  /**
   * Adds a message, of which the log only knows the id. Returns the position of the message in the entry, from 1.
   * @param numbered is called with the message's id after the log has assigned it
   */
  addMessage(numbered?: (messageId: number) => void): number {
    this.messages += 1;
    if (numbered !== undefined) this.#numbered.push({ message: this.messages, numbered });
    return this.messages;
  }

  /** Adds rows. The entry must have events as well. */
  write<Of extends RowWriter['columns']>(writer: RowWriter<Of>, rows: readonly RowOf<Of>[]): void {
    if (rows.length === 0) return;
    const earlier = this.rows.get(writer);
    if (earlier === undefined) this.rows.set(writer, [...rows]);
    else for (const row of rows) earlier.push(row);
  }

  /** The rows of the writer that the entry has so far. */
  rowsOf<Of extends RowWriter['columns']>(writer: RowWriter<Of>): readonly RowOf<Of>[] {
    return (this.rows.get(writer) ?? []) as RowOf<Of>[];
  }

  /** Returns the events with the ids that the log assigned, and reports the message ids to the callbacks. */
  logged(organizationId: number, { events, messages }: Bases): LoggedEvent[] {
    for (const { message, numbered } of this.#numbered) numbered(messages + message);
    return this.events.map(({ event, message }, index) => ({
      ...event,
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
