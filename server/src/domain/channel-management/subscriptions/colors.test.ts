import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_COLORS_MASK, pickColor, SUBSCRIPTION_COLORS, withColor } from './colors.ts';

test('the first unused color of the palette is next', () => {
  const using = (...colors: readonly string[]) => colors.reduce(withColor, NO_COLORS_MASK);
  assert.equal(pickColor(using(), 7), SUBSCRIPTION_COLORS[0]);
  assert.equal(pickColor(using(SUBSCRIPTION_COLORS[0], SUBSCRIPTION_COLORS[2]), 7), SUBSCRIPTION_COLORS[1]);
  assert.equal(pickColor(using('#123456'), 7), SUBSCRIPTION_COLORS[0]);
});

test('when all colors are used, the channel id decides', () => {
  const all = SUBSCRIPTION_COLORS.reduce(withColor, NO_COLORS_MASK);
  assert.equal(pickColor(all, 3), SUBSCRIPTION_COLORS[3]);
  assert.equal(pickColor(all, 3 + SUBSCRIPTION_COLORS.length), SUBSCRIPTION_COLORS[3]);
});
