import { setTyping, setTypingInEdit } from '@heddle/api/endpoints/typing.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = ({ owner, member, publicChannel, privateChannel, ownUserId, messageId }) => [
  attemptsOn(setTyping, {
    refused: [
      { type: 'direct', op: 'start', to: [owner.userId] },
      { type: 'direct', op: 'start', to: [ownUserId, member.userId] },
      ...[publicChannel, privateChannel].map(({ id }) => ({ type: 'channel', op: 'start', stream_id: id, topic: 'x' })),
    ],
  }),
  attemptsOn(setTypingInEdit, { refused: [{ message_id: messageId, op: 'start' }] }),
];
