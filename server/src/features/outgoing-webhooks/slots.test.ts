import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Slot, Slots } from './slots.ts';

const slot = (organizationId: number, ownerId: number, botId: number): Slot => ({ organizationId, ownerId, botId });

/** Returns the slots that could be acquired, one after another. */
function taken(slots: Slots, wanted: Iterable<Slot>): Slot[] {
  return [...wanted].filter((one) => slots.acquire(one));
}

const many = (count: number, make: (index: number) => Slot) => Array.from({ length: count }, (_, index) => make(index));

// rules: bots-12
test('slots are limited per bot, per owner, per organization and in total', () => {
  const slots = new Slots();
  assert.equal(
    taken(
      slots,
      many(9, () => slot(1, 1, 1)),
    ).length,
    2,
  );
  assert.equal(
    taken(
      slots,
      many(99, (bot) => slot(1, 1, bot + 2)),
    ).length,
    6,
  );
  assert.equal(
    taken(
      slots,
      many(99, (bot) => slot(1, 100 + bot, 100 + bot)),
    ).length,
    8,
  );
  assert.equal(
    taken(
      slots,
      many(999, (bot) => slot(2 + Math.floor(bot / 16), bot, bot)),
    ).length,
    48,
  );
});

test('releasing a slot makes it available again', () => {
  const slots = new Slots();
  const [first] = taken(
    slots,
    many(9, () => slot(1, 1, 1)),
  );
  assert(first !== undefined);
  slots.release(first, 'well');
  assert.equal(slots.acquire(slot(1, 1, 1)), true);
});

// rules: bots-12
test('services that failed last time share half of the slots, and the others use the rest', () => {
  const slots = new Slots();
  for (const one of taken(
    slots,
    many(8, (bot) => slot(1, 1, bot)),
  ))
    slots.release(one, 'failing');
  assert.equal(
    taken(
      slots,
      many(8, (bot) => slot(1, 1, bot)),
    ).length,
    4,
  );
  assert.equal(slots.acquire(slot(1, 1, 0)), false, 'one slot per failing service');
  assert.equal(
    taken(
      slots,
      many(99, (bot) => slot(1, 1, 100 + bot)),
    ).length,
    4,
  );
});

test('a service that responds again gets its normal slots', () => {
  const slots = new Slots();
  const one = slot(1, 1, 1);
  for (const ended of ['failing', 'unknown', 'well'] as const) {
    assert.equal(slots.acquire(one), true);
    slots.release(one, ended);
  }
  assert.equal(
    taken(
      slots,
      many(9, () => slot(1, 1, 1)),
    ).length,
    2,
  );
});

// rules: bots-12
test('the requests of one owner’s bots are limited per time window, and those of others are not affected', () => {
  const slots = new Slots({ requests: 5, windowSeconds: 60 });
  const asked = (ownerId: number) =>
    many(10, (bot) => slot(1, ownerId, ownerId * 100 + bot)).filter((one) => {
      const isAsked = slots.acquire(one);
      if (isAsked) slots.release(one, 'well');
      return isAsked;
    }).length;
  assert.deepEqual([asked(1), asked(1), asked(2)], [5, 0, 5]);
});
