import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { checkedPasswordHash, isPassword } from './passwords.ts';

const hashOf = (password: string) => checkedPasswordHash(password, []);

test('a password is stored as argon2id in PHC form, with the parameters that OWASP recommends', async () => {
  assert.match(
    await hashOf('correct horse'),
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  );
});

test('only the right password matches', async () => {
  const stored = await hashOf('correct horse');
  assert.ok(await isPassword('correct horse', stored));
  for (const wrong of ['Correct horse', 'correct horse ', '', stored])
    assert.ok(!(await isPassword(wrong, stored)), wrong);
});

test('equal passwords have different hashes', async () => {
  assert.notEqual(await hashOf('correct horse'), await hashOf('correct horse'));
});

test('composed and decomposed accents are equal', async () => {
  const stored = await hashOf('caf\u00e9 au lait');
  assert.ok(await isPassword('cafe\u0301 au lait', stored));
});

test('hashes of other programs with other parameters are verified', async () => {
  // A test vector of the reference implementation (P-H-C/phc-winner-argon2, test.c).
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.ok(await isPassword('password', stored));
  assert.ok(!(await isPassword('Password', stored)));
});

test('no password matches an account without a password hash, or no account', async () => {
  for (const stored of [null, undefined, '', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$$']) {
    for (const password of ['', 'plain', 'password']) assert.ok(!(await isPassword(password, stored)));
  }
});

test('a stored hash with excessive parameters is not computed', async () => {
  const stored = '$argon2id$v=19$m=999999999,t=9999,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.ok(!(await isPassword('password', stored)));
});

test('a new password has 8 to 100 characters, and is hard to guess', async () => {
  const hash = (password: string) => checkedPasswordHash(password, ['Ada Lovelace', 'ada@example.com', 'Looms']);
  for (const password of ['', 'shuttle', 'over warp '.repeat(11), '12345678', 'ada lovelace', 'looms1234']) {
    await assert.rejects(hash(password), (error) => error instanceof ApiError && error.status === 400);
  }
  for (const password of ['sh7ttle!', '\u{1f511}\u{1f5dd}abc'.repeat(20)]) {
    assert.ok(await isPassword(password, await hash(password)));
  }
});

test('excess concurrent logins are refused with SERVICE_UNAVAILABLE, and the others succeed', async () => {
  // The lowest cost: 202 computations with the usual one take many seconds.
  const stored = '$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IG9mIHNpeHRlZW4$qU/+YyBHP3hLbFIkeCX9V6Xt4uHOFnuSjECfb496cs0';
  const answers = await Promise.allSettled(Array.from({ length: 210 }, () => isPassword('correct horse', stored)));
  const refused = answers.filter((answer) => answer.status === 'rejected');
  assert.equal(refused.length, 8);
  for (const { reason } of refused) assert.ok(reason instanceof ApiError && reason.code === 'SERVICE_UNAVAILABLE');
  assert.ok(answers.every((answer) => answer.status === 'rejected' || answer.value));
  assert.ok(await isPassword('correct horse', stored), 'the next login succeeds');
});
