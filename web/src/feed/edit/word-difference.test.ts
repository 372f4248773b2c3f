import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordDifference } from './word-difference.ts';

/** The old and the new text of a difference. */
function textsOf(before: string, after: string) {
  const parts = wordDifference(before, after);
  return {
    old: parts.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text])).join(''),
    now: parts.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text])).join(''),
  };
}

test('a difference names the words that changed', () => {
  assert.deepEqual(wordDifference('the red thread', 'the blue thread'), [
    { kind: 'same', text: 'the ' },
    { kind: 'removed', text: 'red' },
    { kind: 'added', text: 'blue' },
    { kind: 'same', text: ' thread' },
  ]);
});

test('equal texts have one part, and empty texts none', () => {
  assert.deepEqual(wordDifference('same', 'same'), [{ kind: 'same', text: 'same' }]);
  assert.deepEqual(wordDifference('', ''), []);
});

test('the parts of any difference make both texts, also of very long ones', () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word}${index}`).join(' ');
  for (const [before, after] of [
    ['', 'new'],
    ['old', ''],
    ['a b c d', 'd c b a'],
    ['Grüße, 👍🏽 und **mehr**', 'Grüße und *mehr* 👍'],
    [long('a'), long('b')],
  ] as const) {
    assert.deepEqual(textsOf(before, after), { old: before, now: after });
  }
});
