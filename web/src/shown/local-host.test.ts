import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocalHost } from './local-host.ts';

test('the own machine and private networks are local', () => {
  const local = [
    'localhost',
    'chat.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.178.20',
    '169.254.1.1',
    '100.64.0.1',
    '[::1]',
    '::1',
    '[fd00::12]',
    'fe80::1',
    'nas',
    'chat.local',
    'chat.home.arpa',
  ];
  for (const host of local) assert(isLocalHost(host), host);
});

test('public names and addresses are not local', () => {
  const open = [
    'chat.example.com',
    'localhost.example.com',
    '10.example.com',
    '203.0.113.7',
    '172.32.0.1',
    '172.15.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '[2001:db8::1]',
    'fdroid.org',
    'mylocal.org',
  ];
  for (const host of open) assert(!isLocalHost(host), host);
});
