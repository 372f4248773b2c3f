import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Subdomains } from './subdomains.ts';

const cases: readonly (readonly [rootDomain: string, host: string, subdomain: string | undefined])[] = [
  ['localhost', 'localhost:9991', ''],
  ['localhost', 'acme.localhost:9991', 'acme'],
  ['localhost', 'acme.localhost', 'acme'],
  ['localhost', 'ACME.LocalHost:1', 'acme'],
  ['localhost', '127.0.0.1:9991', ''],
  ['localhost', '[::1]:9991', ''],
  ['localhost', '', ''],
  ['localhost', 'chat.example.com', undefined],
  ['localhost', 'notlocalhost', undefined],
  ['chat.example.com', 'chat.example.com', ''],
  ['chat.example.com', 'chat.example.com.', ''],
  ['chat.example.com', 'acme.chat.example.com:443', 'acme'],
  ['chat.example.com', 'a.b.chat.example.com', 'a.b'],
  ['chat.example.com', 'example.com', undefined],
  ['chat.example.com', 'evilchat.example.com', undefined],
  ['chat.example.com', 'localhost:9991', ''],
  ['chat.example.com', '10.1.2.3', ''],
];

for (const [rootDomain, host, expected] of cases) {
  const selected =
    expected === undefined ? 'no organization' : expected === '' ? 'the root organization' : `'${expected}'`;
  test(`with the root domain ${rootDomain}, the host '${host}' selects ${selected}`, () => {
    const subdomains = new Subdomains(rootDomain);
    assert.equal(subdomains.of(host), expected);
    assert.equal(subdomains.of(host), expected, 'the second lookup returns the same');
  });
}

test('a host name that is too long selects no organization', () => {
  const subdomains = new Subdomains('localhost');
  assert.equal(subdomains.of(`${'a'.repeat(300)}.localhost`), undefined);
  assert.equal(subdomains.remembered, 0);
});

test('unknown hosts do not fill the memory', () => {
  const subdomains = new Subdomains('localhost');
  for (let i = 0; i < 5000; i += 1) subdomains.of(`h${i}.localhost`);
  assert.equal(subdomains.of('h1.localhost'), 'h1');
  assert.ok(subdomains.remembered <= 1000);
});
