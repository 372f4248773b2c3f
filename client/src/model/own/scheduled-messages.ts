import type { EventOfType, InitialState, ScheduledMessage } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** Where a scheduled message goes. For direct messages: the other users, or the sender alone. */
export type ScheduledTarget =
  | { readonly kind: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

/** A message that the server sends later. */
export interface ScheduledMessageRecord {
  readonly id: number;
  readonly target: ScheduledTarget;
  /** Markdown source. */
  readonly content: string;
  readonly html: string;
  /** Seconds since the epoch. */
  readonly deliverAt: number;
  /** Whether the server could not send it. */
  readonly hasFailed: boolean;
}

/** The scheduled messages of the user. The server removes each one when it sends it. */
export class ScheduledMessages {
  readonly changes = new Subject();
  readonly #messages = new Map<number, ScheduledMessageRecord>();
  #soonestFirst: readonly ScheduledMessageRecord[] | undefined;

  constructor(state: InitialState) {
    for (const message of state.scheduled_messages ?? []) this.#put(message);
  }

  /** The next delivery is first. The same array until a change. */
  get soonestFirst(): readonly ScheduledMessageRecord[] {
    this.#soonestFirst ??= [...this.#messages.values()].sort((a, b) => a.deliverAt - b.deliverAt || a.id - b.id);
    return this.#soonestFirst;
  }

  get(id: number): ScheduledMessageRecord | undefined {
    return this.#messages.get(id);
  }

  apply(event: EventOfType<'scheduled_messages'>): void {
    switch (event.op) {
      case 'add':
        for (const message of event.scheduled_messages) this.#put(message);
        break;
      case 'update':
        this.#put(event.scheduled_message);
        break;
      case 'remove':
        this.#messages.delete(event.scheduled_message_id);
    }
    this.#soonestFirst = undefined;
    this.changes.changed();
  }

  #put(message: ScheduledMessage): void {
    this.#messages.set(message.scheduled_message_id, {
      id: message.scheduled_message_id,
      target:
        message.type === 'stream'
          ? { kind: 'channel', channelId: message.to, topic: message.topic }
          : { kind: 'direct', userIds: message.to },
      content: message.content,
      html: message.rendered_content,
      deliverAt: message.scheduled_delivery_timestamp,
      hasFailed: message.failed,
    });
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#messages.values()].sort((a, b) => a.id - b.id);
  }
}
