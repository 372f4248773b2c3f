import * as endpoints from '@heddle/api/endpoints/user-status.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  await owner.ok('POST', '/users/me/status', { status_text: secret('status'), emoji_name: 'octopus' });
  const emoji = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
  return [
    probesOf(endpoints.updateOwnStatus, { contained: [{ status_text: 'x', away: false, ...emoji }] }),
    probesOf(endpoints.updateStatusOfUser, { refused: [{ user_id: owner.userId, status_text: 'x', ...emoji }] }),
    probesOf(endpoints.getUserStatus, { refused: [{ user_id: owner.userId }] }),
  ];
};
