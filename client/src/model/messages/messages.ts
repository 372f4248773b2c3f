import type { EventOfType, Message } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import {
  CHANGEABLE_FLAGS,
  type MessageRecord,
  recordOf,
  withReaction,
  withSubmessage,
  withUpdate,
} from './message-record.ts';

/** An event that changes messages which a client may have. The model knows the user of a reaction by the id. */
export type MessageChange =
  | EventOfType<'update_message' | 'update_message_flags' | 'delete_message' | 'submessage'>
  | Omit<EventOfType<'reaction'>, 'user'>;

/** An event with the id of the newest message that had arrived then. */
interface Journaled {
  readonly event: MessageChange;
  readonly newestId: number;
}

/** A change of one message: before and after it. `after` is undefined for a deleted message. */
export interface RecordChange {
  readonly before: MessageRecord;
  readonly after: MessageRecord | undefined;
}

/**
 * The messages that windows hold. Invariants:
 * - A message is here as long as a window holds it.
 * - A record equals the response of the server for this message after the newest applied event. A response can be
 *   older than events that arrived while it was on its way. So those events are applied to its messages again. They set
 *   absolute values, so it does no harm if the response was newer.
 */
export class Messages {
  readonly #ownId: number;
  readonly #newestId: () => number;
  readonly #isMarked: (id: number) => boolean;
  readonly #records = new Map<number, MessageRecord>();
  /** How many windows hold each message. */
  readonly #holders = new Map<number, number>();
  /** Events that arrived since the oldest open request began. */
  #journal: Journaled[] = [];
  #openRequests = 0;
  /** The greatest id that was ever here. */
  newestKnownId = 0;
  /** Changes of any message. */
  readonly changes = new Subject();
  /** Changes of one message, by its id. */
  readonly changesOf = new KeyedSubject<number>();

  /**
   * @param newestId returns the id of the newest message that has arrived
   * @param isMarked whether this client has marked the message as read without a response so far
   */
  constructor(ownId: number, newestId: () => number, isMarked: (id: number) => boolean) {
    this.#ownId = ownId;
    this.#newestId = newestId;
    this.#isMarked = isMarked;
  }

  get(id: number): MessageRecord | undefined {
    return this.#records.get(id);
  }

  get size(): number {
    return this.#records.size;
  }

  /** All records, to save them. */
  all(): Iterable<MessageRecord> {
    return this.#records.values();
  }

  /**
   * Runs a request for messages. Messages of its response must enter through the function that `request` receives, so
   * that events which arrived meanwhile are applied to them.
   */
  async fetching<Result>(
    request: () => Promise<readonly Message[]>,
    enter: (records: readonly MessageRecord[]) => Result,
  ) {
    const since = this.#journal.length;
    this.#openRequests += 1;
    try {
      const messages = await request();
      const missed = this.#journal.slice(since);
      return enter(messages.flatMap((message) => this.#caughtUp(recordOf(message, this.#ownId), missed)));
    } finally {
      this.#openRequests -= 1;
      if (this.#openRequests === 0) this.#journal = [];
    }
  }

  /** Applies what arrived while a response was on its way. A deleted message is dropped. */
  #caughtUp(record: MessageRecord, missed: readonly Journaled[]): readonly MessageRecord[] {
    let current: MessageRecord | undefined = record;
    for (const { event, newestId } of missed) {
      if (isOfAll(event) && record.id > newestId) continue;
      if (current !== undefined) current = changed(current, event);
    }
    if (current === undefined) return [];
    return [this.#isMarked(current.id) && !current.isRead ? { ...current, isRead: true } : current];
  }

  /** A window holds these messages from now on. Known ones get the new content. */
  hold(records: readonly MessageRecord[]): void {
    for (const record of records) {
      const known = this.#records.get(record.id);
      this.newestKnownId = Math.max(this.newestKnownId, record.id);
      this.#records.set(record.id, record);
      this.#holders.set(record.id, (this.#holders.get(record.id) ?? 0) + 1);
      if (known !== undefined) this.changes.changed();
      // Also a message that no window held for a while can have readers.
      this.changesOf.changed(record.id);
    }
  }

  /** A window does not hold these messages any more. */
  release(ids: Iterable<number>): void {
    for (const id of ids) {
      const holders = (this.#holders.get(id) ?? 0) - 1;
      if (holders > 0) {
        this.#holders.set(id, holders);
        continue;
      }
      this.#holders.delete(id);
      this.#records.delete(id);
    }
  }

  /** Replaces a record that is held, for example after a click that the server has not confirmed yet. */
  replace(record: MessageRecord): void {
    if (!this.#records.has(record.id)) return;
    this.#records.set(record.id, record);
    this.#changed(record.id);
  }

  /** The messages of the event that no window holds. */
  unknownOf(event: EventOfType<'update_message'>): readonly number[] {
    return idsOf(event).filter((id) => !this.#records.has(id));
  }

  /** Applies an event. Returns what changed. */
  apply(event: MessageChange): readonly RecordChange[] {
    if (this.#openRequests > 0) this.#journal.push({ event, newestId: this.#newestId() });
    const changes: RecordChange[] = [];
    for (const id of this.#idsOf(event)) {
      const before = this.#records.get(id);
      if (before === undefined) continue;
      const after = changed(before, event);
      if (after === before) continue;
      changes.push({ before, after });
      // Windows still hold a deleted message. They release it when they learn of the change.
      if (after !== undefined) this.#records.set(id, after);
      this.#changed(id);
    }
    return changes;
  }

  #changed(id: number): void {
    this.changes.changed();
    this.changesOf.changed(id);
  }

  #idsOf(event: MessageChange): Iterable<number> {
    if (event.type !== 'update_message_flags') return idsOf(event);
    if (!event.all) return event.messages;
    const newestId = this.#newestId();
    return [...this.#records.keys()].filter((id) => id <= newestId);
  }
}

/** Whether all messages were marked as read. That changes no message which came after, and which a response contains already. */
function isOfAll(event: MessageChange): boolean {
  return event.type === 'update_message_flags' && event.all;
}

/** The messages that an event names. */
export function idsOf(event: Exclude<MessageChange, EventOfType<'update_message_flags'>>): readonly number[] {
  switch (event.type) {
    case 'update_message':
      return event.message_ids.includes(event.message_id)
        ? event.message_ids
        : [event.message_id, ...event.message_ids];
    case 'delete_message':
      return 'message_ids' in event ? event.message_ids : [event.message_id];
    default:
      return [event.message_id];
  }
}

/** The record after the event. Returns the record itself if the event does not change it, undefined if it is deleted. */
function changed(record: MessageRecord, event: MessageChange): MessageRecord | undefined {
  if (event.type === 'update_message_flags') return withFlag(record, event);
  if (!idsOf(event).includes(record.id)) return record;
  switch (event.type) {
    case 'update_message':
      return withUpdate(record, event);
    case 'delete_message':
      return undefined;
    case 'reaction':
      return withReaction(record, event);
    case 'submessage':
      return withSubmessage(record, event);
  }
}

function withFlag(record: MessageRecord, event: EventOfType<'update_message_flags'>): MessageRecord {
  const field = CHANGEABLE_FLAGS[event.flag];
  if (field === undefined || !(event.all || event.messages.includes(record.id))) return record;
  const value = event.op === 'add';
  return record[field] === value ? record : { ...record, [field]: value };
}
