import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import { putGroup, putUser, smallDirectory } from '../../../testing/database/small-directory.ts';
import { countSteps } from '../../../testing/server/step-counter.ts';
import { mentionedUsers } from './mentioned.ts';

const FIRST_GROUP_ID = 100;
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

// rules: user-groups-10
test('mentions of hundreds of groups in a channel with thousands of subscribers take little work', async () => {
  const directory = smallDirectory();
  const sender = putUser(directory, 1, Role.owner);
  const subscribers = numbers(4000, 1);
  for (const id of subscribers.slice(1)) putUser(directory, id, Role.member);
  const mentionedGroupIds = numbers(400, FIRST_GROUP_ID);
  for (const [index, id] of mentionedGroupIds.entries()) {
    putGroup(directory, id);
    directory.groups.addMembers(id, [index + 1, index + 2]);
  }
  const rendered = { mentionedUserIds: [3000], mentionedGroupIds };
  let found: readonly number[] = [];
  const steps = await countSteps(async () => {
    found = mentionedUsers(directory, sender, rendered, new Map(subscribers.map((id) => [id, undefined])));
  });
  assert.deepEqual(
    found.toSorted((one, other) => one - other),
    [...numbers(401, 1), 3000],
  );
  // A look at each subscriber for each group would take more than a million.
  assert(steps < 300_000, `${steps} steps`);
});
