import { addReaction, removeReaction } from '@heddle/api/endpoints/reactions.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, messageId }) => {
  const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
  await owner.ok('POST', `/messages/${messageId}/reactions`, octopus);
  const refused = [
    { message_id: messageId, emoji_name: 'octopus' },
    { message_id: messageId, ...octopus },
  ];
  return [probesOf(addReaction, { refused }), probesOf(removeReaction, { refused })];
};
