import { setTyping, setTypingInEdit } from '@heddle/api/endpoints/typing.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({
  owner,
  member,
  publicChannel,
  privateChannel,
  ownUserId,
  messageId,
}) => [
  probesOf(setTyping, {
    refused: [
      { type: 'direct', op: 'start', to: [owner.userId] },
      { type: 'direct', op: 'start', to: [ownUserId, member.userId] },
      ...[publicChannel, privateChannel].map(({ id }) => ({ type: 'channel', op: 'start', stream_id: id, topic: 'x' })),
    ],
  }),
  probesOf(setTypingInEdit, { refused: [{ message_id: messageId, op: 'start' }] }),
];
