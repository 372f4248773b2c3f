import { updateMessageFlags } from '@heddle/api/endpoints/messages.ts';
import * as endpoints from '@heddle/api/endpoints/reading.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = ({ messageId, publicChannel, privateChannel }) => [
  attemptsOn(updateMessageFlags, {
    refused: [
      { messages: [messageId], op: 'add', flag: 'starred' },
      { messages: [messageId], op: 'remove', flag: 'starred' },
      { messages: [messageId], op: 'remove', flag: 'read' },
    ],
    contained: [{ messages: [messageId, messageId - 1], op: 'add', flag: 'read' }],
  }),
  attemptsOn(endpoints.updateMessageFlagsForNarrow, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow: [{ operator: 'channel', operand: id }],
      op: 'add',
      flag: 'starred',
    })),
    contained: [
      { anchor: messageId, include_anchor: true, num_before: 1, num_after: 1, narrow: [], op: 'add', flag: 'starred' },
    ],
  }),
  attemptsOn(endpoints.getReadReceipts, { refused: [{ message_id: messageId }] }),
  attemptsOn(endpoints.markAllAsRead, { contained: [{}] }),
  attemptsOn(endpoints.markChannelAsRead, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id })),
  }),
  attemptsOn(endpoints.markTopicAsRead, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id, topic_name: 'a secret topic' })),
  }),
];
