import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { quietHoursPresenter } from './events.ts';
import { quietHoursRoutes } from './routes.ts';
import { quietHoursState } from './state.ts';

/**
 * Users choose when they are not notified. `domain/notifications/quiet-hours` reads it for those who notify, and `api/src/quiet-time.ts` says
 * what it means.
 */
export const quietHours: Feature = {
  routes: quietHoursRoutes,
  state: () => [quietHoursState],
  presenters: { quiet_hours: quietHoursPresenter },
  exports: [
    {
      table: 'quiet_hours',
      fields: ['user_id', 'paused_until', 'resumed_until', 'schedule', 'except_direct_messages'],
      rows: ofConsenting,
    },
  ],
};
