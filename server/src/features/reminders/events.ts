import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import type { Reminder } from './queries.ts';
import { OF_DELETED, OF_DELETED_HTML } from './text.ts';

/** The bodies of `reminders` events in the log. */
type ReminderEvent = Addition | { readonly op: 'remove'; readonly reminderId: number };

interface Addition {
  readonly op: 'add';
  readonly reminder: Reminder;
  /** What remains when the message is deleted (`log/erase.ts`). */
  readonly whenErased?: Addition | null;
}

/** The audience is only the user. The deletion of the message also removes the quote from the log. */
export function addedEvent(userId: number, reminder: Reminder): NewEvent {
  const withoutQuote = { ...reminder, content: OF_DELETED, rendered_content: OF_DELETED_HTML };
  const whenErased: Addition = { op: 'add', reminder: withoutQuote, whenErased: null };
  return {
    ...eventFor(userId, { op: 'add', reminder, whenErased }),
    messageId: reminder.reminder_target_message_id,
  };
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
