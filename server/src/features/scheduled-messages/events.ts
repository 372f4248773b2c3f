import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import { presentScheduled } from './present.ts';
import type { ScheduledMessage } from './queries.ts';

/** The bodies of `scheduled_messages` events in the log. */
type ScheduledMessageEvent = { readonly userId: number } & (
  | { readonly op: 'add' | 'update'; readonly scheduled: ScheduledMessage }
  | { readonly op: 'remove'; readonly id: number }
);

/** The audience is only the author. */
export function scheduledEvent(body: ScheduledMessageEvent): NewEvent {
  return { type: 'scheduled_messages', audience: { to: 'users', users: [body.userId] }, body };
}

export const scheduledMessagePresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,

  present(event, { capabilities }) {
    const body = event.body as ScheduledMessageEvent;
    if (body.op === 'remove') return { type: 'scheduled_messages', op: body.op, scheduled_message_id: body.id };
    const scheduled = presentScheduled(body.scheduled, body.userId, capabilities.emptyTopicName);
    return body.op === 'add'
      ? { type: 'scheduled_messages', op: body.op, scheduled_messages: [scheduled] }
      : { type: 'scheduled_messages', op: body.op, scheduled_message: scheduled };
  },
};
