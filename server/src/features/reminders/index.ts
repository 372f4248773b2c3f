import { sql } from 'kysely';
import type { Feature } from '../../extension/feature.ts';
import { forgetQuotes } from './actions.ts';
import { ReminderDeliveries } from './delivering.ts';
import { reminderPresenter } from './events.ts';
import { reminderRoutes } from './routes.ts';
import { remindersState } from './state.ts';

export const reminders: Feature = {
  routes: reminderRoutes,
  state: () => [remindersState],
  presenters: { reminders: reminderPresenter },
  hooks: { messagesDeleted: forgetQuotes },
  scheduled: (app) => [new ReminderDeliveries(app)],
  exports: [
    {
      table: 'reminders',
      fields: ['user_id', 'id', 'message_id', 'note', 'content', 'rendered_content', 'deliver_at', 'failed'],
      // A reminder quotes the message. Its owner may have lost access to it, or received it from a user who did not agree.
      rows: ({ consents, hasMessage }) => sql`${consents('user_id')} AND ${hasMessage('message_id')}`,
    },
  ],
};
