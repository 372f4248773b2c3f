import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { Role } from '../../directory/records.ts';
import { putChannel, putUser, smallDirectory } from '../../testing/small-directory.ts';
import { readNarrow } from './narrow.ts';

const directory = smallDirectory();
const member = putUser(directory, 1, Role.member);
const subscriber = putUser(directory, 2, Role.member);
putChannel(directory, 10);
putChannel(directory, 11);
putChannel(directory, 12, { isPrivate: true, name: '11' });
directory.subscriptions.add(12, subscriber.id, 1);

const channelFor = (user: typeof member, operand: string | number) => {
  const [term] = readNarrow(directory, user, [{ operator: 'channel', operand }]);
  return term?.condition.on === 'channel' ? term.condition.channelId : undefined;
};

test('a narrow names a channel by its name, by its id, or by its id in a string', () => {
  for (const operand of ['channel 10', 10, '10']) assert.equal(channelFor(member, operand), 10);
});

test('digits that are the name of a channel mean it to those who know it, and an id to all others', () => {
  assert.equal(channelFor(subscriber, '11'), 12);
  assert.equal(channelFor(member, '11'), 11);
});

test('a hidden channel is refused as one that does not exist', () => {
  for (const operand of [12, '12', 999, '999', 'cellar']) {
    assert.throws(
      () => channelFor(member, operand),
      (error) => error instanceof ApiError && error.message === `Invalid narrow operator: unknown channel ${operand}`,
    );
  }
});

test('a term counts once, in whichever words it is repeated', () => {
  const named = [
    { operator: 'sender', operand: 1 },
    { operator: 'from', operand: [1] },
    ['is', 'unread'],
    { operator: 'is', operand: 'read', negated: true },
    { operator: 'channel', operand: 10 },
    { operator: 'stream', operand: 'channel 10' },
    { operator: 'channel', operand: 10, negated: true },
  ];
  assert.deepEqual(readNarrow(directory, member, named), [
    { condition: { on: 'sender', userId: 1 }, negated: false },
    { condition: { on: 'is', state: 'unread' }, negated: false },
    { condition: { on: 'channel', channelId: 10 }, negated: false },
    { condition: { on: 'channel', channelId: 10 }, negated: true },
  ]);
});
