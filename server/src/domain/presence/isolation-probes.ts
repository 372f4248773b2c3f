import * as endpoints from '@heddle/api/endpoints/presence.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, member }) => {
  for (const one of [owner, member]) await one.ok('POST', '/users/me/presence', { status: 'active' });
  const report = { status: 'active', ping_only: false, new_user_input: true };
  return [
    probesOf(endpoints.updatePresence, {
      contained: [
        { ...report, slim_presence: true },
        { ...report, last_update_id: -1, history_limit_days: 365 },
        { ...report, last_update_id: 1 },
      ],
    }),
    probesOf(endpoints.getUserPresence, {
      refused: [owner, member].flatMap(({ userId, email }) => [
        { user_id_or_email: String(userId) },
        { user_id_or_email: email },
      ]),
    }),
    probesOf(endpoints.getPresences, { contained: [{}] }),
  ];
};
