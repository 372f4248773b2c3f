import type { StateContext } from '../initial-state.ts';
import { statePart } from '../initial-state.ts';
import { rememberedState } from '../remembered-state.ts';
import { presentGroup } from './present.ts';
import { directMembers } from './queries.ts';

/**
 * The groups, which the permissions of the organization and of channels name by id. They are fetched by the name of the field,
 * and come to clients that say only that they listen for the groups' events.
 */
export const userGroupsState = ['realm_user_groups', 'user_group'].map((type) =>
  statePart({ types: [type], build: ({ directory }: StateContext) => groups(directory) }),
);

/** Who is in system groups follows from the users. */
const groups = rememberedState(['users', 'groups'], (directory) => {
  const members = directMembers(directory);
  const all = [...directory.groups.all.values()].sort((a, b) => a.id - b.id);
  return {
    realm_user_groups: all.map((group) => {
      const subgroups = [...directory.groups.subgroupsOf(group.id)].sort((a, b) => a - b);
      return presentGroup(directory, group, { members: members.get(group.id) ?? [], subgroups });
    }),
  };
});
