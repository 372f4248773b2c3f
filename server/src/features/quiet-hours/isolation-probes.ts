import * as endpoints from '@heddle/api/endpoints/quiet-hours.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner }) => {
  const paused_until = Math.floor(Date.now() / 1000) + 3600;
  await owner.ok('PATCH', '/users/me/quiet_hours', { paused_until });
  const schedule = [{ days: [1], from: 0, to: 60 }];
  return [
    probesOf(endpoints.updateQuietHours, { contained: [{ paused_until, schedule, except_direct_messages: true }] }),
    probesOf(endpoints.getQuietHoursOfUser, { refused: [{ user_id: owner.userId }] }),
  ];
};
