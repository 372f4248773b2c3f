import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupRecord } from '../testing/database/small-directory.ts';
import { fc } from '../testing/random/property.ts';
import { AmendedGroups } from './amended-groups.ts';
import { GroupIndex } from './groups.ts';
import { Role, SystemGroup } from './records.ts';

const MODERATORS = 1;
const NOBODY = 2;
const CUSTOM = [3, 4, 5, 6, 7];
const USERS = [1, 2, 3, 4].flatMap((id) =>
  [Role.administrator, Role.member].map((role) => ({ id, role, joinedAt: 0 })),
);

function index(): GroupIndex {
  const groups = new GroupIndex();
  groups.put(groupRecord(MODERATORS, { name: SystemGroup.moderators, isSystem: true }));
  groups.put(groupRecord(NOBODY, { name: SystemGroup.nobody, isSystem: true }));
  for (const id of CUSTOM) groups.put(groupRecord(id));
  return groups;
}

type Step =
  | { readonly do: 'join' | 'leave' | 'nest' | 'free'; readonly group: number; readonly ids: readonly number[] }
  | { readonly do: 'deactivate' | 'reactivate'; readonly group: number };

const group = fc.constantFrom(...CUSTOM);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('join' as const, 'leave' as const),
    group,
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  }),
  fc.record({
    do: fc.constantFrom('nest' as const, 'nest' as const, 'free' as const),
    group,
    ids: fc.uniqueArray(fc.constantFrom(MODERATORS, NOBODY, ...CUSTOM), { maxLength: 2 }),
  }),
  fc.record({ do: fc.constantFrom('deactivate' as const, 'reactivate' as const), group }),
);

function take(groups: GroupIndex, one: Step): void {
  switch (one.do) {
    case 'join':
      groups.addMembers(one.group, one.ids);
      break;
    case 'leave':
      groups.removeMembers(one.group, one.ids);
      break;
    case 'nest':
      groups.addSubgroups(one.group, one.ids);
      break;
    case 'free':
      groups.removeSubgroups(one.group, one.ids);
      break;
    default:
      groups.put(groupRecord(one.group, { isDeactivated: one.do === 'deactivate' }));
  }
}

/** Walks the subgroups for every query, without a cache. */
function walk(groups: GroupIndex): AmendedGroups {
  return new AmendedGroups(groups, {
    isDeactivated: () => undefined,
    isMember: () => undefined,
    withOtherMembers: () => [],
    subgroups: () => [],
  });
}

test('the cached members of a group equal those of a walk through its subgroups, with cycles and deactivated groups', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const groups = index();
      for (const one of steps) {
        take(groups, one);
        const walked = walk(groups);
        for (const user of USERS) {
          const all = [...groups.all.keys()];
          for (const id of all) assert.equal(groups.includes(id, user), walked.includes(id, user));
          const expected = all.filter((id) => walked.includes(id, user));
          assert.deepEqual([...groups.groupsOf(user)].sort(), expected.sort());
          const direct = CUSTOM.filter((id) => groups.membersOf(id).has(user.id));
          assert.deepEqual([...groups.directGroupsOf(user.id)].sort(), direct);
        }
      }
    }),
  );
});

describe('groups', () => {
  const member = { id: 1, role: Role.member, joinedAt: 0 };
  const moderator = { id: 2, role: Role.moderator, joinedAt: 0 };

  test("a user is in all groups that contain the user's group or a system group for the user's role", () => {
    const groups = index();
    groups.addSubgroups(3, [4]);
    groups.addSubgroups(4, [5, MODERATORS]);
    groups.addMembers(5, [member.id]);
    assert.deepEqual([...groups.groupsOf(member)].sort(), [3, 4, 5]);
    assert.deepEqual([...groups.groupsOf(moderator)].sort(), [MODERATORS, 3, 4]);
  });

  test('a deactivated group has no members, grants nothing and passes nothing on; a reactivated one does again', () => {
    const groups = index();
    groups.addSubgroups(3, [4]);
    groups.addMembers(4, [member.id]);
    groups.put(groupRecord(4, { isDeactivated: true }));
    assert.equal(groups.includes(4, member), false);
    assert.equal(groups.grants({ directMembers: [], directSubgroups: [3] }, member), false);
    groups.put(groupRecord(4));
    assert.equal(groups.grants(3, member), true);
  });

  test('a user who leaves a group stays in a parent group through another subgroup', () => {
    const groups = index();
    groups.addSubgroups(3, [4, 5]);
    for (const id of [4, 5]) groups.addMembers(id, [member.id]);
    groups.removeMembers(4, [member.id]);
    assert.equal(groups.includes(3, member), true);
    groups.removeMembers(5, [member.id]);
    assert.equal(groups.includes(3, member), false);
  });

  test('a permission can be a group or a list of users and groups', () => {
    const groups = index();
    groups.addMembers(3, [member.id]);
    assert.equal(groups.grants(3, member), true);
    assert.equal(groups.grants({ directMembers: [], directSubgroups: [3] }, member), true);
    assert.equal(groups.grants({ directMembers: [member.id], directSubgroups: [] }, member), true);
    const many = Array.from({ length: 1000 }, (_, id) => id + 2);
    assert.equal(groups.grants({ directMembers: many, directSubgroups: [] }, member), false);
    assert.equal(groups.grants({ directMembers: many, directSubgroups: [] }, moderator), true);
    assert.equal(groups.grants(NOBODY, moderator), false);
  });
});
