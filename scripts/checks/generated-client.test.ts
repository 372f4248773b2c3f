import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGeneratedClient, firstDifference } from './generated-client.ts';

test('the generated files of the client follow the contract', async () => {
  assert.deepEqual(await checkGeneratedClient(), []);
});

test('a generated file that was edited, or is not complete, is reported with its first wrong line', () => {
  assert.equal(firstDifference('a\nb\n', 'a\nb\n'), undefined);
  assert.equal(firstDifference('a\nx\n', 'a\nb\n'), 2);
  assert.equal(firstDifference('a', 'a\nb'), 2);
  assert.equal(firstDifference('', 'a\nb'), 1);
});
