import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnMessageId, ownMessageId } from './message-ids.ts';

// rules: mail-17
test('only the mails of this server count as its own, not those of mail programs with the same domain', () => {
  const from = { name: 'Team', address: 'noreply@Example.com' };
  assert.equal(ownMessageId('5f0e', from), '<heddle.5f0e@Example.com>');
  assert(isOwnMessageId(ownMessageId('5f0e', from), from));
  assert(isOwnMessageId('<HEDDLE.5F0E@example.com>', from));
  for (const other of ['<5f0e7c1a@example.com>', '<heddle.5f0e@example.org>', '<x.heddle.5f0e@example.com>', '']) {
    assert(!isOwnMessageId(other, from), other);
  }
});
