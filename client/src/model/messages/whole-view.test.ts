import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Narrow, Term } from './narrow.ts';
import { wholeViewOf } from './whole-view.ts';

const OWN_ID = 5;

function term(operator: string, operand: Term['operand'], negated = false): Term {
  return { operator, operand, ...(negated && { negated }) };
}

function kindOf(...narrow: Narrow): string | undefined {
  return wholeViewOf(narrow, OWN_ID)?.kind;
}

test('a conversation, a channel, the direct messages and the combined feed are whole', () => {
  assert.equal(kindOf(term('channel', 7), term('topic', 'looms')), 'conversation');
  assert.equal(kindOf(term('dm', [9])), 'conversation');
  assert.equal(kindOf(term('dm', [OWN_ID])), 'conversation');
  assert.equal(kindOf(term('channel', 7)), 'channel');
  assert.equal(kindOf(term('is', 'dm')), 'direct');
  assert.equal(kindOf(term('is', 'muted', true)), 'unmuted');
  assert.equal(kindOf(term('in', 'home')), 'unmuted');
  assert.equal(kindOf(term('in', 'all')), 'all');
  assert.equal(kindOf(), 'all');
});

test('the message at which a view opens does not change what it is', () => {
  assert.equal(kindOf(term('channel', 7), term('near', 12)), 'channel');
  assert.equal(kindOf(term('channel', 7), term('topic', 'looms'), term('with', 12)), 'conversation');
  assert.equal(kindOf(term('is', 'starred'), term('near', 12)), undefined);
  // Where the message is must be looked up first.
  assert.equal(kindOf(term('with', 12)), undefined);
});

test('what selects messages of conversations is a fragment', () => {
  const fragments: Narrow[] = [
    ...['starred', 'mentioned', 'alerted', 'unread', 'read', 'resolved', 'followed', 'muted'].map((word) => [
      term('is', word),
    ]),
    ...['link', 'image', 'attachment', 'reaction'].map((word) => [term('has', word)]),
    [term('sender', 9)],
    [term('search', 'thread')],
    [term('topic', 'looms')],
    [term('id', 12)],
    [term('dm-including', [9])],
    [term('channels', 'public')],
    [term('channel', 'unknown')],
    [term('channel', 7, true)],
    [term('is', 'dm', true)],
    [term('in', 'all', true)],
    [term('channel', 7), term('topic', 'looms', true)],
    [term('channel', 7), term('sender', 9)],
    [term('channel', 7), term('topic', 'looms'), term('search', 'thread')],
    [term('dm', [9]), term('has', 'link')],
    [term('is', 'muted', true), term('is', 'mentioned')],
  ];
  for (const narrow of fragments) assert.equal(kindOf(...narrow), undefined, JSON.stringify(narrow));
});
