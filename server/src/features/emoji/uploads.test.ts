import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBytes } from './pictures.ts';

async function* bytes(text: string, until: Promise<void> = Promise.resolve()) {
  yield Buffer.from(text);
  await until;
}

const textOf = async (content: Buffer) => content.toString();

test('an account whose picture is still arriving uploads no other, and keeps no other account from it', async () => {
  const arrived = Promise.withResolvers<void>();
  const slow = withBytes('slow', bytes('first', arrived.promise), textOf);
  await assert.rejects(withBytes('slow', bytes('second'), textOf), { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(await withBytes('other', bytes('picture'), textOf), 'picture');
  arrived.resolve();
  assert.equal(await slow, 'first');
  assert.equal(await withBytes('slow', bytes('third'), textOf), 'third');
});

test('pictures that arrive at once hold a bounded amount of memory, and give it back', async () => {
  const part = Buffer.alloc(4 * 1024 * 1024);
  async function* endless() {
    for (;;) yield part;
  }
  for (let turn = 0; turn < 2; turn++) {
    await assert.rejects(withBytes('large', endless(), textOf), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(await withBytes('other', bytes('picture'), textOf), 'picture');
  }
});
