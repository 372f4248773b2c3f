import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, other, send } from '../testing/samples.ts';
import { faultsAround, shortest } from './violation.ts';

test('the shortest violation has the fewest records, and then the shortest time', () => {
  const long = { says: 'long', records: [send(0, 1), send(20, 2), send(40, 3)] };
  const wide = { says: 'wide', records: [send(0, 1), send(9_000, 2)] };
  const narrow = { says: 'narrow', records: [send(5_000, 1), send(5_020, 2)] };
  assert.equal(shortest([long, wide, narrow])?.says, 'narrow');
  assert.equal(shortest([long, wide])?.says, 'wide');
  assert.equal(shortest([]), undefined);
});

test('the faults of the time of a violation explain it', () => {
  const [before, at, later] = [fault(0, 100), fault(150, 300), fault(900, 950)];
  assert.deepEqual(faultsAround([before, at, other(200), later], [other(200)]), [at]);
});
