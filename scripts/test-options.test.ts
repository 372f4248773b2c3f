import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testOptions } from './test-options.ts';

test('only a run of all tests runs the checks', () => {
  assert.equal(testOptions([])?.isChecked, true);
  for (const args of [['--no-checks'], ['--web'], ['--long'], ['--runs=5'], ['sending']]) {
    assert.equal(testOptions(args)?.isChecked, false, args.join(' '));
  }
});

test('unknown options and numbers that are none are refused', () => {
  for (const arg of ['--unknown', '--runs=many', '--seed=-1', '--runs'])
    assert.equal(testOptions([arg]), undefined, arg);
});

test('the tests of changes since a commit run after the checks; without a commit, since main', () => {
  assert.equal(testOptions(['--changed'])?.changedSince, 'main');
  assert.equal(testOptions(['--changed=HEAD^'])?.changedSince, 'HEAD^');
  assert.equal(testOptions(['--changed'])?.isChecked, true);
  assert.equal(testOptions([])?.changedSince, undefined);
});

test('parts of paths and options mix', () => {
  const options = testOptions(['sending', '--runs', '2', '--seed=3', 'editing']);
  assert.deepEqual([options?.filters, options?.runs, options?.seed], [['sending', 'editing'], 2, 3]);
});
