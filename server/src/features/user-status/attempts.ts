import * as endpoints from '@heddle/api/endpoints/user-status.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  await owner.ok('POST', '/users/me/status', { status_text: secret('status'), emoji_name: 'octopus' });
  const emoji = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
  return [
    attemptsOn(endpoints.updateOwnStatus, { contained: [{ status_text: 'x', away: false, ...emoji }] }),
    attemptsOn(endpoints.updateStatusOfUser, { refused: [{ user_id: owner.userId, status_text: 'x', ...emoji }] }),
    attemptsOn(endpoints.getUserStatus, { refused: [{ user_id: owner.userId }] }),
  ];
};
