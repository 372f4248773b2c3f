import { deleteMessage, deleteTopic } from '@heddle/api/endpoints/deleting.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = ({ messageId, publicChannel, privateChannel }) => [
  attemptsOn(deleteMessage, { refused: [{ message_id: messageId }] }),
  attemptsOn(deleteTopic, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id, topic_name: 'secret' })),
  }),
];
