import { reportMessage } from '@heddle/api/endpoints/reports.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = ({ messageId }) => [
  attemptsOn(reportMessage, {
    refused: [{ message_id: messageId, report_type: 'spam' }],
    harmless: ['description'],
  }),
];
