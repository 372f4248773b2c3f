import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Row, summarize } from './harness/result.ts';
import { problemWith } from './report.ts';

function row(rates: readonly (number | null)[]): Row {
  const heddle = summarize(rates.map((rate) => ({ rate, p50: null, p99: null })));
  return { name: 'send', size: '4', unit: 'sends/s', heddle, floor: null, ratio: null, goal: '', met: null, notes: [] };
}

test('a benchmark must have a row with a rate and all its runs', () => {
  assert.equal(problemWith([row([1, 2])], 2), undefined);
  assert.equal(problemWith([], 1), 'There is no row.');
  assert.equal(problemWith([row([1]), row([1, 2])], 1), '4: there are 2 runs instead of 1.');
  assert.equal(problemWith([row([null])], 1), '4: there is no rate.');
});
