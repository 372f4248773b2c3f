import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putChannel, putGroup, putUser, smallDirectory } from '../testing/database/small-directory.ts';
import { fc } from '../testing/random/property.ts';
import { countSteps } from '../testing/server/step-counter.ts';
import { accessChangesThrough, channelsRevealedTo } from './access-changes.ts';
import { AmendedGroups, type GroupDifferences } from './amended-groups.ts';
import type { MutableDirectory } from './mutable-directory.ts';
import { REVEALING_SETTINGS, Role } from './records.ts';
import { grantsMetadataAccess } from './visibility.ts';

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const SAME: GroupDifferences = {
  isDeactivated: () => undefined,
  isMember: () => undefined,
  withOtherMembers: () => [],
  subgroups: () => [],
};
const [FIRST_GROUP, GROUPS, FIRST_CHANNEL] = [20, 5, 50];
const GROUP_IDS = numbers(GROUPS, FIRST_GROUP);
const USERS = [Role.owner, Role.administrator, Role.moderator, Role.member, Role.member, Role.member, Role.guest];

const groupId = fc.constantFrom(...GROUP_IDS);
const userId = fc.integer({ min: 1, max: USERS.length });
const someUsers = fc.uniqueArray(userId, { maxLength: 3 });
const setting = fc.oneof(
  groupId,
  fc.record({ directMembers: someUsers, directSubgroups: fc.uniqueArray(groupId, { maxLength: 3 }) }),
);
const organization = fc.record({
  members: fc.array(fc.tuple(groupId, someUsers), { maxLength: 6 }),
  nested: fc.array(fc.uniqueArray(groupId, { minLength: 2, maxLength: 2 }), { maxLength: 5 }),
  closed: fc.option(groupId),
  settings: fc.array(fc.array(setting, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  subscribed: someUsers,
});
const change = fc.record({
  of: groupId,
  isDeactivated: fc.option(fc.boolean()),
  members: fc.array(fc.tuple(userId, fc.boolean()), { maxLength: 4 }),
  subgroups: fc.array(fc.tuple(groupId, fc.boolean()), { maxLength: 2 }),
});

function put(directory: MutableDirectory, { members, nested, closed, settings, subscribed }: Made): void {
  for (const [index, role] of USERS.entries()) putUser(directory, index + 1, role);
  for (const id of GROUP_IDS) putGroup(directory, id, { isDeactivated: id === closed });
  for (const [id, users] of members) directory.groups.addMembers(id, users);
  // A group contains only those with higher ids, so there are no cycles.
  for (const ids of nested) directory.groups.addSubgroups(Math.min(...ids), [Math.max(...ids)]);
  for (const [index, values] of settings.entries()) {
    const grants = Object.fromEntries(REVEALING_SETTINGS.map((name, place) => [name, values[place] ?? FIRST_GROUP]));
    putChannel(directory, FIRST_CHANNEL + index, { isPrivate: index !== 3 }, grants);
    for (const id of subscribed) directory.subscriptions.add(FIRST_CHANNEL + index, id, 0);
  }
}

type Made = typeof organization extends fc.Arbitrary<infer Value> ? Value : never;

test('the users whose access a change of a group changes equal those found one by one', () => {
  fc.assert(
    fc.property(organization, change, (made, { of, isDeactivated, members, subgroups }) => {
      const directory = smallDirectory();
      put(directory, made);
      const [isMember, isSubgroup] = [new Map(members), new Map(subgroups.filter(([id]) => id > of))];
      const groupsAfter = new AmendedGroups(directory.groups, {
        ...SAME,
        isDeactivated: (id) => (id === of ? (isDeactivated ?? undefined) : undefined),
        isMember: (id, user) => (id === of ? isMember.get(user) : undefined),
        withOtherMembers: () => [of],
        subgroups: (id) => (id === of ? isSubgroup : []),
      });
      const users = [...directory.users.values()];
      const expected = [...directory.channels.values()].flatMap((channel) => {
        const differing = users.filter(
          (user) =>
            !directory.subscriptions.has(channel.id, user.id) &&
            grantsMetadataAccess(user, channel, directory.groups) !== grantsMetadataAccess(user, channel, groupsAfter),
        );
        const has = (user: (typeof users)[number]) => grantsMetadataAccess(user, channel, groupsAfter);
        const gained = differing.filter(has).map(({ id }) => id);
        const lost = differing.filter((user) => !has(user)).map(({ id }) => id);
        return differing.length === 0 ? [] : [{ channel, gained, lost }];
      });
      const channels = channelsRevealedTo(directory, of);
      assert.deepEqual(accessChangesThrough(directory, { groupId: of, channels, users, groupsAfter }), expected);
    }),
  );
});

test('hundreds of users, channels and groups in their permissions take little work', async () => {
  const directory = smallDirectory();
  const [groupIds, userIds] = [numbers(40, FIRST_GROUP), numbers(500, 1)];
  const [changed = 0, ...others] = groupIds;
  for (const id of userIds) putUser(directory, id, Role.member);
  for (const id of groupIds) putGroup(directory, id);
  for (const id of others) directory.groups.addMembers(id, [1]);
  const value = { directMembers: [], directSubgroups: groupIds };
  const grants = Object.fromEntries(REVEALING_SETTINGS.map((name) => [name, value]));
  for (const id of numbers(200, 1000)) putChannel(directory, id, { isPrivate: true }, grants);
  const isMember = (id: number) => (id === changed ? true : undefined);
  const groupsAfter = new AmendedGroups(directory.groups, { ...SAME, isMember, withOtherMembers: () => [changed] });
  const channels = channelsRevealedTo(directory, changed);
  const users = [...directory.users.values()];
  const amendment = { groupId: changed, channels, users, groupsAfter };
  let count = 0;
  const steps = await countSteps(async () => {
    count = accessChangesThrough(directory, amendment).filter(({ gained }) => gained.length === 499).length;
  });
  assert.equal(count, 200);
  assert(steps < 3_000_000, `${steps} steps`);
});
