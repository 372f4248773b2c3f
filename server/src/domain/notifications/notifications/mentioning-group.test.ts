import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Role, SystemGroup } from '../../../directory/records.ts';
import { putGroup, putUser, smallDirectory } from '../../../testing/database/small-directory.ts';
import { countSteps } from '../../../testing/server/step-counter.ts';
import { mentioningGroups } from './mentioning-group.ts';

const FIRST_GROUP_ID = 100;
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

function organization(users: number) {
  const directory = smallDirectory();
  for (const id of numbers(users, 1)) putUser(directory, id, id === 1 ? Role.owner : Role.member);
  return directory;
}

// rules: mobile-push-12
test('each user is mentioned by the smallest of the groups, also among those by role, and not where the name is mentioned', () => {
  const directory = organization(10);
  const [small, large, nested] = [FIRST_GROUP_ID, FIRST_GROUP_ID + 1, FIRST_GROUP_ID + 2];
  for (const id of [small, large, nested]) putGroup(directory, id);
  directory.groups.addMembers(small, [2, 3]);
  directory.groups.addMembers(large, [2, 3, 4, 5]);
  directory.groups.addSubgroups(nested, [large]);
  directory.groups.addMembers(nested, [6]);
  const everybody = directory.groups.idOf(SystemGroup.everyone);
  const mentions = { userIds: new Set([3]), groupIds: [everybody, nested, large, small] };
  const found = mentioningGroups(directory, mentions, [2, 3, 4, 6, 7, 99]);
  assert.deepEqual(Object.fromEntries(found), { 2: small, 4: large, 6: nested, 7: everybody });
  assert.equal(mentioningGroups(directory, { userIds: new Set([3]), groupIds: [] }, [2, 3]).size, 0);
});

// rules: mobile-push-12
test('hundreds of groups that all contain hundreds of users take little work', async () => {
  const directory = organization(2000);
  const groupIds = numbers(300, FIRST_GROUP_ID);
  const members = numbers(300, 1);
  for (const id of groupIds) {
    putGroup(directory, id);
    directory.groups.addMembers(id, members);
  }
  const steps = await countSteps(async () => {
    assert.equal(mentioningGroups(directory, { userIds: new Set(), groupIds }, members).size, 300);
  });
  // To look at all users for each user and group would take more than a hundred million.
  assert(steps < 300_000, `${steps} steps`);
});
