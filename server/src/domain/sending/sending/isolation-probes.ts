import { renderMessage, sendMessage } from '@heddle/api/endpoints/messages.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({
  owner,
  member,
  publicChannel,
  privateChannel,
  queueId,
  ownUserId,
}) => {
  const text = { topic: 'x', content: 'x' };
  const channels = [publicChannel, privateChannel].flatMap(({ id, name }) => [id, name]);
  const telling = `@**|${owner.userId}** @_**|${member.userId}** #**${privateChannel.name}** #**${publicChannel.name}>x**`;
  return [
    probesOf(sendMessage, {
      refused: [
        ...channels.map((to) => ({ type: 'channel', to, ...text })),
        ...[[owner.userId], [owner.email], owner.email, [ownUserId, member.userId]].map((to) => ({
          type: 'direct',
          to,
          ...text,
        })),
      ],
      contained: [
        { type: 'direct', to: [ownUserId], ...text, queue_id: queueId, local_id: '1', read_by_sender: true },
        { type: 'direct', to: [ownUserId], content: telling },
        { type: 'direct', to: [ownUserId], ...text, widget_content: '{}' },
      ],
    }),
    probesOf(renderMessage, { contained: [{ content: telling }] }),
  ];
};
