import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upTo } from './reading.ts';

const [sent, edited, read] = [{ type: 'message' }, { type: 'update_message' }, { type: 'update_message_flags' }];

test('the more people have phones, the fewer new messages are looked at together, and one at least', () => {
  const events = [sent, edited, sent];
  assert.equal(upTo(1000, events, 300).length, 3);
  assert.equal(upTo(1000, events, 500).length, 2);
  assert.equal(upTo(1000, events, 5000).length, 1);
});

test('what only takes back is looked at however many have phones', () => {
  assert.equal(upTo(1000, [read, read, read], 5000).length, 3);
  assert.equal(upTo(1000, [read, sent, read, sent, read], 600).length, 3);
  assert.equal(upTo(1000, [], 5000).length, 0);
});
