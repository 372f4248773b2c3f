import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { manyPages } from '../testing/services/many-pages.ts';
import { decoded } from './decoding.ts';
import { hasFewPages, readingFrom } from './tiff.ts';

test('a TIFF with very many pages is recognized after the first thousand, in either byte order and with long numbers', async () => {
  for (const form of ['little', 'big', 'long'] as const) {
    const content = manyPages(500_000, form);
    let reads = 0;
    const few = await hasFewPages((start, length) => {
      reads += 1;
      return readingFrom(content)(start, length);
    });
    assert.equal(few, false, form);
    assert.ok(reads < 2100, `${reads}`);
  }
});

test('a TIFF whose few pages have very many entries, or form a loop, is recognized', async () => {
  assert.equal(await hasFewPages(readingFrom(manyPages(2, 'little', 40_000))), false);
  const loop = manyPages(1, 'little');
  loop.writeUInt32LE(8, loop.length - 4);
  assert.equal(await hasFewPages(readingFrom(loop)), false);
});

test('other pictures and broken files are left to the library', async () => {
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } });
  const tiff = await picture.clone().tiff().toBuffer();
  for (const content of [
    tiff,
    tiff.subarray(0, 12),
    await picture.png().toBuffer(),
    Buffer.from('II'),
    Buffer.alloc(0),
  ]) {
    assert.equal(await hasFewPages(readingFrom(content)), true);
  }
  assert.equal(await hasFewPages(readingFrom(manyPages(3, 'little'))), true);
});

test('an uploaded picture is rejected if it is such a TIFF', async () => {
  await assert.rejects(
    decoded(manyPages(200_000, 'little'), async () => undefined),
    { code: 'BAD_IMAGE', message: 'Image size exceeds limit.' },
  );
});
