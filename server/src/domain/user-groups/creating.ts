import { groupCreationRefusal, groupEndpointsRefusal } from '../../access/groups.ts';
import type { Organization } from '../../directory/organization.ts';
import type { GroupRecord, UserRecord } from '../../directory/records.ts';
import { chunksOf } from './batches.ts';
import { changeMembership, checkedMembers, checkListedMembers } from './membership.ts';
import { createGroup, type NewGroup } from './new-group.ts';

/**
 * Creates a group for a user. With very many members, the first batch creates the group and later batches add the rest.
 * Later batches skip accounts that were deactivated or added meanwhile.
 * @throws ApiError `BAD_REQUEST`: the caller lacks the permission, or `createGroup` refuses; then no group exists
 */
export async function createGroupFor(
  organization: Organization,
  caller: UserRecord,
  group: Omit<NewGroup, 'creatorId'>,
): Promise<GroupRecord> {
  const all = new Set(group.members);
  const [members = [], ...others] = chunksOf([...all]);
  if (others.length > 0) checkedMembers(organization.directory, group.members ?? []);
  const created = await organization.transact(caller, 'exclusive', (change, user) => {
    const refusal = groupEndpointsRefusal(user) ?? groupCreationRefusal(change.directory, user);
    if (refusal !== undefined) throw refusal;
    checkListedMembers(change.directory, user.id, all.size);
    return createGroup(change, { ...group, members, creatorId: user.id });
  });
  for (const chunk of others) {
    await organization.yieldToOthers();
    await organization.transact('server', 'exclusive', async (change) => {
      const { directory } = change;
      const already = directory.groups.membersOf(created.id);
      const add = chunk.filter((id) => directory.user(id)?.isActive && !already.has(id));
      await changeMembership(change, created.id, { members: { add } });
    });
  }
  return created;
}
