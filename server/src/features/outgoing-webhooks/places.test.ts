import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Place, Places } from './places.ts';

const place = (organizationId: number, ownerId: number, botId: number): Place => ({ organizationId, ownerId, botId });

/** How many places there are for one after another. */
function taken(places: Places, wanted: Iterable<Place>): Place[] {
  return [...wanted].filter((one) => places.take(one));
}

const many = (count: number, make: (index: number) => Place) =>
  Array.from({ length: count }, (_, index) => make(index));

// rules: bots-12
test('a bot, an owner, an organization and all together have so many places each', () => {
  const places = new Places();
  assert.equal(
    taken(
      places,
      many(9, () => place(1, 1, 1)),
    ).length,
    2,
  );
  assert.equal(
    taken(
      places,
      many(99, (bot) => place(1, 1, bot + 2)),
    ).length,
    6,
  );
  assert.equal(
    taken(
      places,
      many(99, (bot) => place(1, 100 + bot, 100 + bot)),
    ).length,
    8,
  );
  assert.equal(
    taken(
      places,
      many(999, (bot) => place(2 + Math.floor(bot / 16), bot, bot)),
    ).length,
    48,
  );
});

test('who leaves makes room', () => {
  const places = new Places();
  const [first] = taken(
    places,
    many(9, () => place(1, 1, 1)),
  );
  assert(first !== undefined);
  places.leave(first, 'well');
  assert.equal(places.take(place(1, 1, 1)), true);
});

// rules: bots-12
test('services that failed the last time have half of the places together, and others all that are left', () => {
  const places = new Places();
  for (const one of taken(
    places,
    many(8, (bot) => place(1, 1, bot)),
  ))
    places.leave(one, 'failing');
  assert.equal(
    taken(
      places,
      many(8, (bot) => place(1, 1, bot)),
    ).length,
    4,
  );
  assert.equal(places.take(place(1, 1, 0)), false, 'one at a time of each');
  assert.equal(
    taken(
      places,
      many(99, (bot) => place(1, 1, 100 + bot)),
    ).length,
    4,
  );
});

test('a service that answers again has what others have', () => {
  const places = new Places();
  const one = place(1, 1, 1);
  for (const ended of ['failing', 'unknown', 'well'] as const) {
    assert.equal(places.take(one), true);
    places.leave(one, ended);
  }
  assert.equal(
    taken(
      places,
      many(9, () => place(1, 1, 1)),
    ).length,
    2,
  );
});

// rules: bots-12
test('one owner’s bots are asked so often in a time, however fast their services answer; others’ are asked all the same', () => {
  const places = new Places({ requests: 5, windowSeconds: 60 });
  const asked = (ownerId: number) =>
    many(10, (bot) => place(1, ownerId, ownerId * 100 + bot)).filter((one) => {
      const isAsked = places.take(one);
      if (isAsked) places.leave(one, 'well');
      return isAsked;
    }).length;
  assert.deepEqual([asked(1), asked(1), asked(2)], [5, 0, 5]);
});
