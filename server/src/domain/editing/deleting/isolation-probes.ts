import { deleteMessage, deleteTopic } from '@heddle/api/endpoints/deleting.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ messageId, publicChannel, privateChannel }) => [
  probesOf(deleteMessage, { refused: [{ message_id: messageId }] }),
  probesOf(deleteTopic, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id, topic_name: 'secret' })),
  }),
];
