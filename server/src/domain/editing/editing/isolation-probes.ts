import { getMessageHistory, updateMessage } from '@heddle/api/endpoints/editing.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ messageId: message_id, publicChannel, privateChannel }) => {
  const moves = [publicChannel, privateChannel].map(({ id }) => ({ message_id, stream_id: id, topic: 'x' }));
  return [
    probesOf(updateMessage, {
      refused: [
        { message_id, content: 'x' },
        ...moves.map((move) => ({ ...move, propagate_mode: 'change_all' })),
        // Of the attacker's own.
        ...moves.map((move) => ({ ...move, message_id: 1 })),
      ],
      harmless: ['prev_content_sha256', 'send_notification_to_old_thread', 'send_notification_to_new_thread'],
    }),
    probesOf(getMessageHistory, { refused: [{ message_id }], harmless: ['allow_empty_topic_name'] }),
  ];
};
