import type { Feature } from '../../extension/feature.ts';
import { deleteAllScheduled } from './actions.ts';
import { forgetDeliveredJob } from './delivered.ts';
import { ScheduledMessageDeliveries } from './delivering.ts';
import { scheduledMessagePresenter } from './events.ts';
import { scheduledMessagesExports } from './exports.ts';
import { scheduledMessageRoutes } from './routes.ts';
import { scheduledMessagesState } from './state.ts';

export const scheduledMessages: Feature = {
  routes: scheduledMessageRoutes,
  state: () => [scheduledMessagesState],
  presenters: { scheduled_messages: scheduledMessagePresenter },
  hooks: { holderChanged: deleteAllScheduled },
  jobs: () => [forgetDeliveredJob],
  scheduled: (app) => [new ScheduledMessageDeliveries(app)],
  exports: scheduledMessagesExports,
};
