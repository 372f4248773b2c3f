import * as endpoints from '@heddle/api/endpoints/user-groups.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, member, groupId: systemGroup, ownUserId, secret }) => {
  const texts = { name: secret('group'), description: secret('purpose') };
  const { group_id } = await owner.ok('POST', '/user_groups/create', { ...texts, members: [member.userId] });
  const group = Number(group_id);
  const foreign = { direct_members: [member.userId], direct_subgroups: [group] };
  const each = <Value>(value: Value) => ({
    can_add_members_group: value,
    can_join_group: value,
    can_leave_group: value,
    can_manage_group: value,
    can_mention_group: value,
    can_remove_members_group: value,
  });
  const alone = (name: string, value: unknown) => ({ name, description: 'x', members: [], [name]: value });
  const permissions = Object.keys(each(0));
  const add = [ownUserId];
  return [
    probesOf(endpoints.getUserGroups, { contained: [{ include_deactivated_groups: true }] }),
    probesOf(endpoints.createUserGroup, {
      refused: [
        { name: 'a', description: 'x', members: [member.userId] },
        { name: 'b', description: 'x', members: [], subgroups: [group] },
        { name: 'c', description: 'x', members: [], ...each(group) },
        ...permissions.flatMap((name) => [alone(name, group), alone(name, foreign)]),
      ],
    }),
    probesOf(endpoints.updateUserGroup, {
      refused: [
        { user_group_id: group, name: 'x' },
        { user_group_id: group, description: 'x' },
        { user_group_id: group, deactivated: false },
        { user_group_id: systemGroup, ...each({ new: group, old: foreign }) },
      ],
    }),
    probesOf(endpoints.deactivateUserGroup, { refused: [{ user_group_id: group }, { user_group_id: systemGroup }] }),
    probesOf(endpoints.updateUserGroupMembers, {
      refused: [
        { user_group_id: group, add },
        { user_group_id: group, delete: [member.userId] },
        { user_group_id: group, add_subgroups: [systemGroup] },
        { user_group_id: group, delete_subgroups: [systemGroup] },
      ],
    }),
    probesOf(endpoints.getUserGroupMembers, {
      refused: [{ user_group_id: group }, { user_group_id: systemGroup }],
      harmless: ['direct_member_only'],
    }),
    probesOf(endpoints.getIsUserGroupMember, {
      refused: [
        { user_group_id: group, user_id: member.userId },
        { user_group_id: group, user_id: ownUserId },
      ],
      harmless: ['direct_member_only'],
    }),
    probesOf(endpoints.updateUserGroupSubgroups, {
      refused: [
        { user_group_id: group, add: [systemGroup] },
        { user_group_id: group, delete: [systemGroup] },
      ],
    }),
    probesOf(endpoints.getUserGroupSubgroups, {
      refused: [{ user_group_id: group }],
      harmless: ['direct_subgroup_only'],
    }),
  ];
};
