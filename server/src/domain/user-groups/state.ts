import { stateOfAll } from '../../extension/initial-state.ts';
import { rememberedState } from '../../extension/remembered-state.ts';
import { presentGroup } from './present.ts';
import { listGroups, viewGroup } from './queries.ts';

/**
 * All groups, because permissions of the organization and of channels name them by id. Clients can ask for the name of
 * the field, or for the type of the events.
 */
export const userGroupsState = ['realm_user_groups', 'user_group'].map((type) =>
  stateOfAll({
    types: [type],
    build: ({ directory, settings }) =>
      settings.capabilities.includeDeactivatedGroups ? allGroups(directory) : openGroups(directory),
  }),
);

const allGroups = groups(true);
const openGroups = groups(false);

/** The members of system groups follow from users and from the organization, which defines full members. */
function groups(withDeactivated: boolean) {
  return rememberedState(['organization', 'users', 'groups'], (directory) => ({
    realm_user_groups: listGroups(directory, { withDeactivated }).map((group) =>
      presentGroup(viewGroup(directory, group)),
    ),
  }));
}
