import { stateOfAll } from '../initial-state.ts';
import { rememberedState } from '../remembered-state.ts';
import { presentGroup } from './present.ts';
import { listGroups, viewGroup } from './queries.ts';

/**
 * The groups, which the permissions of the organization and of channels name by id. They are fetched by the name of the field,
 * and come to clients that say only that they listen for the groups' events.
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

/** Who is in system groups follows from the users, and from the organization who is a full member. */
function groups(withDeactivated: boolean) {
  return rememberedState(['organization', 'users', 'groups'], (directory) => ({
    realm_user_groups: listGroups(directory, { withDeactivated }).map((group) =>
      presentGroup(viewGroup(directory, group)),
    ),
  }));
}
