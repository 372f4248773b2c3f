import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, networkText } from './networks.ts';

test('an IPv4 address is its own network, in every notation', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7');
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7');
  assert.notEqual(networkOf('192.0.2.8'), networkOf('192.0.2.7'));
});

test('the addresses of a /64 IPv6 network count as one', () => {
  const network = networkOf('2001:db8:1:2::1');
  for (const address of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:1:2::', '2001:db8:1:2::1%eth0']) {
    assert.equal(networkOf(address), network, address);
  }
  for (const address of ['2001:db8:1:3::1', '2001:db8::1', '::1'])
    assert.notEqual(networkOf(address), network, address);
});

test('an invalid address is returned unchanged', () => {
  for (const address of ['', 'nonsense', '1:2', ':::']) assert.equal(networkOf(address), address);
});

test('people read an IPv4 address, or an IPv6 network in its short form', () => {
  assert.equal(networkText('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(networkText('2001:0DB8:0:0002:ffff::1'), '2001:db8:0:2::/64');
  assert.equal(networkText('::1'), '::/64');
  for (const address of ['', 'nonsense', ':::']) assert.equal(networkText(address), null);
});
