import * as endpoints from '@heddle/api/endpoints/pinned-messages.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, messageId, publicChannel }) => {
  await owner.ok('POST', `/messages/${messageId}/pin`, { place: 'topic' });
  return [
    probesOf(endpoints.pinMessage, { refused: [{ message_id: messageId, place: 'channel' }] }),
    probesOf(endpoints.unpinMessage, { refused: [{ message_id: messageId }] }),
    probesOf(endpoints.getPinnedMessages, { refused: [{ stream_id: publicChannel.id }] }),
  ];
};
