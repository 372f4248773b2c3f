import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { randomOf } from './random.ts';

const choices = (seed: number) => {
  const random = randomOf({ diagnostic: () => undefined }, seed);
  return [
    random.below(1),
    random.integerBelow(1000),
    random.boolean(),
    random.pick(['a', 'b', 'c']),
    random.shuffled([1, 2, 3, 4]),
  ];
};

test('a seed repeats the random choices, and another seed makes others', () => {
  assert.deepEqual(choices(1), choices(1));
  assert.notDeepEqual(choices(1), choices(2));
});

test('choices are within their bounds', () => {
  const random = randomOf({ diagnostic: () => undefined }, 7);
  const numbers = Array.from({ length: 1000 }, () => random.integerBelow(3));
  assert.deepEqual(new Set(numbers), new Set([0, 1, 2]));
  assert.equal(random.pick([]), undefined);
  assert.deepEqual(random.shuffled([1, 2, 3]).toSorted(), [1, 2, 3]);
});

test('the test prints how to repeat its choices', () => {
  const printed: string[] = [];
  randomOf({ diagnostic: (text) => void printed.push(text) }, 12);
  assert.deepEqual(printed, ['HEDDLE_TEST_SEED=12 repeats the random choices of this test']);
});

/** What a program prints in a process with this seed. */
function printedWith(seed: string, program: string): string {
  const env = { ...process.env, HEDDLE_TEST_SEED: seed };
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env, encoding: 'utf8' });
}

test('HEDDLE_TEST_SEED repeats the choices of tests and of properties', () => {
  const url = (name: string) => JSON.stringify(import.meta.resolve(name));
  const program = `
    const { randomOf } = await import(${url('./random.ts')});
    const { fc } = await import(${url('./property.ts')});
    const values = fc.sample(fc.nat(), { ...fc.readConfigureGlobal(), numRuns: 5 });
    const drawn = [];
    fc.assert(fc.property(fc.nat(), (value) => void drawn.push(value)));
    console.log(randomOf({ diagnostic() {} }).below(1), values, drawn);`;
  assert.equal(printedWith('5', program), printedWith('5', program));
  assert.notEqual(printedWith('5', program), printedWith('6', program));
  assert.notEqual(printedWith('', program), printedWith('', program));
});
