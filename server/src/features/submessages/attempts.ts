import { addSubmessage } from '@heddle/api/endpoints/submessages.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const submessageAttempts: Attempts = ({ messageId }) => [
  attemptsOn(addSubmessage, { refused: [{ message_id: messageId, msg_type: 'widget', content: '{}' }] }),
];
