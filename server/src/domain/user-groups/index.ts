import type { Feature } from '../../extension/feature.ts';
import { groupPresenter } from './events.ts';
import { userGroupsExports } from './exports.ts';
import { userGroupRoutes } from './routes.ts';
import { userGroupsState } from './state.ts';

export const userGroups: Feature = {
  routes: userGroupRoutes,
  state: () => userGroupsState,
  presenters: { user_group: groupPresenter },
  exports: userGroupsExports,
};
