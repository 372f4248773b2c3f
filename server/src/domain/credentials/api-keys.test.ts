import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Role, type UserRecord } from '../../directory/records.ts';
import { ApiKeys, apiKeyFor } from './api-keys.ts';

const secret = Buffer.alloc(32, 7);

const user: UserRecord = {
  id: 10,
  email: 'ada@example.com',
  deliveryEmail: 'ada@example.com',
  fullName: 'Ada',
  role: Role.member,
  isActive: true,
  isBot: false,
  botType: null,
  botOwnerId: null,
  timezone: '',
  avatarVersion: 1,
  apiKeyVersion: 1,
  joinedAt: 0,
};

test('a key is 32 letters and digits', () => {
  for (let id = 1; id <= 500; id += 1) assert.match(apiKeyFor(secret, 1, id, 1), /^[A-Za-z0-9]{32}$/);
});

test('deriving a key again returns the same key', () => {
  assert.equal(apiKeyFor(secret, 1, 10, 1), apiKeyFor(Buffer.from(secret), 1, 10, 1));
});

test('another secret, organization, user or version changes the key', () => {
  const keys = [
    apiKeyFor(secret, 1, 10, 1),
    apiKeyFor(Buffer.alloc(32, 8), 1, 10, 1),
    apiKeyFor(secret, 2, 10, 1),
    apiKeyFor(secret, 1, 11, 1),
    apiKeyFor(secret, 1, 10, 2),
    // Organization 1 with user 10 must not collide with organization 11 with user 0.
    apiKeyFor(secret, 11, 0, 1),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test('only the exact key is accepted', () => {
  const keys = new ApiKeys(secret);
  const key = keys.of(1, user);
  assert.equal(key, apiKeyFor(secret, 1, 10, 1));
  assert.ok(keys.isKeyOf(1, user, key));
  const wrong = [`${key}x`, key.slice(1), '', 'é'.repeat(16), key.toLowerCase(), apiKeyFor(secret, 1, 11, 1)];
  for (const other of wrong) assert.ok(!keys.isKeyOf(1, user, other), other);
});

test('raising the key version revokes the key', () => {
  const keys = new ApiKeys(secret);
  const key = keys.of(1, user);
  const renewed = { ...user, apiKeyVersion: 2 };
  assert.ok(!keys.isKeyOf(1, renewed, key));
  assert.ok(keys.isKeyOf(1, renewed, keys.of(1, renewed)));
});
