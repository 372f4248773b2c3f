import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../testing/random/property.ts';
import type { LoggedEvent } from '../event.ts';
import { decodeWakeUp, encodeWakeUp } from './wake-up.ts';

const ORGANIZATION = 17;
const EPOCH = '0b0c6f3e-6a5e-4a8e-9b57-2f2f6f3f0a11';

const events: fc.Arbitrary<readonly LoggedEvent[]> = fc
  .array(
    fc.record({
      body: fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.record({ content: fc.string({ unit: 'binary' }) }, { noNullPrototype: true }),
      ),
      ephemeral: fc.boolean(),
      isOfMessage: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ body, ephemeral, isOfMessage }, index) => ({
      organizationId: ORGANIZATION,
      id: 100 + index,
      type: 'message',
      audience: { to: 'users', users: [1, 2] },
      body,
      ephemeral,
      ...(isOfMessage && { messageId: 5, deltas: [{ kind: 'x' }] }),
    })),
  );

test('a wake-up brings all events over in texts of at most the given size, or none', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 100, max: 2_000 }), (given, maxBytes) => {
      const texts = encodeWakeUp(ORGANIZATION, { epoch: EPOCH, events: given }, maxBytes);
      for (const text of texts) assert(Buffer.byteLength(text) <= maxBytes);
      const wakeUps = texts.map((text) => decodeWakeUp(text));
      for (const wakeUp of wakeUps) assert.equal(wakeUp?.organizationId, ORGANIZATION);
      const carried = wakeUps.map((wakeUp) => wakeUp?.carried());
      if (texts.length === 1 && carried[0] === undefined) return;
      for (const one of carried) assert.equal(one?.epoch, EPOCH);
      assert.deepEqual(
        carried.flatMap((one) => one?.events ?? []),
        given,
      );
    }),
  );
});

test('an event that fits into no text is left to the table', () => {
  const event: LoggedEvent = {
    organizationId: ORGANIZATION,
    id: 1,
    type: 'message',
    audience: { to: 'nobody' },
    body: 'x'.repeat(8_000),
    ephemeral: false,
  };
  const carried = { epoch: EPOCH, events: [event] };
  assert.deepEqual(encodeWakeUp(ORGANIZATION, carried, 7_999), ['17']);
  assert.equal(encodeWakeUp(ORGANIZATION, carried, 9_000).length, 1);
  assert.deepEqual(encodeWakeUp(ORGANIZATION, carried, 0), ['17']);
  assert.equal(decodeWakeUp('17')?.carried(), undefined);
});

test('a text that is no wake-up, or whose events cannot be read, carries nothing', () => {
  for (const text of ['', 'x', '-1', '1 2', `confirm 1 2 ${EPOCH}`, '12345678901'])
    assert.equal(decodeWakeUp(text), undefined);
  for (const json of ['[}]', '[1]', '[null]', '[{}]', '[{"id":"1","type":"x","audience":{},"ephemeral":false}]']) {
    const wakeUp = decodeWakeUp(`1 ${EPOCH} ${json}`);
    assert.equal(wakeUp?.organizationId, 1);
    assert.equal(wakeUp.carried(), undefined);
  }
});
