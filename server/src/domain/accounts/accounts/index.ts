import type { Feature } from '../../../extension/feature.ts';
import { userPresenter } from '../../users/users/events.ts';
import { accountsExports } from './exports.ts';
import { userRoutes } from './routes.ts';
import { usersState } from './state.ts';
import { welcomeMailing } from './welcome-mail.ts';

export const users: Feature = {
  routes: userRoutes,
  state: usersState,
  presenters: { realm_user: userPresenter },
  mailings: (app) => [welcomeMailing(app)],
  exports: accountsExports,
};
