import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AllMembers, AllMembersCache } from './group-members.ts';

function membersOf(groups: number, users: number | null): AllMembers {
  const copy = users === null ? null : new Set(Array.from({ length: users }, (_, id) => id));
  return {
    groups: new Set(Array.from({ length: groups }, (_, id) => id)),
    weakestRank: 0,
    users: copy ?? new Set(),
    copy,
  };
}

test('the cached members of groups have a bounded size, and the oldest is evicted first', () => {
  const cache = new AllMembersCache(100);
  cache.keep(1, membersOf(40, null));
  cache.keep(2, membersOf(10, 30));
  assert.equal(cache.size, 80);
  cache.keep(3, membersOf(30, null));
  assert.equal(cache.get(1), undefined);
  assert.equal(cache.size, 70);
  cache.keep(4, membersOf(200, null));
  assert.equal(cache.size, 0);
});

test('the size follows users added to and removed from cached groups only', () => {
  const cache = new AllMembersCache(100);
  cache.keep(1, membersOf(1, 10));
  cache.amend(1, (users) => users.delete(0));
  cache.amend(2, (users) => users.add(0));
  assert.equal(cache.size, 10);
  cache.amend(1, (users) => {
    for (let id = 0; id < 200; id++) users.add(id);
  });
  assert.equal(cache.size, 0);
});

test('a group that is computed again counts once, and a removed one not at all', () => {
  const cache = new AllMembersCache(100);
  for (let round = 0; round < 10; round++) cache.keep(1, membersOf(20, 5));
  assert.equal(cache.size, 25);
  cache.forget(1);
  cache.forget(1);
  assert.equal(cache.size, 0);
});
