import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded, FITTED, fittedSize, moved, zoomed } from './zoom.ts';

test('zooming keeps the point under the pointer where it is', () => {
  const view = zoomed(FITTED, 2, { x: 100, y: -50 });
  // The point was 100 pixels from the middle of the picture, and is 200 pixels from it now.
  assert.deepEqual(view, { scale: 2, x: -100, y: 50 });
  assert.deepEqual(zoomed(view, 0.5, { x: 100, y: -50 }), FITTED);
});

test('a picture is never smaller than the stage allows, nor larger than twelve times', () => {
  assert.equal(zoomed(FITTED, 0.1), FITTED);
  assert.equal(zoomed(FITTED, 1000).scale, 12);
});

test('a picture can be moved only as far as its edges', () => {
  const fitted = { width: 400, height: 300 };
  const stage = { width: 500, height: 500 };
  const view = moved(zoomed(FITTED, 2), { x: 1000, y: -1000 });
  assert.deepEqual(bounded(view, fitted, stage), { scale: 2, x: 150, y: -50 });
  assert.deepEqual(bounded(moved(FITTED, { x: 9, y: 9 }), fitted, stage), FITTED);
});

test('a picture fills the stage, but a small one keeps its size', () => {
  assert.deepEqual(fittedSize({ width: 2000, height: 1000 }, { width: 1000, height: 900 }), {
    width: 1000,
    height: 500,
  });
  assert.deepEqual(fittedSize({ width: 20, height: 10 }, { width: 1000, height: 900 }), { width: 20, height: 10 });
});
