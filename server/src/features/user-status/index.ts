import type { Feature } from '../feature.ts';
import { userStatusAttempts } from './attempts.ts';
import { statusPresenter } from './events.ts';
import { userStatusRoutes } from './routes.ts';
import { userStatusState } from './state.ts';

export const userStatus: Feature = {
  name: 'user-status',
  routes: userStatusRoutes,
  state: () => [userStatusState],
  presenters: { user_status: statusPresenter },
  attempts: userStatusAttempts,
};
