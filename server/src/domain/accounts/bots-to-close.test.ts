import assert from 'node:assert/strict';
import { test } from 'node:test';
import { botsToClose } from './bots-to-close.ts';

const bots = Array.from({ length: 50 }, (_, id) => ({ id }));

/** How many of fifty bots go at once, each of which is subscribed to so many channels. */
function closed(channels: number): number {
  const channelsOf = () => Array.from({ length: channels }, (_, id) => id);
  return botsToClose({ channelsOf }, bots).length;
}

test('the more channels somebody’s bots are in, the fewer of them are closed in one commit, and one at least', () => {
  assert.deepEqual([closed(0), closed(25), closed(100), closed(501), closed(5000)], [20, 20, 5, 1, 1]);
  assert.deepEqual(botsToClose({ channelsOf: () => [] }, []), []);
});
