import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lanes } from './lanes.ts';

// rules: web-push-14
test('unknown and slow push services take few lanes, and quick ones have lanes of their own', () => {
  const lanes = new Lanes();
  assert.deepEqual(lanes.free, { quick: 24, others: 8 });
  for (let number = 1; number <= 8; number += 1) lanes.begin(`${number}.example.com`);
  assert.deepEqual(lanes.free, { quick: 24, others: 0 });
  lanes.end('1.example.com', 20);
  lanes.end('2.example.com', 9900);
  lanes.end('3.example.com', undefined);
  assert.deepEqual(lanes.free, { quick: 24, others: 3 });
  assert(lanes.quick.includes('1.example.com'));
  for (const name of ['2.example.com', '3.example.com']) assert(!lanes.quick.includes(name));
  lanes.begin('1.example.com');
  assert.deepEqual(lanes.free, { quick: 23, others: 3 });
  // It answers late, and is unknown again.
  lanes.end('1.example.com', 5000);
  lanes.begin('1.example.com');
  assert.deepEqual(lanes.free, { quick: 24, others: 2 });
});

test('a thousand quick push services are remembered', () => {
  const lanes = new Lanes();
  for (let number = 1; number <= 3000; number += 1) lanes.end(`${number}.example.com`, 1);
  assert.equal(lanes.quick.length, 1000);
  assert(lanes.quick.includes('3000.example.com') && !lanes.quick.includes('2000.example.com'));
});
