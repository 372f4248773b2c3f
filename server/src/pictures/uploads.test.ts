import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBytes } from './uploads.ts';

async function* bytes(text: string, until: Promise<void> = Promise.resolve()) {
  yield Buffer.from(text);
  await until;
}

const textOf = async (content: Buffer) => content.toString();

test('a limited number of pictures of one account arrive one after another, and delay no other account', async () => {
  const arrived = Promise.withResolvers<void>();
  const slow = withBytes('slow', bytes('first', arrived.promise), textOf);
  const done: string[] = [];
  const waiting = Array.from({ length: 19 }, async (_, index) => {
    done.push(await withBytes('slow', bytes(`${index}`), textOf));
  });
  await assert.rejects(withBytes('slow', bytes('one too many'), textOf), { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(await withBytes('other', bytes('picture'), textOf), 'picture');
  assert.deepEqual(done, []);
  arrived.resolve();
  assert.equal(await slow, 'first');
  await Promise.all(waiting);
  assert.deepEqual(
    done,
    waiting.map((_, index) => `${index}`),
  );
});

test('pictures that arrive together use a limited amount of memory, and release it', async () => {
  const part = Buffer.alloc(4 * 1024 * 1024);
  async function* endless() {
    for (;;) yield part; // timing: an endless body
  }
  for (let turn = 0; turn < 2; turn++) {
    await assert.rejects(withBytes('large', endless(), textOf), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(await withBytes('other', bytes('picture'), textOf), 'picture');
  }
});
