import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@heddle/server/testing/random/property.ts';
import { PeopleOrder } from './people-order.ts';
import { PeopleSearch } from './people-search.ts';
import { folded, wordsOf } from './text-folding.ts';
import type { UserRecord } from './user-record.ts';

function person(id: number, name: string, more: Partial<UserRecord> = {}): UserRecord {
  const email = `user${id}@example.com`;
  return {
    ...{ id, name, email, deliveryEmail: email, role: 400, isActive: true, isBot: false, isSystemBot: false },
    ...{ botType: null, botOwnerId: null, timezone: '', dateJoined: '', avatarUrl: null, avatarVersion: 1 },
    profileData: {},
    ...more,
  };
}

const names = (found: readonly UserRecord[]) => found.map(({ name }) => name);

test('case, diacritics and the order of words do not matter', () => {
  const search = new PeopleSearch([person(1, 'Jörg Müller'), person(2, 'Søren Łukasz'), person(3, 'Анна Каренина')]);
  for (const query of ['jorg', 'JÖRG', 'mul', 'muller jo', 'Jörg Mül'])
    assert.deepEqual(names(search.search(query, { limit: 5 })), ['Jörg Müller'], query);
  assert.deepEqual(names(search.search('luk sor', { limit: 5 })), ['Søren Łukasz']);
  assert.deepEqual(names(search.search('кар', { limit: 5 })), ['Анна Каренина']);
  assert.deepEqual(search.search('uller', { limit: 5 }), []);
});

test('users who change while the index is made in steps are found once', () => {
  const users = new Map(Array.from({ length: 300 }, (_, id) => [id, person(id, `Name ${id}`)]));
  const search = new PeopleSearch(users.values());
  assert.equal(
    search.prepare(() => true),
    false,
  );
  const change = (id: number, name: string) => {
    const [before, after] = [users.get(id), person(id, name)];
    users.set(id, after);
    if (before === undefined) search.add(after);
    else search.replace(before, after);
  };
  for (const id of [5, 250, 400]) change(id, 'Changed');
  users.delete(299);
  search.remove(299);
  assert.equal(search.prepare(), true);
  assert.deepEqual(
    search.search('changed', { limit: 9 }).map(({ id }) => id),
    [5, 250, 400],
  );
  assert.deepEqual(search.search('250', { limit: 9 }), []);
  assert.deepEqual(search.search('299', { limit: 9 }), []);
});

test('an address finds its user', () => {
  const hidden = { email: 'user9@chat.example.com', deliveryEmail: 'ada.l@example.com' };
  const search = new PeopleSearch([person(1, 'Ada', hidden), person(2, 'Bert')]);
  for (const query of ['ada.l@', 'ada.l@example.com', 'ADA.L'])
    assert.deepEqual(names(search.search(query, { limit: 5 })), ['Ada'], query);
});

test('an exact name comes first, then beginnings of names, then relevant users, then people before bots, then better matches', () => {
  const search = new PeopleSearch([
    person(1, 'Ann Bot', { isBot: true }),
    person(2, 'Mary Ann'),
    person(3, 'Anna'),
    person(4, 'Anton Relevant'),
    person(5, 'Ann'),
    person(6, 'Ann Gone', { isActive: false }),
  ]);
  const found = search.search('ann', { limit: 10 });
  assert.deepEqual(names(found), ['Ann', 'Anna', 'Mary Ann', 'Ann Bot', 'Ann Gone']);
  const relevant = search.search('an', { limit: 2, relevance: (id) => (id === 4 ? 1 : 0) });
  assert.deepEqual(names(relevant), ['Anton Relevant', 'Ann']);
  const begins = search.search('ann', { limit: 3, relevance: (id) => (id === 2 ? 9 : id === 1 ? 1 : 0) });
  assert.deepEqual(names(begins), ['Ann', 'Ann Bot', 'Anna']);
  const people = search.search('ann', { limit: 10, accepts: ({ isBot, isActive }) => !isBot && isActive });
  assert.deepEqual(names(people), ['Ann', 'Anna', 'Mary Ann']);
});

test('an empty query finds everyone, the relevant ones first', () => {
  const search = new PeopleSearch([person(1, 'Cleo'), person(2, 'Ada'), person(3, 'Bert')]);
  assert.deepEqual(names(search.search('', { limit: 2, relevance: (id) => (id === 3 ? 5 : 0) })), ['Bert', 'Ada']);
});

const name = fc
  .array(fc.constantFrom('ann', 'Anna', 'Än', 'bo', 'Bob', 'łu', 'x-y', "o'neil"), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const step = fc.oneof(
  fc.record({ do: fc.constant('put' as const), id: fc.nat({ max: 8 }), name, isActive: fc.boolean() }),
  fc.record({ do: fc.constant('remove' as const), id: fc.nat({ max: 8 }), name, isActive: fc.boolean() }),
  fc.record({ do: fc.constant('search' as const), id: fc.nat({ max: 8 }), name, isActive: fc.boolean() }),
);

test('the index finds the same users as a scan of all, after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const users = new Map<number, UserRecord>();
      const search = new PeopleSearch([]);
      const order = new PeopleOrder([]);
      for (const { do: what, id, name: text, isActive } of steps) {
        const before = users.get(id);
        if (what === 'search') {
          const query = text.slice(0, 1 + (id % 4)).trim();
          const found = search.search(query, { limit: 100 }).map((user) => user.id);
          const expected = [...users.values()].filter((user) => matches(user, query)).map((user) => user.id);
          assert.deepEqual(found.toSorted(), expected.toSorted(), query);
          continue;
        }
        if (before !== undefined) order.remove(before);
        if (what === 'remove') {
          users.delete(id);
          search.remove(id);
          continue;
        }
        const user = person(id, text, { isActive });
        users.set(id, user);
        order.add(user);
        if (before === undefined) search.add(user);
        else search.replace(before, user);
      }
      const sorted = [...users.values()].sort((a, b) => compare(folded(a.name), folded(b.name)) || a.id - b.id);
      assert.deepEqual(
        order.ids,
        sorted.map(({ id }) => id),
      );
    }),
  );
});

test('no one whose name begins with the query comes after another match, and relevance decides among them', () => {
  const people = fc.array(fc.record({ name, relevance: fc.nat({ max: 3 }) }), { maxLength: 20 });
  fc.assert(
    fc.property(people, fc.constantFrom('a', 'ann', 'b', 'bo ann', 'x'), (entries, query) => {
      const search = new PeopleSearch(entries.map((entry, index) => person(index, entry.name)));
      const relevance = (id: number) => entries[id]?.relevance ?? 0;
      const found = search.search(query, { limit: 100, relevance });
      const rankOf = (user: UserRecord) => {
        const own = folded(user.name);
        return [own === query ? 0 : 1, own.startsWith(query) ? 0 : 1, -relevance(user.id)];
      };
      const ranks = found.map(rankOf);
      const sorted = ranks.toSorted((a, b) => a.map((one, at) => one - (b[at] ?? 0)).find((one) => one !== 0) ?? 0);
      assert.deepEqual(ranks, sorted);
    }),
  );
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function matches(user: UserRecord, query: string): boolean {
  const text = folded(query);
  const words = wordsOf(text);
  const own = wordsOf(folded(user.name));
  const isNamed = words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)));
  return isNamed || user.email.startsWith(text);
}
