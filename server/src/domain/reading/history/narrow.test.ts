import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { Role } from '../../../directory/records.ts';
import { putChannel, putUser, smallDirectory } from '../../../testing/database/small-directory.ts';
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

test('a narrow refers to a channel by name, by id, or by id in a string', () => {
  for (const operand of ['channel 10', 10, '10']) assert.equal(channelFor(member, operand), 10);
});

test('digits mean the channel of that name for users with metadata access, and an id for others', () => {
  assert.equal(channelFor(subscriber, '11'), 12);
  assert.equal(channelFor(member, '11'), 11);
});

test('a hidden channel is refused like a missing one', () => {
  for (const operand of [12, '12', 999, '999', 'cellar']) {
    assert.throws(
      () => channelFor(member, operand),
      (error) => error instanceof ApiError && error.message === `Invalid narrow operator: unknown channel ${operand}`,
    );
  }
});

test('equivalent terms count once', () => {
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
