import * as endpoints from '@heddle/api/endpoints/reminders.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, messageId, secret }) => {
  const later = Math.floor(Date.now() / 1000) + 86_400;
  const { reminder_id: theirs } = await owner.ok('POST', '/reminders', {
    message_id: messageId,
    scheduled_delivery_timestamp: later,
    note: secret('note'),
  });
  return [
    attemptsOn(endpoints.getReminders, { contained: [{}] }),
    attemptsOn(endpoints.createReminder, {
      refused: [{ message_id: messageId, scheduled_delivery_timestamp: later, note: 'x' }],
    }),
    attemptsOn(endpoints.deleteReminder, { refused: [{ reminder_id: theirs }] }),
  ];
};
