import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completedTerms, readQuery, typingOf } from './query.ts';

const names = {
  channelIdOf: (name: string) => (name.toLowerCase() === 'general news' ? 5 : undefined),
  userIdOf: (name: string) => ({ 'ada weaver': 3, 'bo@example.com': 4 })[name.toLowerCase()],
};

test('a query with conditions and words becomes terms and a text', () => {
  const { terms, rest } = readQuery('channel:"General news" -sender:me has:links red logo', names);
  assert.deepEqual(terms, [
    { operator: 'channel', operand: 5 },
    { operator: 'sender', operand: 'me', negated: true },
    { operator: 'has', operand: 'link' },
  ]);
  assert.equal(rest, 'red logo');
});

test('older names and spaces as plus signs mean the same', () => {
  assert.deepEqual(readQuery('stream:General+news from:bo@example.com pm-with:bo@example.com', names).terms, [
    { operator: 'channel', operand: 5 },
    { operator: 'sender', operand: 4 },
    { operator: 'dm', operand: [4] },
  ]);
});

test('a condition that names nothing known stays text', () => {
  assert.deepEqual(readQuery('channel:nowhere is:purple http://example.com', names), {
    terms: [],
    rest: 'channel:nowhere is:purple http://example.com',
  });
});

test('a date or a message can be where the search begins', () => {
  assert.deepEqual(readQuery('near:2026-03-05', names).terms, [{ operator: 'near', operand: '2026-03-05' }]);
  assert.deepEqual(readQuery('near:12', names).terms, [{ operator: 'near', operand: 12 }]);
  assert.deepEqual(readQuery('near:2026-15-05', names).terms, []);
});

test('a space completes a condition, but not inside of quotation marks', () => {
  assert.equal(completedTerms('channel:"General ', names), undefined);
  assert.deepEqual(completedTerms('logo is:starred ', names), {
    terms: [{ operator: 'is', operand: 'starred' }],
    rest: 'logo ',
  });
});

test('the operator before the cursor decides what is suggested', () => {
  assert.deepEqual(typingOf('red -sender:Ada W'), {
    operator: 'sender',
    value: 'Ada W',
    negated: true,
    before: 'red ',
  });
  assert.deepEqual(typingOf('ada'), { operator: undefined, value: 'ada', negated: false, before: '' });
  assert.deepEqual(typingOf('see http://x'), {
    operator: undefined,
    value: 'see http://x',
    negated: false,
    before: '',
  });
});
