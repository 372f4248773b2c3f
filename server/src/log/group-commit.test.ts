import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@heddle/api/errors.ts';
import { fc } from '../testing/random/property.ts';
import { GroupCommit, type Outcome } from './group-commit.ts';

/** A commit function for tests. Each batch waits until the test accepts or rejects it. */
class Store {
  readonly tried: number[][] = [];
  readonly stored: number[] = [];
  #gate = Promise.withResolvers<void>();
  #isOpen: boolean;
  readonly #poison: ReadonlySet<number>;

  constructor(gate: 'open' | 'closed', poison: Iterable<number> = []) {
    this.#isOpen = gate === 'open';
    this.#poison = new Set(poison);
  }

  open(): void {
    this.#isOpen = true;
    this.#gate.resolve();
  }

  readonly commit = async (items: readonly number[]): Promise<readonly Outcome<string>[]> => {
    this.tried.push([...items]);
    if (!this.#isOpen) await this.#gate.promise;
    else await nextTurn();
    if (items.some((item) => this.#poison.has(item))) throw new Error(`refused ${items}`);
    this.stored.push(...items);
    return items.map((item) => ({ result: `stored ${item}` }));
  };
}

const always = () => true;
const never = () => false;

test('items that arrive together commit together, and items that arrive during a commit form the next batch', async () => {
  const store = new Store('closed');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always });
  const first = [group.add(1), group.add(2)];
  await nextTurn();
  await nextTurn();
  const second = [group.add(3), group.add(4), group.add(5)];
  assert.deepEqual(store.tried, [[1, 2]]);
  store.open();
  assert.deepEqual(
    await Promise.all([...first, ...second]),
    [1, 2, 3, 4, 5].map((item) => `stored ${item}`),
  );
  assert.deepEqual(store.tried, [
    [1, 2],
    [3, 4, 5],
  ]);
});

test('a batch has a limited number of items', async () => {
  const store = new Store('open');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, maximum: 2 });
  await Promise.all([1, 2, 3, 4, 5].map((item) => group.add(item)));
  assert.deepEqual(store.tried, [[1, 2], [3, 4], [5]]);
});

test('a batch takes few heavy items: light ones overtake the rest, and the first heavy one is in the next batch', async () => {
  const store = new Store('closed');
  const weights = new Map([
    [1, 1_000_000],
    [2, 1_000_000],
    [3, 100_000],
    [5, 20_000],
    [7, 10_000],
  ]);
  const weightOf = (item: number) => weights.get(item) ?? 10;
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, weightOf });
  const first = group.add(0);
  await nextTurn();
  const others = [1, 2, 3, 4, 5, 6, 7].map((item) => group.add(item));
  store.open();
  await Promise.all([first, ...others]);
  assert.deepEqual(store.tried, [[0], [1, 4, 6, 7], [2], [3, 5]]);
});

test('items keep their order, and of a failed batch only the items that caused the failure are rejected', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ isPoison: fc.boolean(), turns: fc.nat({ max: 3 }) }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (plan, maximum) => {
        const poison = plan.flatMap(({ isPoison }, item) => (isPoison ? item : []));
        const store = new Store('open', poison);
        const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, maximum });
        const outcomes: Promise<PromiseSettledResult<string>>[] = [];
        for (const [item, { turns }] of plan.entries()) {
          for (let turn = 0; turn < turns; turn++) await nextTurn();
          outcomes.push(Promise.allSettled([group.add(item)]).then(([outcome]) => outcome));
        }
        for (const [item, outcome] of (await Promise.all(outcomes)).entries()) {
          if (plan[item]?.isPoison)
            assert(outcome.status === 'rejected' && outcome.reason.message === `refused ${item}`);
          else assert.deepEqual(outcome, { status: 'fulfilled', value: `stored ${item}` });
        }
        assert.deepEqual(
          store.stored,
          plan.flatMap(({ isPoison }, item) => (isPoison ? [] : item)),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('a commit that may have succeeded is not retried: every item is rejected with an unknown outcome', async () => {
  const store = new Store('open', [2]);
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: never });
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
  assert(outcomes.every((outcome) => outcome.status === 'rejected'));
  assert.deepEqual(store.tried, [[1, 2, 3]]);
  assert.equal(await group.add(4), 'stored 4', 'later batches are not affected');
});

test('an item that the commit rejects by its outcome does not affect the others', async () => {
  const group = new GroupCommit<number, string>({
    commit: async (items) => items.map((item) => (item === 2 ? { error: new Error('no') } : { result: 'yes' })),
    mayRetrySingly: always,
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('the first batch after a pause collects items for the configured time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = new Store('open');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, gather: 20 });
  const first = group.add(1);
  await nextTurn();
  await nextTurn();
  t.mock.timers.tick(19);
  const second = group.add(2);
  await nextTurn();
  assert.deepEqual(store.tried, []);
  t.mock.timers.tick(1);
  await Promise.all([first, second]);
  assert.deepEqual(store.tried, [[1, 2]]);
});

test('settled resolves when no item waits and no batch is being committed', async () => {
  const store = new Store('closed');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, maximum: 1 });
  await group.settled();
  const all = [group.add(1), group.add(2)];
  let isSettled = false;
  const settled = group.settled().then(() => {
    isSettled = true;
  });
  await nextTurn();
  await nextTurn();
  assert.equal(isSettled, false);
  store.open();
  await settled;
  assert.deepEqual(store.stored, [1, 2]);
  await Promise.all(all);
});

test('at most four batches overlap, each item is in one of them, and settled waits for all', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const tried: number[][] = [];
  const commit = async (items: readonly number[]): Promise<readonly Outcome<string>[]> => {
    tried.push([...items]);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return items.map((item) => ({ result: `stored ${item}` }));
  };
  // A negative `overlapAfter`: the next batch never waits.
  const group = new GroupCommit({ commit, mayRetrySingly: never, overlapAfter: -1 });
  const outcomes: Promise<PromiseSettledResult<string>[]>[] = [];
  for (const item of [1, 2, 3, 4, 5, 6]) {
    outcomes.push(Promise.allSettled([group.add(item)]));
    await nextTurn();
  }
  assert.deepEqual(tried, [[1], [2], [3], [4]]);
  let isSettled = false;
  const settled = group.settled().then(() => {
    isSettled = true;
  });
  gates[2]?.resolve();
  gates[0]?.reject(new Error('the connection broke'));
  await nextTurn();
  assert.deepEqual(tried.slice(4), [[5, 6]]);
  gates[4]?.resolve();
  gates[3]?.resolve();
  await nextTurn();
  assert.equal(isSettled, false);
  gates[1]?.resolve();
  await settled;
  const statuses = (await Promise.all(outcomes)).flat().map(({ status }) => status);
  assert.deepEqual(statuses, ['rejected', ...Array.from({ length: 5 }, () => 'fulfilled')]);
  assert.equal(tried.length, 5);
});

test('if a batch fails for a reason that concerns all, the waiting items are rejected with it', async () => {
  const store = new Store('closed', [1]);
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: never, concernsAll: always });
  const first = group.add(1);
  await nextTurn();
  const results = Promise.allSettled([first, group.add(2), group.add(3)]);
  store.open();
  for (const result of await results) assert.equal(result.status, 'rejected');
  assert.deepEqual(store.tried, [[1]]);
  assert.equal(await group.add(4), 'stored 4');
});

test('a limited number of items may wait: one more is rejected at once', async () => {
  const store = new Store('closed');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: never, maxWaiting: 3 });
  const first = group.add(0);
  await nextTurn();
  const waiting = [1, 2, 3].map((item) => group.add(item));
  await assert.rejects(group.add(4), (error) => error instanceof ApiError && error.status === 503);
  store.open();
  await Promise.all([first, ...waiting]);
});
