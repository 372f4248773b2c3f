import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ifPointerMoved } from './pointer-moved.ts';

/** How often the handler runs for an event with this movement. */
function callsFor(movementX: number, movementY: number): number {
  let count = 0;
  ifPointerMoved(() => {
    count += 1;
  })({ movementX, movementY } as Parameters<ReturnType<typeof ifPointerMoved>>[0]);
  return count;
}

test('a list that moves under a resting pointer chooses no other row, and every real movement does', () => {
  assert.equal(callsFor(0, 0), 0);
  assert.equal(callsFor(1, 0), 1);
  assert.equal(callsFor(0, -1), 1);
});
