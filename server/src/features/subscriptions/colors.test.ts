import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickColor, SUBSCRIPTION_COLORS } from './colors.ts';

test('the first colour that is not used yet is next, in the order of the palette', () => {
  assert.equal(pickColor(new Set(), 7), SUBSCRIPTION_COLORS[0]);
  assert.equal(pickColor(new Set([SUBSCRIPTION_COLORS[0], SUBSCRIPTION_COLORS[2]]), 7), SUBSCRIPTION_COLORS[1]);
  assert.equal(pickColor(new Set(['#123456']), 7), SUBSCRIPTION_COLORS[0]);
});

test('when all colours are used, the channel decides', () => {
  const all = new Set<string>(SUBSCRIPTION_COLORS);
  assert.equal(pickColor(all, 3), SUBSCRIPTION_COLORS[3]);
  assert.equal(pickColor(all, 3 + SUBSCRIPTION_COLORS.length), SUBSCRIPTION_COLORS[3]);
});
