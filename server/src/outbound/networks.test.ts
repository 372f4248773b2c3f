import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWebPort, Networks } from './networks.ts';

const PRIVATE = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:1::1',
  '::7f00:1',
  '::a9fe:a9fe',
  '4000::1',
  'not an address',
  '',
];
const PUBLIC = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'];

describe('addresses', () => {
  const networks = new Networks([]);
  for (const address of PRIVATE) {
    // rules: bots-13
    test(`${address || 'an empty address'} is not allowed`, () => assert.equal(networks.allows(address), false));
  }
  for (const address of PUBLIC) test(`${address} is allowed`, () => assert.equal(networks.allows(address), true));

  // rules: bots-13
  test('the operator’s networks are allowed, and no other private addresses', () => {
    const own = new Networks(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1']);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::1', '::1']) assert(own.allows(address));
    for (const address of ['10.2.0.1', '127.0.0.2', 'fc00::1', '::', '169.254.169.254']) assert(!own.allows(address));
  });

  // rules: bots-13
  test('ports of web servers are allowed, and ports below 1024 of other services are not', () => {
    assert.deepEqual([80, 443, 1024, 8080, 65_535].map(isWebPort), [true, true, true, true, true]);
    assert.deepEqual([1, 22, 25, 53, 110, 1023].map(isWebPort), [false, false, false, false, false, false]);
  });
});
