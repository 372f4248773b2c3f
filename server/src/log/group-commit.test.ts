import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@heddle/api/errors.ts';
import fc from 'fast-check';
import { GroupCommit, type Outcome } from './group-commit.ts';

/** Where items are committed: each group waits until the test lets it through, or refuses it. */
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

test('items that arrive together commit together, and those that arrive meanwhile make the next group', async () => {
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

test('a group has at most as many items as it may have', async () => {
  const store = new Store('open');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, maximum: 2 });
  await Promise.all([1, 2, 3, 4, 5].map((item) => group.add(item)));
  assert.deepEqual(store.tried, [[1, 2], [3, 4], [5]]);
});

test('of heavy items a group takes few: what is light goes past the others, and the first of them comes next', async () => {
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

test('order is kept and only the culprits of a refused group hear of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ isPoison: fc.boolean(), turns: fc.nat({ max: 3 }) }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (plan, maximum) => {
        const poison = plan.flatMap(({ isPoison }, item) => (isPoison ? item : []));
        const store = new Store('open', poison);
        const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, maximum });
        const fates: Promise<PromiseSettledResult<string>>[] = [];
        for (const [item, { turns }] of plan.entries()) {
          for (let turn = 0; turn < turns; turn++) await nextTurn();
          fates.push(Promise.allSettled([group.add(item)]).then(([fate]) => fate));
        }
        for (const [item, fate] of (await Promise.all(fates)).entries()) {
          if (plan[item]?.isPoison) assert(fate.status === 'rejected' && fate.reason.message === `refused ${item}`);
          else assert.deepEqual(fate, { status: 'fulfilled', value: `stored ${item}` });
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

test('what may have gone through is not tried again: every member hears that its fate is unknown', async () => {
  const store = new Store('open', [2]);
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: never });
  const fates = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
  assert(fates.every((fate) => fate.status === 'rejected'));
  assert.deepEqual(store.tried, [[1, 2, 3]]);
  assert.equal(await group.add(4), 'stored 4', 'later groups are not concerned');
});

test('a member that a commit refuses by its outcome is alone in hearing of it', async () => {
  const group = new GroupCommit<number, string>({
    commit: async (items) => items.map((item) => (item === 2 ? { error: new Error('no') } : { result: 'yes' })),
    mayRetrySingly: always,
  });
  const fates = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
  assert.deepEqual(
    fates.map((fate) => fate.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a group that nothing keeps waiting gathers for as long as it is told to', async () => {
  const store = new Store('open');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: always, gather: 20 });
  const first = group.add(1);
  await nextTurn();
  await nextTurn();
  await Promise.all([first, group.add(2)]);
  assert.deepEqual(store.tried, [[1, 2]]);
});

test('settled: once nothing waits and nothing is being committed', async () => {
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

test('groups that overlap are four at most, have each item once, and are all waited for', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const tried: number[][] = [];
  const commit = async (items: readonly number[]): Promise<readonly Outcome<string>[]> => {
    tried.push([...items]);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return items.map((item) => ({ result: `stored ${item}` }));
  };
  // However short the last group has been under way, the next need not wait.
  const group = new GroupCommit({ commit, mayRetrySingly: never, overlapAfter: -1 });
  const fates: Promise<PromiseSettledResult<string>[]>[] = [];
  for (const item of [1, 2, 3, 4, 5, 6]) {
    fates.push(Promise.allSettled([group.add(item)]));
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
  const statuses = (await Promise.all(fates)).flat().map(({ status }) => status);
  assert.deepEqual(statuses, ['rejected', ...Array.from({ length: 5 }, () => 'fulfilled')]);
  assert.equal(tried.length, 5);
});

test('where a group fails for what the next would meet too, those who gathered meanwhile are refused with it', async () => {
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

test('so many gather at most: who comes after them is refused at once', async () => {
  const store = new Store('closed');
  const group = new GroupCommit({ commit: store.commit, mayRetrySingly: never, mostWaiting: 3 });
  const first = group.add(0);
  await nextTurn();
  const waiting = [1, 2, 3].map((item) => group.add(item));
  await assert.rejects(group.add(4), (error) => error instanceof ApiError && error.status === 503);
  store.open();
  await Promise.all([first, ...waiting]);
});
