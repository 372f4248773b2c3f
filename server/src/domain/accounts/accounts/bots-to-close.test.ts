import assert from 'node:assert/strict';
import { test } from 'node:test';
import { botsToClose } from './bots-to-close.ts';

const bots = Array.from({ length: 50 }, (_, id) => ({ id }));

/** Returns how many of fifty bots one commit closes, if each bot is subscribed to this number of channels. */
function closed(channels: number): number {
  const channelsOf = () => Array.from({ length: channels }, (_, id) => id);
  return botsToClose({ channelsOf }, bots).length;
}

test('one commit closes fewer bots the more channels they are subscribed to, but at least one', () => {
  assert.deepEqual([closed(0), closed(25), closed(100), closed(501), closed(5000)], [20, 20, 5, 1, 1]);
  assert.deepEqual(botsToClose({ channelsOf: () => [] }, []), []);
});
