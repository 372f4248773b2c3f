import * as endpoints from '@heddle/api/endpoints/user-groups.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { GROUP_PERMISSIONS, mapPermissions } from '@heddle/api/permissions.ts';
import { accessGroup, groupEndpointsRefusal } from '../../access/groups.ts';
import { accessPerson } from '../../access/people.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { serializedList } from '../../http/answers/serialized-list.ts';
import { createGroupFor } from './creating.ts';
import { changeGroup, deactivateGroup } from './editing.ts';
import { chosenPermissions } from './permissions.ts';
import { presentGroup } from './present.ts';
import { isMember, listGroups, membersOf, subgroupsOf, viewGroup } from './queries.ts';
import { updateMembership } from './updating-membership.ts';

export function userGroupRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getUserGroups, {}, async ({ parameters, organization: { directory }, caller }) => {
      checkMayUse(caller);
      const groups = listGroups(directory, { withDeactivated: parameters.include_deactivated_groups });
      return { user_groups: await serializedList(groups, (group) => presentGroup(viewGroup(directory, group))) };
    }),

    route(endpoints.createUserGroup, {}, async ({ parameters, organization, caller }) => {
      const { name, description, members, subgroups = [] } = parameters;
      const permissions = chosenPermissions(parameters);
      const group = await createGroupFor(organization, caller, { name, description, members, subgroups, permissions });
      return { group_id: group.id };
    }),

    route(endpoints.updateUserGroup, {}, async ({ parameters, organization, caller }) => {
      const { user_group_id: id, name, description, deactivated } = parameters;
      const permissions = mapPermissions(GROUP_PERMISSIONS, (permission) => parameters[permission]);
      const given = [name, description, deactivated, ...Object.values(permissions)];
      if (given.every((value) => value === undefined)) throw badRequest('No new data supplied');
      await organization.transact(caller, 'exclusive', (change, user) => {
        checkMayUse(user);
        const group = accessGroup(change.directory, user, id, 'edit');
        return changeGroup(change, group, { name, description, permissions, reactivate: deactivated === false });
      });
      return {};
    }),

    route(endpoints.deactivateUserGroup, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) => {
        checkMayUse(user);
        return deactivateGroup(change, accessGroup(change.directory, user, parameters.user_group_id, 'deactivate'));
      });
      return {};
    }),

    route(endpoints.updateUserGroupMembers, {}, async ({ parameters, organization, caller }) => {
      const { user_group_id: groupId, add, delete: remove, add_subgroups, delete_subgroups } = parameters;
      const members = { add, remove };
      const subgroups = { add: add_subgroups, remove: delete_subgroups };
      const nothing = 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';
      await updateMembership(app, organization, caller, { groupId, members, subgroups, nothing });
      return {};
    }),

    route(endpoints.updateUserGroupSubgroups, {}, async ({ parameters, organization, caller }) => {
      const { user_group_id: groupId, add, delete: remove } = parameters;
      const nothing = 'Nothing to do. Specify at least one of "add" or "delete".';
      await updateMembership(app, organization, caller, { groupId, subgroups: { add, remove }, nothing });
      return {};
    }),

    route(endpoints.getUserGroupMembers, {}, ({ parameters, organization: { directory }, caller }) => {
      checkMayUse(caller);
      const group = accessGroup(directory, caller, parameters.user_group_id, 'read');
      return { members: membersOf(directory, group, { directly: parameters.direct_member_only }) };
    }),

    route(endpoints.getIsUserGroupMember, {}, ({ parameters, organization: { directory }, caller }) => {
      checkMayUse(caller);
      const group = accessGroup(directory, caller, parameters.user_group_id, 'read');
      const user = directory.user(parameters.user_id);
      if (user === undefined) throw badRequest('No such user');
      accessPerson(directory, caller, user);
      if (!user.isActive) throw badRequest('User is deactivated');
      return { is_user_group_member: isMember(directory, group, user, { directly: parameters.direct_member_only }) };
    }),

    route(endpoints.getUserGroupSubgroups, {}, ({ parameters, organization: { directory }, caller }) => {
      checkMayUse(caller);
      const group = accessGroup(directory, caller, parameters.user_group_id, 'read');
      return { subgroups: subgroupsOf(directory, group, { directly: parameters.direct_subgroup_only }) };
    }),
  ];
}

function checkMayUse(caller: UserRecord): void {
  const refusal = groupEndpointsRefusal(caller);
  if (refusal !== undefined) throw refusal;
}
