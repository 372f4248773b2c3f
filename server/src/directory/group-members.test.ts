import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Closure, Closures } from './group-members.ts';

function closure(groups: number, users: number | null): Closure {
  const copy = users === null ? null : new Set(Array.from({ length: users }, (_, id) => id));
  return {
    groups: new Set(Array.from({ length: groups }, (_, id) => id)),
    weakestRank: 0,
    users: copy ?? new Set(),
    copy,
  };
}

test('the cached group closures have a bounded size, and the oldest is evicted first', () => {
  const closures = new Closures(100);
  closures.keep(1, closure(40, null));
  closures.keep(2, closure(10, 30));
  assert.equal(closures.size, 80);
  closures.keep(3, closure(30, null));
  assert.equal(closures.get(1), undefined);
  assert.equal(closures.size, 70);
  closures.keep(4, closure(200, null));
  assert.equal(closures.size, 0);
});

test('the size follows users added to and removed from cached groups only', () => {
  const closures = new Closures(100);
  closures.keep(1, closure(1, 10));
  closures.amend(1, (users) => users.delete(0));
  closures.amend(2, (users) => users.add(0));
  assert.equal(closures.size, 10);
  closures.amend(1, (users) => {
    for (let id = 0; id < 200; id++) users.add(id);
  });
  assert.equal(closures.size, 0);
});

test('a group that is computed again counts once, and a removed one not at all', () => {
  const closures = new Closures(100);
  for (let round = 0; round < 10; round++) closures.keep(1, closure(20, 5));
  assert.equal(closures.size, 25);
  closures.forget(1);
  closures.forget(1);
  assert.equal(closures.size, 0);
});
