import { checkMatchesNarrow, getMessage, getMessages, getSearchHits } from '@heddle/api/endpoints/messages.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ owner, publicChannel, privateChannel, messageId }) => {
  const channels = [publicChannel, privateChannel].flatMap(({ id, name }) => [id, name]);
  const users = [owner.userId, owner.email];
  const narrows = [
    ...channels.flatMap((operand) =>
      [false, true].map((negated) => ({ operator: 'channel', operand, negated }) as const),
    ),
    ...['dm', 'dm-including', 'sender'].flatMap((operator) => users.map((operand) => ({ operator, operand }))),
    ...['public', 'web-public'].map((operand) => ({ operator: 'channels', operand })),
    ...['id', 'near'].map((operator) => ({ operator, operand: messageId })),
  ];
  return [
    probesOf(getMessage, {
      refused: [
        { message_id: messageId },
        { message_id: messageId, apply_markdown: false, allow_empty_topic_name: true },
      ],
    }),
    probesOf(checkMatchesNarrow, {
      contained: narrows.map((term) => ({ msg_ids: [messageId, messageId - 1, 1], narrow: [term] })),
    }),
    probesOf(getSearchHits, { contained: narrows.map((term) => ({ num_relevant: 100, narrow: [term] })) }),
    probesOf(getMessages, {
      contained: [
        { anchor: messageId, num_before: 10, num_after: 10 },
        { anchor: 'date', anchor_date: '2020-01-01', num_before: 10, num_after: 10 },
        { message_ids: [messageId, messageId - 1] },
        // The form of requests from spectators.
        ...narrows.map((term) => ({
          ...{ anchor: 'oldest', num_before: 0, num_after: 100 },
          narrow: [{ operator: 'channels', operand: 'web-public' }, term],
        })),
        ...narrows.map((term) => ({ anchor: 'oldest', num_before: 0, num_after: 100, narrow: [term] })),
        {
          anchor: messageId,
          use_first_unread_anchor: true,
          include_anchor: false,
          num_before: 100,
          num_after: 0,
          client_gravatar: false,
          apply_markdown: false,
          allow_empty_topic_name: true,
        },
      ],
    }),
  ];
};
