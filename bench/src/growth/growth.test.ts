import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from './growth.ts';

const lengths = { short: 1_000, long: 8_000 };

/** Spins once per number of steps. */
function spin(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += Math.sqrt(step);
  return sum;
}

test('work that grows with the length passes', () => {
  assertLinear('linear work', lengths, (length) => () => spin(length * 5_000));
});

test('work that grows with the square of the length fails', () => {
  const square = () => assertLinear('quadratic work', lengths, (length) => () => spin(4 * length ** 2));
  assert.throws(square, /quadratic work grows faster than its input/);
});
