import { reportMessage } from '@heddle/api/endpoints/reports.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ messageId }) => [
  probesOf(reportMessage, {
    refused: [{ message_id: messageId, report_type: 'spam' }],
    harmless: ['description'],
  }),
];
