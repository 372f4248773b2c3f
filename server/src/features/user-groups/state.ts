import type { StateContext } from '../initial-state.ts';
import { statePart } from '../initial-state.ts';
import { presentGroup } from './present.ts';
import { directMembers } from './queries.ts';

/** The groups, which the permissions of the organization and of channels name by id. */
export const userGroupsState = statePart({
  types: ['user_group'],
  build: ({ directory }: StateContext) => {
    const members = directMembers(directory);
    const groups = [...directory.groups.all.values()].sort((a, b) => a.id - b.id);
    return { realm_user_groups: groups.map((group) => presentGroup(directory, group, members.get(group.id) ?? [])) };
  },
});
