import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../testing/random/property.ts';
import { serializedList } from './serialized-list.ts';

async function textOf(list: Promise<{ readonly body: string | Buffer | readonly Buffer[] }>): Promise<string> {
  const { body } = await list;
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : Buffer.concat(body).toString();
}

test('a list serialized in chunks equals the serialized list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 500, size: 'max' }), async (items) => {
      const text = await textOf(serializedList(items, (item) => ({ item })));
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(items.map((item) => ({ item })))));
    }),
    { numRuns: 30 },
  );
});

test('serializing long lists yields to the event loop, with a bounded number of items per turn', async (t) => {
  // Each item takes a tenth of a millisecond of a false clock.
  let now = performance.now(); // timing: the false clock begins now
  t.mock.method(performance, 'now', () => now);
  const busy = (item: number): number => {
    now += 0.1;
    return item;
  };
  const items = Array.from({ length: 500 }, (_, index) => index);
  let turns = 0;
  let isOver = false;
  let since = 0;
  let most = 0;
  const others = (): void => {
    turns += 1;
    most = Math.max(most, since);
    since = 0;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const count = (item: number): number => {
    since += 1;
    return busy(item);
  };
  const lists = await Promise.all([1, 2, 3, 4].map(() => textOf(serializedList(items, count))));
  isOver = true;
  for (const list of lists) assert.equal(list, JSON.stringify(items));
  assert(turns > 4 * 3, `${turns} turns`);
  assert(most < items.length, `${most} items of ${4 * items.length} in one turn`);
});
