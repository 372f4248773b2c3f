import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedLanguages } from './accept-language.ts';

test('the languages of a browser are in the order of its preference', () => {
  assert.deepEqual(acceptedLanguages('en;q=0.5, de-AT,fr;q=0.8, *;q=0.1'), ['de-AT', 'fr', 'en']);
  assert.deepEqual(acceptedLanguages('de'), ['de']);
});

test('refused languages, broken entries and an absent header give nothing', () => {
  assert.deepEqual(acceptedLanguages('de;q=0, ;q=1, en;q=much'), []);
  assert.deepEqual(acceptedLanguages(undefined), []);
  assert.deepEqual(acceptedLanguages(''), []);
});

test('only the beginning of a long header is read', () => {
  assert.equal(acceptedLanguages('de,'.repeat(5_000)).length, 20);
});
