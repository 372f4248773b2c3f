import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelRecord } from '../../testing/database/small-directory.ts';
import { checkTold } from './metadata-access.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const channel = channelRecord(1, 1);

test('a change announces its channels to at most five million users, each counted once per event', () => {
  const [users, nobody] = [numbers(50_000), [] as const];
  // An event for all channels together, and one with the subscribers of each.
  const gained = (channels: number) => numbers(channels).map(() => ({ channel, gained: users, lost: nobody }));
  checkTold(gained(99));
  assert.throws(() => checkTold(gained(100)), /the access of too many users to too many channels at once/);
  const lost = (channels: number) => numbers(channels).map(() => ({ channel, gained: nobody, lost: users }));
  checkTold(lost(1000));
  const lostByOthers = (channels: number) =>
    numbers(channels).map(() => ({ channel, gained: nobody, lost: [...users] }));
  checkTold(lostByOthers(100));
  assert.throws(() => checkTold(lostByOthers(101)), /too many users/);
});
