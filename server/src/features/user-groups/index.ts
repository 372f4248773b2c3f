import type { Feature } from '../feature.ts';
import { groupPresenter } from './events.ts';
import { userGroupsState } from './state.ts';

export const userGroups: Feature = {
  name: 'user-groups',
  state: () => userGroupsState,
  presenters: { user_group: groupPresenter },
};
