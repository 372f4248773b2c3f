import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@heddle/server/testing/random/property.ts';
import type { Narrow } from './narrow.ts';
import { hashOfNarrow, narrowOfHash } from './narrow-hash.ts';

const names = { channelName: (id: number) => `Kanal (${id})`, userName: () => 'Ada Lovelace' };
const ids = {
  channelIdOf: (name: string) => (name === 'design ideas' ? 7 : undefined),
  userIdOf: (email: string) => ({ 'ada@example.com': 3, 'bo@example.com': 5 })[email],
};

test('links of other clients open the same narrow', () => {
  const cases: readonly (readonly [string, Narrow | undefined])[] = [
    [
      '#narrow/channel/5-design/topic/new.20logo.2E/near/120',
      [
        { operator: 'channel', operand: 5 },
        { operator: 'topic', operand: 'new logo.' },
        { operator: 'near', operand: 120 },
      ],
    ],
    ['#narrow/stream/design-ideas', [{ operator: 'channel', operand: 7 }]],
    ['#narrow/stream/design.20ideas', [{ operator: 'channel', operand: 7 }]],
    ['#narrow/pm-with/5,3-group', [{ operator: 'dm', operand: [3, 5] }]],
    ['#narrow/pm-with/ada.40example.2Ecom,bo.40example.2Ecom', [{ operator: 'dm', operand: [3, 5] }]],
    ['#narrow/constructor/x', [{ operator: 'constructor', operand: 'x' }]],
    ['#narrow/is/constructor', [{ operator: 'is', operand: 'constructor' }]],
    ['#narrow/-is/Private', [{ operator: 'is', operand: 'dm', negated: true }]],
    [
      '#narrow/sender/3-Ada/has/link',
      [
        { operator: 'sender', operand: 3 },
        { operator: 'has', operand: 'link' },
      ],
    ],
    [
      '#narrow/streams/public/search/a.2Fb',
      [
        { operator: 'channels', operand: 'public' },
        { operator: 'search', operand: 'a/b' },
      ],
    ],
    ['#narrow/channel/unknown', undefined],
    ['#narrow/near/x', undefined],
    ['#narrow/topic/.E0.A4.A', undefined],
    ['#inbox', undefined],
  ];
  for (const [hash, narrow] of cases) assert.deepEqual(narrowOfHash(hash, ids), narrow, hash);
});

test('a fragment names channels and people for readers', () => {
  const narrow: Narrow = [
    { operator: 'channel', operand: 5 },
    { operator: 'topic', operand: 'a/b (c)' },
  ];
  assert.equal(hashOfNarrow(narrow, names), '#narrow/channel/5-Kanal-.285.29/topic/a.2Fb.20.28c.29');
  assert.equal(hashOfNarrow([{ operator: 'dm', operand: [3] }], names), '#narrow/dm/3-Ada-Lovelace');
  assert.equal(hashOfNarrow([{ operator: 'dm', operand: [3, 5] }], names), '#narrow/dm/3,5-group');
});

test('reading what was written gives the same narrow', () => {
  const id = fc.integer({ min: 1, max: 1_000_000 });
  const word = fc.string({ minLength: 1, unit: 'binary' });
  const term = fc.oneof(
    fc.record({ operator: fc.constant('channel'), operand: id }),
    fc.record({ operator: fc.constant('topic'), operand: word }),
    fc.record({ operator: fc.constant('search'), operand: word }),
    fc.record({
      operator: fc.constant('dm'),
      operand: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }).map((all) => all.sort((a, b) => a - b)),
    }),
    fc.record({ operator: fc.constant('near'), operand: id }),
    fc.record({ operator: fc.constant('is'), operand: fc.constantFrom('dm', 'starred'), negated: fc.constant(true) }),
  );
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), (terms) => {
      const narrow = terms.map((one) => ({ ...one }));
      assert.deepEqual(narrowOfHash(hashOfNarrow(narrow, names), ids), narrow);
    }),
  );
});
