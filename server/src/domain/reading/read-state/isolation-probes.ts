import { updateMessageFlags } from '@heddle/api/endpoints/messages.ts';
import * as endpoints from '@heddle/api/endpoints/reading.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ messageId, publicChannel, privateChannel }) => [
  probesOf(updateMessageFlags, {
    refused: [
      { messages: [messageId], op: 'add', flag: 'starred' },
      { messages: [messageId], op: 'remove', flag: 'starred' },
      { messages: [messageId], op: 'remove', flag: 'read' },
    ],
    contained: [{ messages: [messageId, messageId - 1], op: 'add', flag: 'read' }],
  }),
  probesOf(endpoints.updateMessageFlagsForNarrow, {
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
    harmless: ['include_updated_ids'],
  }),
  probesOf(endpoints.getReadReceipts, { refused: [{ message_id: messageId }] }),
  probesOf(endpoints.markAllAsRead, { contained: [{}] }),
  probesOf(endpoints.markChannelAsRead, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id })),
  }),
  probesOf(endpoints.markTopicAsRead, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id, topic_name: 'a secret topic' })),
  }),
];
