import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IS_WORDS, isWordNamed, NARROW_OPERATORS, operatorNamed } from './narrow-vocabulary.ts';

test('each name of an operator, and of a word of `is:`, belongs to one entry', () => {
  for (const [table, find] of [
    [NARROW_OPERATORS, operatorNamed],
    [IS_WORDS, isWordNamed],
  ] as const) {
    for (const [name, { olderNames }] of Object.entries(table)) {
      for (const one of [name, ...olderNames]) assert.equal(find(one), name);
    }
    for (const unknown of ['', 'constructor', '__proto__', 'Channel', 'DM']) assert.equal(find(unknown), undefined);
  }
});

test('names for queues and spectators are names of their operator, with the current one first', () => {
  for (const [name, { olderNames, namesInQueue, namesForSpectators }] of Object.entries(NARROW_OPERATORS)) {
    for (const names of [namesInQueue, namesForSpectators] as readonly (readonly string[])[]) {
      assert.ok(names.length === 0 || names[0] === name, name);
      for (const one of names) assert.ok(one === name || olderNames.some((older) => older === one), one);
    }
  }
});

test('a word is the opposite of a word that has none itself', () => {
  for (const word of Object.values(IS_WORDS)) {
    if ('oppositeOf' in word) assert.ok(!('oppositeOf' in IS_WORDS[word.oppositeOf]));
  }
});
