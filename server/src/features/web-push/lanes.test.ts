import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lanes } from './lanes.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

// rules: web-push-14
test('unknown and slow push services take few lanes, and quick ones have lanes of their own', () => {
  const lanes = new Lanes();
  assert.deepEqual(lanes.free, { vendor: 16, quick: 16, other: 8 });
  for (const number of upTo(8)) lanes.begin(`${number}.example.com`);
  assert.deepEqual(lanes.free, { vendor: 16, quick: 16, other: 0 });
  lanes.end('1.example.com', 20);
  lanes.end('2.example.com', 9900);
  lanes.end('3.example.com', undefined);
  assert.deepEqual(lanes.free, { vendor: 16, quick: 16, other: 3 });
  assert(lanes.quick.includes('1.example.com'));
  for (const name of ['2.example.com', '3.example.com']) assert(!lanes.quick.includes(name));
  lanes.begin('1.example.com');
  assert.deepEqual(lanes.free, { vendor: 16, quick: 15, other: 3 });
  // It answers late, and is unknown again.
  lanes.end('1.example.com', 5000);
  lanes.begin('1.example.com');
  assert.deepEqual(lanes.free, { vendor: 16, quick: 16, other: 2 });
});

// rules: web-push-14
test('services that were quick and then hang take no lane from the services of browsers', () => {
  const lanes = new Lanes();
  const hosts = upTo(16).map((number) => `${number}.example.com`);
  for (const host of hosts) {
    lanes.begin(host);
    lanes.end(host, 1);
  }
  for (const host of hosts) lanes.begin(host);
  assert.deepEqual(lanes.free, { vendor: 16, quick: 0, other: 8 });
  const vendors = [
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
    'wns2-by3p.notify.windows.com',
  ];
  for (const host of vendors) lanes.begin(host);
  assert.deepEqual(lanes.free, { vendor: 12, quick: 0, other: 8 });
  // A name that only resembles one is a name like any other.
  lanes.begin('fcm.googleapis.com.example.com');
  lanes.begin('fcm.googleapis.com:8443');
  assert.deepEqual(lanes.free, { vendor: 12, quick: 0, other: 6 });
});

test('a thousand quick push services are remembered', () => {
  const lanes = new Lanes();
  for (const number of upTo(3000)) lanes.end(`${number}.example.com`, 1);
  assert.equal(lanes.quick.length, 1000);
  assert(lanes.quick.includes('3000.example.com') && !lanes.quick.includes('2000.example.com'));
});
