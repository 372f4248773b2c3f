import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestOf, queryOf, scoreOf } from './palette-match.ts';

const names = ['design', 'design system', 'redesign', 'brand design', 'the designers', 'dinner signs', 'operations'];

function ranked(text: string): string[] {
  const query = queryOf(text);
  return bestOf(names, 10, (name) => scoreOf(query, name)).map(({ item }) => item);
}

test('the whole name comes first, then beginnings, words, and parts', () => {
  assert.deepEqual(ranked('design'), [
    'design',
    'design system',
    'brand design',
    'the designers',
    'redesign',
    'dinner signs',
  ]);
});

test('words match in any order, and by their beginnings', () => {
  assert.deepEqual(ranked('sys des'), ['design system']);
});

test('letters in the right order match, from the beginning of a word', () => {
  assert.deepEqual(ranked('dsgn').sort(), ['brand design', 'design', 'design system', 'dinner signs', 'the designers']);
  assert.deepEqual(ranked('esgn'), []);
});

test('only the best are kept', () => {
  const query = queryOf('d');
  assert.deepEqual(bestOf(names, 1, (name) => scoreOf(query, name))[0]?.item, 'design');
});
