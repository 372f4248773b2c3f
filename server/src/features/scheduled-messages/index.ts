import type { Feature } from '../feature.ts';
import { scheduledMessageAttempts } from './attempts.ts';
import { ScheduledMessageDeliveries } from './delivering.ts';
import { scheduledMessagePresenter } from './events.ts';
import { scheduledMessageRoutes } from './routes.ts';
import { scheduledMessagesState } from './state.ts';

export const scheduledMessages: Feature = {
  name: 'scheduled-messages',
  routes: scheduledMessageRoutes,
  state: () => [scheduledMessagesState],
  presenters: { scheduled_messages: scheduledMessagePresenter },
  attempts: scheduledMessageAttempts,
  dueRows: (rooms) => [new ScheduledMessageDeliveries(rooms)],
};
