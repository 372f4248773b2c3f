import { addSubmessage } from '@heddle/api/endpoints/submessages.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = ({ messageId }) => [
  attemptsOn(addSubmessage, { refused: [{ message_id: messageId, msg_type: 'widget', content: '{}' }] }),
];
