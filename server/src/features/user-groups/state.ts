import type { StateContext } from '../initial-state.ts';
import { statePart } from '../initial-state.ts';
import { rememberedByUsers } from '../remembered-state.ts';
import { presentGroup } from './present.ts';
import { directMembers } from './queries.ts';

/**
 * The groups, which the permissions of the organization and of channels name by id. They are fetched by the name of the field,
 * and come to clients that say only that they listen for the groups' events.
 */
export const userGroupsState = ['realm_user_groups', 'user_group'].map((type) =>
  statePart({ types: [type], build: ({ directory }: StateContext) => groups(directory) }),
);

/** The groups themselves never change yet; who is in them follows from the users. */
const groups = rememberedByUsers((directory) => {
  const members = directMembers(directory);
  const all = [...directory.groups.all.values()].sort((a, b) => a.id - b.id);
  return { realm_user_groups: all.map((group) => presentGroup(directory, group, members.get(group.id) ?? [])) };
});
