import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upTo } from './missed.ts';

const [sent, edited, read] = [{ type: 'message' }, { type: 'update_message' }, { type: 'update_message_flags' }];

test('the more recipients, the fewer new messages per batch, but at least one', () => {
  const events = [sent, edited, sent];
  assert.equal(upTo(1000, events, 300).length, 3);
  assert.equal(upTo(1000, events, 500).length, 2);
  assert.equal(upTo(1000, events, 5000).length, 1);
});

test('events that only remove notifications do not count towards the batch size', () => {
  assert.equal(upTo(1000, [read, read, read], 5000).length, 3);
  assert.equal(upTo(1000, [read, sent, read, sent, read], 600).length, 3);
  assert.equal(upTo(1000, [], 5000).length, 0);
});
