import assert from 'node:assert/strict';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { fc } from '../../testing/random/property.ts';
import { acceptedCodings } from '../answers/accept-encoding.ts';
import { shared } from '../answers/raw-json.ts';
import { Compression } from './compression.ts';
import { compressJoined, type JoinedCoding } from './joined-compression.ts';

const CODINGS = ['gzip', 'zstd'] as const;
const decode = { gzip: zlib.gunzipSync, zstd: zlib.zstdDecompressSync };
const LONG = Buffer.from('a long piece that many responses contain, '.repeat(1000));

const piece = fc
  .tuple(fc.string({ maxLength: 40 }), fc.constantFrom(0, 1, 6, 7, 255, 256, 3000), fc.boolean())
  .map(([text, times, isShared]) => {
    const bytes = Buffer.from(text.repeat(times));
    return isShared ? shared(bytes) : bytes;
  });

for (const coding of CODINGS) {
  test(`a body that was compressed in pieces has the same bytes as the pieces together (${coding})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (body) => {
        const compressed = Buffer.concat(await compressJoined([LONG, ...body], coding));
        assert.deepEqual(decode[coding](compressed), Buffer.concat([LONG, ...body]));
      }),
    );
  });

  test(`a shared piece is compressed once: all responses contain the same compressed bytes (${coding})`, async () => {
    const list = shared(Buffer.from(LONG));
    const bodyOf = (name: string) => [Buffer.from(`{"name":"${name}","list":`), list, Buffer.from('}')];
    const [one, other] = await Promise.all([
      compressJoined(bodyOf('Ada'), coding),
      compressJoined(bodyOf('Bo'), coding),
    ]);
    const later = await compressJoined(bodyOf('Cleo'), coding);
    const common = one.filter((bytes) => other.includes(bytes) && later.includes(bytes));
    assert.ok(common.some(({ length }) => length > 20 && length < LONG.length / 10));
  });

  test(`of a shared piece, only its compressed bytes are kept in memory (${coding})`, async () => {
    const compressed = await compressJoined([shared(Buffer.from(LONG))], coding);
    const kept = compressed.find(({ length }) => length > 20);
    assert.equal(kept?.buffer.byteLength, kept?.length);
  });

  test(`a response with shared pieces is compressed even while others are, and ${coding} needs no second member`, async () => {
    const compression = new Compression();
    const body = [Buffer.from('['), shared(Buffer.from(`"${'x'.repeat(300_000)}"`)), Buffer.from(']')];
    const many = Array.from({ length: 8 }, () =>
      compression.compress(body, 300_004, acceptedCodings(coding, 'browser')),
    );
    for (const compressed of await Promise.all(many)) {
      assert.equal(compressed?.coding, coding);
      assert.deepEqual(decode[coding](Buffer.concat(compressed.pieces)), Buffer.concat(body));
    }
  });
}

test('a client that prefers Brotli gets a coding whose pieces can be joined, if it accepts one', async () => {
  const compression = new Compression();
  const body = [shared(Buffer.from(`"${'x'.repeat(300_000)}"`))];
  const codingFor = async (header: string) =>
    (await compression.compress(body, 300_002, acceptedCodings(header, 'browser')))?.coding as
      | JoinedCoding
      | 'br'
      | undefined;
  assert.equal(await codingFor('gzip, deflate, br'), 'gzip');
  assert.equal(await codingFor('gzip, deflate, br, zstd'), 'zstd');
  assert.equal(await codingFor('br'), 'br');
  assert.equal(await codingFor('identity'), undefined);
});
