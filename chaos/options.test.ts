import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chaosOptions } from './options.ts';

test('a run has a duration and a seed', () => {
  assert.deepEqual(chaosOptions(['--minutes', '0.5', '--seed', '7']), { minutes: 0.5, seed: 7 });
  const random = chaosOptions([]);
  assert(random !== undefined && Number.isInteger(random.seed));
  assert.equal(random.minutes, 2);
});

test('wrong options are refused', () => {
  for (const args of [
    ['--minutes', '0'],
    ['--minutes', 'x'],
    ['--seed', '-1'],
    ['--seed', '1.5'],
    ['--hours', '1'],
  ])
    assert.equal(chaosOptions(args), undefined, args.join(' '));
});
