import * as endpoints from '@heddle/api/endpoints/scheduled-messages.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async (victim) => {
  const { owner, member, publicChannel, privateChannel, ownUserId, secret } = victim;
  const later = Math.floor(Date.now() / 1000) + 86_400;
  const { scheduled_message_id: theirs } = await owner.ok('POST', '/scheduled_messages', {
    type: 'channel',
    to: privateChannel.id,
    topic: secret('plan'),
    content: secret('announcement'),
    scheduled_delivery_timestamp: later,
  });
  const text = { topic: 'x', content: 'x', scheduled_delivery_timestamp: later };
  const targets = [
    ...[publicChannel, privateChannel].map(({ id }) => ({ type: 'channel', to: id })),
    ...[[owner.userId], [ownUserId, member.userId]].map((to) => ({ type: 'direct', to })),
  ];
  return [
    probesOf(endpoints.getScheduledMessages, { contained: [{}] }),
    probesOf(endpoints.createScheduledMessage, {
      refused: targets.map((target) => ({ ...target, ...text })),
      contained: [{ type: 'direct', to: [ownUserId], ...text, read_by_sender: true }],
    }),
    probesOf(endpoints.updateScheduledMessage, {
      refused: [
        { scheduled_message_id: theirs, content: 'x' },
        ...targets.map((target) => ({ scheduled_message_id: theirs, ...target, ...text })),
      ],
    }),
    probesOf(endpoints.deleteScheduledMessage, { refused: [{ scheduled_message_id: theirs }] }),
  ];
};
