import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchmarks } from './benchmarks/index.ts';
import { readOptions, UsageError } from './options.ts';

test('without names all benchmarks run, three times per side', () => {
  const options = readOptions([]);
  assert.deepEqual(options.chosen, benchmarks);
  assert.equal(options.repeats, 3);
  assert.equal(options.quick, false);
});

test('names select benchmarks, in their order', () => {
  const { chosen, quick, repeats } = readOptions(['fanout', 'send', '--quick']);
  assert.deepEqual(
    chosen.map(({ name }) => name),
    ['fanout', 'send'],
  );
  assert.equal(quick, true);
  assert.equal(repeats, 1);
});

test('sizes require exactly one benchmark', () => {
  assert.deepEqual(readOptions(['send', '--sizes', '1,20']).sizes, [1, 20]);
  assert.throws(() => readOptions(['--sizes', '1']), UsageError);
});

for (const args of [['sendd'], ['--fast'], ['--repeats', '0'], ['--repeats', 'x'], ['send', '--sizes', '1,,2']]) {
  test(`'${args.join(' ')}' is refused`, () => {
    assert.throws(() => readOptions(args), UsageError);
  });
}
