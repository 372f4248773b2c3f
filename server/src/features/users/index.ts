import type { Feature } from '../feature.ts';
import { userAttempts } from './attempts.ts';
import { userPresenter } from './events.ts';
import { userRoutes } from './routes.ts';
import { usersState } from './state.ts';

export const users: Feature = {
  name: 'users',
  routes: userRoutes,
  state: usersState,
  presenters: { realm_user: userPresenter },
  attempts: userAttempts,
};
