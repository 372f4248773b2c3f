import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyedSubject } from './changes.ts';

/** More keys than a subject remembers. */
const MANY = 25_000;

test('a reader of a key sees each of its changes, and no other', async () => {
  const subject = new KeyedSubject<string>();
  let calls = 0;
  subject.of('a').subscribe(() => calls++);
  const [a, b] = [subject.of('a').read(), subject.of('b').read()];
  subject.changed('a');
  assert.notEqual(subject.of('a').read(), a);
  assert.equal(subject.of('b').read(), b);
  await Promise.resolve();
  assert.equal(calls, 1);
});

test('changes of many keys leave the version of a subscribed key alone', () => {
  const subject = new KeyedSubject<number>();
  subject.of(0).subscribe(() => undefined);
  subject.changed(0);
  const version = subject.of(0).read();
  for (let key = 1; key <= MANY; key++) subject.changed(key);
  assert.equal(subject.of(0).read(), version);
});

test('a reader that has not subscribed yet sees a change that the subject has forgotten', () => {
  const subject = new KeyedSubject<number>();
  const before = subject.of(0).read();
  for (let key = 0; key <= MANY; key++) subject.changed(key);
  assert.notEqual(subject.of(0).read(), before);
});
