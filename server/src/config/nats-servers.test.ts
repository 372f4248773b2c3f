import assert from 'node:assert/strict';
import { test } from 'node:test';
import { natsServers } from './nats-servers.ts';

test('a URL of NATS names its servers, and may name an account, a token and TLS', () => {
  assert.deepEqual(natsServers('nats://a'), { servers: ['a'] });
  assert.deepEqual(natsServers('nats://10.0.0.1:4222,[::1]:4223/'), { servers: ['10.0.0.1:4222', '[::1]:4223'] });
  assert.deepEqual(natsServers('nats://me:p%40ss@a:4222,b:4222'), {
    servers: ['a:4222', 'b:4222'],
    user: 'me',
    pass: 'p@ss',
  });
  assert.deepEqual(natsServers('TLS://token@a'), { servers: ['a'], token: 'token', tls: {} });
});

test('other URLs are refused', () => {
  const refused = [
    'nats',
    'nats://',
    'http://a',
    'nats://a,',
    'nats://,a',
    'nats://a:x',
    'nats://a/path',
    'nats://a?x=1',
  ];
  for (const url of [...refused, 'nats://@a', 'nats://:p@a', 'nats://%zz@a', 'nats://u:p@b@a']) {
    assert.equal(natsServers(url), undefined, url);
  }
});
