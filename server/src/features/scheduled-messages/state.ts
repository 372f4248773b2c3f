import { statePart } from '../../extension/initial-state.ts';
import { presentScheduled } from './present.ts';
import { type ScheduledMessage, selectScheduled } from './queries.ts';

export const scheduledMessagesState = statePart<readonly ScheduledMessage[]>({
  types: ['scheduled_messages'],
  select: ({ organizationId, userId }) => selectScheduled(organizationId, userId),
  build: ({ user, settings }, scheduled) => ({
    scheduled_messages: scheduled.map((one) => presentScheduled(one, user.id, settings.capabilities.emptyTopicName)),
  }),
  spectators: { build: () => ({ scheduled_messages: [] }) },
});
