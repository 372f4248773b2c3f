import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import type { Reminder } from './queries.ts';

/** The bodies of `reminders` events in the log. */
type ReminderEvent =
  | { readonly op: 'add'; readonly reminder: Reminder }
  | { readonly op: 'remove'; readonly reminderId: number };

/** The audience is only the user. The deletion of the message also redacts the quote in the log. */
export function addedEvent(userId: number, reminder: Reminder): NewEvent {
  return { ...eventFor(userId, { op: 'add', reminder }), messageId: reminder.reminder_target_message_id };
}

/** For a reminder whose message was deleted: without the quote. */
export function addedWithoutQuoteEvent(userId: number, reminder: Reminder): NewEvent {
  return eventFor(userId, { op: 'add', reminder });
}

export function removedEvent(userId: number, reminderId: number): NewEvent {
  return eventFor(userId, { op: 'remove', reminderId });
}

function eventFor(userId: number, body: ReminderEvent): NewEvent {
  return { type: 'reminders', audience: { to: 'users', users: [userId] }, body };
}

export const reminderPresenter: Presenter = {
  present(event) {
    const body = event.body as ReminderEvent;
    return body.op === 'add'
      ? { type: 'reminders', op: body.op, reminders: [body.reminder] }
      : { type: 'reminders', op: body.op, reminder_id: body.reminderId };
  },
};
