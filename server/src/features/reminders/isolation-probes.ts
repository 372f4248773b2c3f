import * as endpoints from '@heddle/api/endpoints/reminders.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, messageId, secret }) => {
  const later = Math.floor(Date.now() / 1000) + 86_400;
  const { reminder_id: theirs } = await owner.ok('POST', '/reminders', {
    message_id: messageId,
    scheduled_delivery_timestamp: later,
    note: secret('note'),
  });
  return [
    probesOf(endpoints.getReminders, { contained: [{}] }),
    probesOf(endpoints.createReminder, {
      refused: [{ message_id: messageId, scheduled_delivery_timestamp: later, note: 'x' }],
    }),
    probesOf(endpoints.deleteReminder, { refused: [{ reminder_id: theirs }] }),
  ];
};
