import type { Feature } from '../feature.ts';
import { userGroupAttempts } from './attempts.ts';
import { groupPresenter } from './events.ts';
import { userGroupRoutes } from './routes.ts';
import { userGroupsState } from './state.ts';

export const userGroups: Feature = {
  name: 'user-groups',
  routes: userGroupRoutes,
  state: () => userGroupsState,
  presenters: { user_group: groupPresenter },
  attempts: userGroupAttempts,
};
