import { addReaction, removeReaction } from '@heddle/api/endpoints/reactions.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, messageId }) => {
  const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
  await owner.ok('POST', `/messages/${messageId}/reactions`, octopus);
  const refused = [
    { message_id: messageId, emoji_name: 'octopus' },
    { message_id: messageId, ...octopus },
  ];
  return [attemptsOn(addReaction, { refused }), attemptsOn(removeReaction, { refused })];
};
