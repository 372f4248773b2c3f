import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarlyMessages } from './early-messages.ts';

test('only the last 20 messages of the last half minute notify late, and each once', () => {
  const early = new EarlyMessages<number>();
  for (let id = 1; id <= 100; id += 1) early.add(id, id * 1000);
  // 81 to 90 are too old.
  assert.deepEqual(early.take(120_500), [91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
  early.add(101, 120_000);
  assert.deepEqual(early.take(120_500), []);
  const many = new EarlyMessages<number>();
  for (let id = 1; id <= 100; id += 1) many.add(id, 0);
  assert.deepEqual(
    many.take(1),
    Array.from({ length: 20 }, (_, at) => at + 81),
  );
});
