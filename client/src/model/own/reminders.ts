import type { EventOfType, InitialState, Reminder } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** A reminder of a message, which the notification bot sends to the user. */
export interface ReminderRecord {
  readonly id: number;
  readonly messageId: number;
  /** Markdown source of what the bot will send. */
  readonly content: string;
  readonly html: string;
  /** Seconds since the epoch. */
  readonly deliverAt: number;
  /** Whether the server could not send it. */
  readonly hasFailed: boolean;
}

/** The reminders of the user. The server removes each one when it is due. */
export class Reminders {
  readonly changes = new Subject();
  readonly #reminders = new Map<number, ReminderRecord>();
  #soonestFirst: readonly ReminderRecord[] | undefined;

  constructor(state: InitialState) {
    for (const reminder of state.reminders ?? []) this.#put(reminder);
  }

  /** The next one is first. The same array until a change. */
  get soonestFirst(): readonly ReminderRecord[] {
    this.#soonestFirst ??= [...this.#reminders.values()].sort((a, b) => a.deliverAt - b.deliverAt || a.id - b.id);
    return this.#soonestFirst;
  }

  get(id: number): ReminderRecord | undefined {
    return this.#reminders.get(id);
  }

  /** The reminders of a message, the next one first. */
  ofMessage(messageId: number): ReminderRecord[] {
    return this.soonestFirst.filter((reminder) => reminder.messageId === messageId);
  }

  apply(event: EventOfType<'reminders'>): void {
    if (event.op === 'add') for (const reminder of event.reminders) this.#put(reminder);
    else this.#reminders.delete(event.reminder_id);
    this.#soonestFirst = undefined;
    this.changes.changed();
  }

  #put(reminder: Reminder): void {
    this.#reminders.set(reminder.reminder_id, {
      id: reminder.reminder_id,
      messageId: reminder.reminder_target_message_id,
      content: reminder.content,
      html: reminder.rendered_content,
      deliverAt: reminder.scheduled_delivery_timestamp,
      hasFailed: reminder.failed,
    });
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#reminders.values()].sort((a, b) => a.id - b.id);
  }
}
