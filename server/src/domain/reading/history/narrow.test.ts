import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import {
  CHANNELS_WORDS,
  HAS_WORDS,
  IN_WORDS,
  IS_WORDS,
  NARROW_OPERATORS,
  type NarrowOperator,
  operatorNamed,
} from '@heddle/api/narrow-vocabulary.ts';
import { Role } from '../../../directory/records.ts';
import { putChannel, putUser, smallDirectory } from '../../../testing/database/small-directory.ts';
import { readNarrow } from './narrow.ts';
import { spectatorNarrow } from './spectator-narrow.ts';

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

/** Operands that each operator accepts. Only `looking-up.ts` reads `with`. */
const OPERANDS: Readonly<Record<Exclude<NarrowOperator, 'with'>, readonly (string | number | number[])[]>> = {
  channel: [10],
  channels: CHANNELS_WORDS,
  topic: ['a'],
  dm: [[1]],
  'dm-including': [1],
  'group-pm-with': [1],
  sender: [1],
  is: Object.entries(IS_WORDS).flatMap(([word, { olderNames }]) => [word, ...olderNames]),
  has: HAS_WORDS,
  in: IN_WORDS,
  id: [5],
  near: [5],
  search: ['a'],
};

// rules: fetch-8
test('a narrow accepts every operator and word of the vocabulary, and older names mean the same', () => {
  for (const [name, operands] of Object.entries(OPERANDS)) {
    const operator = operatorNamed(name);
    assert.ok(operator !== undefined);
    for (const operand of operands) {
      const read = readNarrow(directory, member, [{ operator, operand }]);
      assert.equal(read.length, name === 'near' || operand === 'all' ? 0 : 1, `${name}:${operand}`);
      for (const older of NARROW_OPERATORS[operator].olderNames) {
        assert.deepEqual(readNarrow(directory, member, [{ operator: older, operand }]), read, older);
      }
    }
  }
});

test('spectators can use exactly the names of operators that the vocabulary lists', () => {
  const webPublic = { operator: 'channels', operand: 'web-public' };
  for (const [name, { olderNames, namesForSpectators }] of Object.entries(NARROW_OPERATORS)) {
    for (const operator of [name, ...olderNames]) {
      const narrow = [webPublic, { operator, operand: 'a' }];
      const isListed = namesForSpectators.some((one) => one === operator);
      if (isListed) assert.deepEqual(spectatorNarrow(narrow), narrow);
      else assert.throws(() => spectatorNarrow(narrow), ApiError, operator);
    }
  }
});
